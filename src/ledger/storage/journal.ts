/** What a transaction does, until it is committed: in memory only, so that nothing of it outlives a crash. */
import { toHex } from "../../bytes/hex.js";
import { compareBytes } from "../../bytes/order.js";
import type { ObjectIdentifier } from "../objects/identifier.js";
import type { Priority } from "../tables/tree-node.js";
import type { Change } from "../tree/apply.js";
import type { StoredPiece } from "../tree/references.js";

/** A new state of a page, as changes of an older one. */
export interface Changes {
  /** Whether all entries of the older state are gone first. */
  readonly clear: boolean;
  /** One for each key, in ascending order. */
  readonly changes: readonly Change[];
  /** Pieces of values that are not stored yet. */
  readonly pieces: readonly StoredPiece[];
}

/** A change, and the pieces of its value, of which nothing is stored if another change takes its place. */
interface JournaledChange {
  readonly change: Change;
  readonly pieces: readonly StoredPiece[];
}

/** Later operations on a key take the place of earlier ones. */
export class Journal {
  #clear = false;
  readonly #changes = new Map<string, JournaledChange>();

  /** @param pieces those of the value that are not stored yet */
  put(
    key: Uint8Array,
    value: ObjectIdentifier,
    priority: Priority,
    pieces: readonly StoredPiece[] = [],
  ): void {
    this.#changes.set(toHex(key), { change: { key, entry: { key, value, priority } }, pieces });
  }

  delete(key: Uint8Array): void {
    this.#changes.set(toHex(key), { change: { key, entry: undefined }, pieces: [] });
  }

  clear(): void {
    this.#clear = true;
    this.#changes.clear();
  }

  get contents(): Changes {
    const sorted = [...this.#changes.values()].sort((a, b) => compareBytes(a.change.key, b.change.key));
    return {
      clear: this.#clear,
      changes: sorted.map(({ change }) => change),
      pieces: sorted.flatMap(({ pieces }) => pieces),
    };
  }
}
