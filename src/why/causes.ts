/** The causes of a difference, each with the rows that differ by it. */
import { counted } from "../bytes/quantity.js";
import type { RowDifference } from "../diff/browser.js";
import type { Contradiction } from "../state/index.js";
import type { WhyVerdict } from "./verdict.js";

/** A row that differs. */
export interface WhyRow {
  /** Name of the column family. */
  readonly column: string;
  /** The kind of the row: `GroupMember`; null if no schema has a kind with this key. */
  readonly kind: string | null;
  /** In hex. */
  readonly key: string;
  /** The names of the nodes that have it: both, with different values, or one. */
  readonly in: readonly string[];
  /** The paths of the first fields that differ, `metadata.updatedAt` for example; empty for a row of one node. */
  readonly fields: readonly string[];
}

/** A cause, with the rows that differ by it. */
export interface WhyCause {
  /**
   * The kind of cause. Of contexts: `deltas`, `account`, `key`, `parent`, `lost`, `changed` (deltas), `snapshot`, `checkpoint`,
   * `application`, `contradiction`, `unnamed`, `unchecked`, `incomplete` (a state that is being fetched), `stated` (by the row of the context, and not true); where deltas are
   * not replayed, `heads` and `state`. Of groups: `operation`, `account`, `key`, `changed` (operations or keys), `contradiction`. Of both: `absent`, `unread`, `expected`.
   */
  readonly rule: string;
  /** A sentence, without an end. */
  readonly sentence: string;
  /** The first rows that differ by it. */
  readonly rows: readonly WhyRow[];
  /** The number of rows that differ by it. */
  readonly rowCount: number;
  /** The deltas that it is about, 64 hex digits each. */
  readonly deltas: readonly string[];
  /** The operations that it is about, 64 hex digits each. */
  readonly operations: readonly string[];
  /** The entities that are not what the deltas lead to; of the rule `unchecked`, as a correct node can have them. */
  readonly contradictions: readonly Contradiction[];
}

/** The causes why two nodes differ in a context, in a group, or in the rows that belong to neither. */
export interface WhyDifference {
  /** `rest` stands for the rows that name no context and no group. */
  readonly of: "context" | "group" | "rest";
  /** The id of the context, group or namespace, 64 hex digits; undefined for the rest. */
  readonly id: string | undefined;
  /** The verdict. */
  readonly verdict: WhyVerdict;
  /** The verdict as a sentence, without an end. */
  readonly sentence: string;
  /** The names of the nodes of which the verdict speaks: those that lack something, or have what is wrong. */
  readonly about: readonly string[];
  /** The causes, the first one first. */
  readonly causes: readonly WhyCause[];
  /** The first rows that differ and have no cause. */
  readonly unexplained: readonly WhyRow[];
  /** The number of rows that differ and have no cause. */
  readonly unexplainedCount: number;
  /**
   * Of a context, the entities whose rows differ by one of the causes, each as the entry of a field that it belongs to, 64 hex
   * digits each; undefined where that is not known of all.
   */
  readonly entities: ReadonlySet<string> | undefined;
}

/** The decision about a thing. */
export type Decision = Pick<WhyDifference, "verdict" | "sentence" | "about">;

/** A cause without its rows. */
export type NewCause = Pick<WhyCause, "rule" | "sentence"> &
  Partial<Pick<WhyCause, "deltas" | "operations" | "contradictions">>;

/** The sentence about rows that may differ. */
const EXPECTED = "expected of correct nodes: each has its own keys, names, clocks and counters";

/** Rows that differ: their number, and the first of them. */
export class DifferingRows {
  readonly #names: readonly [a: string, b: string];
  readonly #most: number;
  /** The first ones. */
  readonly rows: WhyRow[] = [];
  /** The number of all. */
  count = 0;

  /**
   * @param names the names of the two nodes
   * @param most rows that are kept
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

  /** Adds others after its own. */
  addAll({ rows, count }: DifferingRows): void {
    this.count += count;
    this.rows.push(...rows.slice(0, this.#most - this.rows.length));
  }
}

/** The cause of rows, by its number, or one of the other two. */
type CauseOfRows = number | "expected" | "unexplained";

/** Gathers the rows that differ by their causes. */
export class Causes {
  /** The names of the two nodes. */
  readonly names: readonly [a: string, b: string];
  readonly #most: number;
  readonly #causes: { readonly cause: NewCause; readonly rows: DifferingRows }[] = [];
  readonly #expected: DifferingRows;
  readonly #unexplained: DifferingRows;

  /**
   * @param names the names of the two nodes
   * @param most rows that are kept of each cause
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

  /** The place of the first cause of one of the rules, in their order; -1 without one. */
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

  /** Gives a row to a cause, to those that are expected, or to those that have none. */
  take(row: RowDifference, to: CauseOfRows): void {
    this.#rowsAt(to).add(row);
  }

  /** Gives several rows to a cause. */
  takeAll(rows: DifferingRows, to: CauseOfRows): void {
    this.#rowsAt(to).addAll(rows);
  }

  /** The rows without a cause. */
  get unexplained(): Pick<WhyDifference, "unexplained" | "unexplainedCount"> {
    return { unexplained: this.#unexplained.rows, unexplainedCount: this.#unexplained.count };
  }

  /** The difference of a thing, once all its rows are taken. */
  difference(
    thing: Pick<WhyDifference, "of" | "id">,
    decided: Decision,
    entities?: ReadonlySet<string>,
  ): WhyDifference {
    return { ...thing, ...decided, causes: this.done(), ...this.unexplained, entities };
  }

  /** All causes with their rows, those that are expected last. */
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

  /** The sentence about nodes that would be equal but for rows without a cause. */
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

/** Takes the rows that differ in a thing, and decides. */
export interface Judge {
  /** Takes a row that differs. */
  take(row: RowDifference): void;
  /** Decides, once all rows are taken. */
  decide(): Promise<WhyDifference>;
}
