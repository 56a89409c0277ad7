/** The findings about some rows of State, rule by rule: all rules share one look at the rows. */
import { append } from "../../../collections/lists.js";
import type { RowFinding } from "../../finding.js";
import { Tally } from "./tally.js";

/** The rules that share a look at the rows. */
export const ASPECTS = [
  "state-rows",
  "own-hash",
  "full-hash",
  "child-hash",
  "root-entity",
  "trie-hash",
  "trie-shape",
  "deleted-children",
  "written-once",
  "admitted-count",
] as const;
export type Aspect = (typeof ASPECTS)[number];

/** Tallies of the ids in the rows of a context, and of the ids that other rows name. */
export class ContextTally {
  /** The context's id, 32 bytes. */
  readonly contextId: Uint8Array;
  /** Entities that a parent should name: all except the root and seals. */
  readonly entities = new Tally();
  /** Entities that their parent names, as a child or as a deleted child. */
  readonly named = new Tally();
  /** Rows of tries. */
  readonly rows = new Tally();
  /** Rows of tries that a walk from an entity reached. */
  readonly reached = new Tally();

  constructor(contextId: Uint8Array) {
    this.contextId = contextId;
  }

  /** Adds the ids of further rows of the context. */
  take(other: ContextTally): void {
    this.entities.take(other.entities);
    this.named.take(other.named);
    this.rows.take(other.rows);
    this.reached.take(other.reached);
  }

  /** True if another row names each entity and each row of a trie. */
  get isWhole(): boolean {
    return this.entities.equals(this.named) && this.rows.equals(this.reached);
  }
}

/** The findings in some rows of State. */
export class StateFindings {
  readonly #findings = new Map<Aspect, RowFinding[]>();
  readonly #checked = new Map<Aspect, number>();

  add(aspect: Aspect, finding: RowFinding): void {
    append(this.#findings, aspect, finding);
  }

  checked(aspect: Aspect, count = 1): void {
    this.#checked.set(aspect, this.checkedOf(aspect) + count);
  }

  findingsOf(aspect: Aspect): readonly RowFinding[] {
    return this.#findings.get(aspect) ?? [];
  }

  checkedOf(aspect: Aspect): number {
    return this.#checked.get(aspect) ?? 0;
  }
}
