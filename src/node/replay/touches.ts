/** The rows that each operation of a replay reads and writes. Their order matters only for operations that share rows. */
import { GROUP_KINDS } from "./kinds.js";
import type { ReplayedKind } from "./rows.js";

/** Kinds of rows that every operation on a group writes, for its signer or its key alone. */
const BOOKKEEPING: ReadonlySet<ReplayedKind> = new Set([
  "GroupLocalGovNonce",
  "GroupLocalGovNonceWindow",
  "GroupKeyEntry",
]);

const KINDS: readonly ReplayedKind[] = [...GROUP_KINDS, "ContextGroupRef", "ContextServiceName"];

/** The number of rounds that add the operations that earlier ones depend on. */
const MOST_ROUNDS = 6;

/** The way in which a row was touched; `below`: another row whose key begins with the same id was written. */
type How = "read" | "written" | "below";

/** The rows that operations read and wrote while they were applied. Rows are hashed: two may count as one. */
export class Touches {
  /** The number of the operation that is applied. */
  operation: number | undefined;
  /** For each touch its operation, the hash of its row, and how. */
  readonly #operations: number[] = [];
  readonly #rows: number[] = [];
  readonly #hows: How[] = [];

  /** A row was looked up. */
  read(kind: ReplayedKind, ids: readonly string[]): void {
    this.#add(hashOf(kind, ids), "read", kind);
  }

  /** All rows of a kind whose key begins with an id were looked up. */
  readAll(kind: ReplayedKind, id: string): void {
    this.#add(~hashOf(kind, [id]), "read", kind);
  }

  /** A row was set or removed. */
  written(kind: ReplayedKind, ids: readonly string[]): void {
    this.#add(hashOf(kind, ids), "written", kind);
    this.#add(~hashOf(kind, [ids[0] as string]), "below", kind);
  }

  /**
   * Numbers of the operations that a row may depend on: operations that read or wrote it or another row with the same
   * ids, and operations that wrote rows which these read. The closest come first.
   */
  relevantTo(ids: readonly string[]): ReadonlySet<number> {
    const relevant = new Set<number>();
    // An operation that did not touch the row may touch it in another order.
    const touched = new Set(KINDS.map((kind) => hashOf(kind, ids)));
    const read = new Set<number>();
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const before = relevant.size;
      // The last ones are most likely to matter.
      for (const [back, row] of this.#rows.toReversed().entries()) {
        const at = this.#rows.length - 1 - back;
        if (touched.has(row) || (this.#hows[at] !== "read" && read.has(row)))
          relevant.add(this.#operations[at] as number);
      }
      if (relevant.size === before) break;
      for (const [at, row] of this.#rows.entries())
        if (relevant.has(this.#operations[at] as number)) {
          if (this.#hows[at] === "read") read.add(row);
          else if (this.#hows[at] === "written") touched.add(row);
        }
    }
    return relevant;
  }

  #add(row: number, how: How, kind: ReplayedKind): void {
    if (this.operation === undefined || BOOKKEEPING.has(kind)) return;
    this.#operations.push(this.operation);
    this.#rows.push(row);
    this.#hows.push(how);
  }
}

/** A number from 0 to 2^30 - 1. */
function hashOf(kind: ReplayedKind, ids: readonly string[]): number {
  let hash = KINDS.indexOf(kind) + 1;
  for (const id of ids)
    hash = Math.imul(hash ^ Number.parseInt(id.slice(0, 8), 16), 0x9e3779b1) ^ (hash >>> 15);
  return hash & 0x3fff_ffff;
}
