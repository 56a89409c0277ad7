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
}

/** A cause, with the rows that differ by it. */
export interface WhyCause {
  /**
   * The kind of cause. Of contexts: `deltas`, `account`, `key`, `parent`, `lost`, `snapshot`, `application`, `contradiction`,
   * `unnamed`, `unchecked`. Of groups: `operation`, `account`, `key`, `contradiction`. Of both: `absent`, `expected`.
   */
  readonly rule: string;
  /** A sentence, without an end. */
  readonly sentence: string;
  /** The rows that differ by it. */
  readonly rows: readonly WhyRow[];
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
  /** The rows that differ and have no cause. */
  readonly unexplained: readonly WhyRow[];
  /**
   * Of a context, the entities whose rows differ by one of the causes, each as the entry of a field that it belongs to, 64 hex
   * digits each; undefined where that is not known of all.
   */
  readonly entities: ReadonlySet<string> | undefined;
}

/** A cause without its rows. */
export type NewCause = Pick<WhyCause, "rule" | "sentence"> & Partial<WhyCause>;

/** The sentence about rows that may differ. */
const EXPECTED = "expected of correct nodes: each has its own keys, names, clocks and counters";

/** Gathers the rows that differ by their causes. */
export class Causes {
  readonly #names: readonly [a: string, b: string];
  readonly #causes: { readonly cause: NewCause; readonly rows: WhyRow[] }[] = [];
  readonly #expected: WhyRow[] = [];
  /** The rows without a cause. */
  readonly unexplained: WhyRow[] = [];

  /** @param names the names of the two nodes */
  constructor(names: readonly [a: string, b: string]) {
    this.#names = names;
  }

  /** The number of causes. */
  get size(): number {
    return this.#causes.length;
  }

  /** Adds a cause, and returns its place. */
  add(cause: NewCause): number {
    return this.#causes.push({ cause, rows: [] }) - 1;
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
  take(row: RowDifference, to: number | "expected" | "unexplained"): void {
    const { column, kind, key, difference } = row;
    const having =
      difference === "different" ? this.#names : [this.#names[difference === "only in a" ? 0 : 1]];
    const rows =
      to === "expected" ? this.#expected : to === "unexplained" ? this.unexplained : this.#causes[to]?.rows;
    (rows ?? this.unexplained).push({ column, kind, key, in: having });
  }

  /** All causes with their rows, those that are expected last. */
  done(): readonly WhyCause[] {
    const none = { deltas: [], operations: [], contradictions: [] };
    const found = this.#causes.map(({ cause, rows }) => ({ ...none, ...cause, rows }));
    if (this.#expected.length === 0) return found;
    return [...found, { rule: "expected", sentence: EXPECTED, rows: this.#expected, ...none }];
  }

  /** The sentence about nodes that would be equal but for rows without a cause. */
  unexplainedText(what: string): string {
    return `${what}, but ${counted(this.unexplained.length, "row")} ${this.unexplained.length === 1 ? "differs" : "differ"} for no known cause`;
  }
}

/** Takes the rows that differ in a thing, and decides. */
export interface Judge {
  /** Takes a row that differs. */
  take(row: RowDifference): void;
  /** Decides, once all rows are taken. */
  decide(): Promise<WhyDifference>;
}
