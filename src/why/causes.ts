/** The causes of a difference, each with the rows that it explains. */
import { counted } from "../bytes/quantity.js";
import type { RowDifference } from "../diff/browser.js";
import type { Contradiction } from "../state/index.js";
import type { WhyVerdict } from "./verdict.js";

/** A row that differs. */
export interface WhyRow {
  /** Name of the column family. */
  readonly column: string;
  /** The kind of the row, such as `GroupMember`; null if neither schema has a kind for this key. */
  readonly kind: string | null;
  /** The key in hex. */
  readonly key: string;
  /** The names of the nodes that have the row: both if the values differ, otherwise one. */
  readonly in: readonly string[];
  /** The paths of the first fields that differ, such as `metadata.updatedAt`; empty if only one node has the row. */
  readonly fields: readonly string[];
}

/** A cause, with the rows that it explains. */
export interface WhyCause {
  /**
   * The kind of cause. For contexts: `deltas`, `account`, `key`, `parent`, `pending`, `lost`, `changed` (deltas),
   * `snapshot`, `checkpoint`, `application`, `contradiction`, `unnamed`, `unchecked`, `incomplete` (the node is fetching
   * the state), `stated` (the context's row states a wrong root hash or head), `heads`; also `state` if deltas are not
   * replayed. For groups: `operation`, `account`, `key`, `changed` (operations or keys), `contradiction`. For contexts
   * and groups: `absent`. For the rest: `application`. For all: `unread`, `expected`.
   */
  readonly rule: string;
  /** A sentence without a full stop. */
  readonly sentence: string;
  /** The first rows that it explains. */
  readonly rows: readonly WhyRow[];
  /** The number of rows that it explains. */
  readonly rowCount: number;
  /** The deltas that it concerns, 64 hex digits each. */
  readonly deltas: readonly string[];
  /** The operations that it concerns, 64 hex digits each. */
  readonly operations: readonly string[];
  /**
   * The entities that differ from the replay of the deltas. Under the rule `unchecked`, a correct node can have them.
   */
  readonly contradictions: readonly Contradiction[];
}

/** The causes why two nodes differ in a context, in a group, or in the rows that belong to neither. */
export interface WhyDifference {
  /** `rest` stands for the rows that name neither a context nor a group. */
  readonly of: "context" | "group" | "rest";
  /** The id of the context, group or namespace, 64 hex digits; undefined for the rest. */
  readonly id: string | undefined;
  /** The verdict. */
  readonly verdict: WhyVerdict;
  /** The verdict as a sentence without a full stop. */
  readonly sentence: string;
  /** The names of the nodes that the verdict concerns: they lack something, or something in them is wrong. */
  readonly about: readonly string[];
  /** The causes in the order in which they were found; `expected` comes last. */
  readonly causes: readonly WhyCause[];
  /** The first rows without a known cause. */
  readonly unexplained: readonly WhyRow[];
  /** The number of rows without a known cause. */
  readonly unexplainedCount: number;
  /**
   * The entities of a context whose rows differ for a known cause, 64 hex digits each. The entry of a field stands for
   * all entities below it. Undefined if some row of the state cannot be assigned, and for groups and the rest.
   */
  readonly entities: ReadonlySet<string> | undefined;
}

/** The verdict on a context, a group or the rest. */
export type Decision = Pick<WhyDifference, "verdict" | "sentence" | "about">;

/** The words on differing rows. */
export type Words = Pick<WhyDifference, "sentence" | "about">;

/** A cause without its rows. */
export type NewCause = Pick<WhyCause, "rule" | "sentence"> &
  Partial<Pick<WhyCause, "deltas" | "operations" | "contradictions">>;

/** The sentence about rows that differ between correct nodes too. */
const EXPECTED = "expected between correct nodes: each has its own keys, names, clocks and counters";

/** Counts differing rows, and keeps the first ones. */
export class DifferingRows {
  readonly #names: readonly [a: string, b: string];
  readonly #most: number;
  /** The first rows. */
  readonly rows: WhyRow[] = [];
  /** The number of all rows. */
  count = 0;

  /**
   * @param names the names of the two nodes
   * @param most the number of rows to keep
   */
  constructor(names: readonly [a: string, b: string], most: number) {
    this.#names = names;
    this.#most = most;
  }

  /** Adds a row. */
  add({ column, kind, key, difference, fields = [] }: RowDifference): void {
    if (this.count++ >= this.#most) return;
    const having =
      difference === "different" ? this.#names : [this.#names[difference === "only in a" ? 0 : 1]];
    this.rows.push({ column, kind, key, in: having, fields: fields.map(({ path }) => path) });
  }

  /** Appends the rows of another list. */
  addAll({ rows, count }: DifferingRows): void {
    this.count += count;
    this.rows.push(...rows.slice(0, this.#most - this.rows.length));
  }
}

/** The place of a cause, or one of the two lists of rows without a cause. */
type CauseOfRows = number | "expected" | "unexplained";

/** Gathers the differing rows by cause. */
export class Causes {
  /** The names of the two nodes. */
  readonly names: readonly [a: string, b: string];
  readonly #most: number;
  readonly #causes: { readonly cause: NewCause; readonly rows: DifferingRows }[] = [];
  readonly #expected: DifferingRows;
  readonly #unexplained: DifferingRows;

  /**
   * @param names the names of the two nodes
   * @param most the number of rows to keep for each cause
   */
  constructor(names: readonly [a: string, b: string], most: number) {
    this.names = names;
    this.#most = most;
    this.#expected = this.noRows();
    this.#unexplained = this.noRows();
  }

  /** A list for rows whose cause is not known yet. */
  noRows(): DifferingRows {
    return new DifferingRows(this.names, this.#most);
  }

  /** Adds a cause unless it is there, and returns its place. */
  add(cause: NewCause): number {
    const { rule, sentence } = cause;
    const place = this.#causes.findIndex((one) => one.cause.rule === rule && one.cause.sentence === sentence);
    return place >= 0 ? place : this.#causes.push({ cause, rows: this.noRows() }) - 1;
  }

  /** The place of the first cause of the first rule that has one; -1 if no rule has a cause. */
  placeOf(...rules: readonly string[]): number {
    const places = rules.map((rule) => this.#causes.findIndex(({ cause }) => cause.rule === rule));
    return places.find((place) => place >= 0) ?? -1;
  }

  /** The causes of a rule. */
  of(rule: string): readonly NewCause[] {
    return this.withPlaces(rule).map(([, cause]) => cause);
  }

  /** The causes of some rules with their places. */
  withPlaces(...rules: readonly string[]): readonly (readonly [place: number, cause: NewCause])[] {
    return this.#causes.flatMap(({ cause }, place) => (rules.includes(cause.rule) ? [[place, cause]] : []));
  }

  /** Assigns a row to a cause, to the expected rows, or to the unexplained rows. */
  take(row: RowDifference, to: CauseOfRows): void {
    this.#rowsAt(to).add(row);
  }

  /** Assigns several rows. */
  takeAll(rows: DifferingRows, to: CauseOfRows): void {
    this.#rowsAt(to).addAll(rows);
  }

  /** The rows without a cause. */
  get unexplained(): Pick<WhyDifference, "unexplained" | "unexplainedCount"> {
    return { unexplained: this.#unexplained.rows, unexplainedCount: this.#unexplained.count };
  }

  /** The complete difference. All rows have been taken before. */
  difference(
    thing: Pick<WhyDifference, "of" | "id">,
    decided: Decision,
    entities?: ReadonlySet<string>,
  ): WhyDifference {
    return { ...thing, ...decided, causes: this.done(), ...this.unexplained, entities };
  }

  /** All causes with their rows; `expected` comes last. */
  done(): readonly WhyCause[] {
    const none = { deltas: [], operations: [], contradictions: [] };
    const found = this.#causes.map(({ cause, rows }) => ({
      ...none,
      ...cause,
      rows: rows.rows,
      rowCount: rows.count,
    }));
    const { rows, count } = this.#expected;
    if (count === 0) return found;
    return [...found, { rule: "expected", sentence: EXPECTED, rows, rowCount: count, ...none }];
  }

  /** The sentence about nodes that differ only in rows without a known cause. */
  unexplainedText(what: string): string {
    const { count, rows } = this.#unexplained;
    const [first] = rows;
    const which = count === 1 && first?.kind ? `the row ${first.kind}` : counted(count, "row");
    return `${what}, but ${which} ${count === 1 ? "differs" : "differ"} for no known cause`;
  }

  #rowsAt(to: CauseOfRows): DifferingRows {
    const rows =
      to === "expected" ? this.#expected : typeof to === "number" ? this.#causes[to]?.rows : undefined;
    return rows ?? this.#unexplained;
  }
}

/** Takes the differing rows of a context, a group or the rest, and gives the verdict. */
export interface Judge {
  /** Takes a row that differs. */
  take(row: RowDifference): void;
  /** Gives the verdict, once all rows are taken. */
  decide(): Promise<WhyDifference>;
}
