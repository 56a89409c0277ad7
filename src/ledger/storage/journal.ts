/** What a transaction does, until it is committed: in memory only, so that nothing of it outlives a crash. */
import { toHex } from "../../bytes/hex.js";
import { compareBytes } from "../../bytes/order.js";
import type { ObjectIdentifier } from "../objects/identifier.js";
import type { NewPiece } from "../pieces/edges.js";
import type { Priority } from "../tables/tree-node.js";
import type { EntryChange } from "../tree/apply.js";

/** A new state of a page, as changes of an older one. */
export interface ChangeSet {
  /** Whether all entries of the older state are gone first. */
  readonly clear: boolean;
  /** One for each key, in ascending order. */
  readonly changes: readonly EntryChange[];
  /** Pieces of values that are not stored yet. */
  readonly pieces: readonly NewPiece[];
}

/** Bytes of pieces that a transaction keeps in memory. */
const IN_MEMORY = 1 << 20;

/** Later operations on a key take the place of earlier ones. */
export class Journal {
  #clear = false;
  readonly #changes = new Map<string, EntryChange & { readonly pieces: readonly NewPiece[] }>();
  #bytes = 0;

  /** @param pieces those of the value that are not stored yet */
  put(key: Uint8Array, value: ObjectIdentifier, priority: Priority, pieces: readonly NewPiece[] = []): void {
    this.#set({ key, entry: { key, value, priority }, pieces });
  }

  delete(key: Uint8Array): void {
    this.#set({ key, entry: undefined, pieces: [] });
  }

  clear(): void {
    this.#clear = true;
    this.#changes.clear();
    this.#bytes = 0;
  }

  /** Whether pieces may stay in memory until the commit; otherwise they are to be stored before. */
  hasRoom(pieces: readonly NewPiece[]): boolean {
    return this.#bytes + bytesOf(pieces) <= IN_MEMORY;
  }

  get contents(): ChangeSet {
    const changes = [...this.#changes.values()].sort((a, b) => compareBytes(a.key, b.key));
    return { clear: this.#clear, changes, pieces: changes.flatMap(({ pieces }) => pieces) };
  }

  #set(change: EntryChange & { readonly pieces: readonly NewPiece[] }): void {
    const name = toHex(change.key);
    this.#bytes += bytesOf(change.pieces) - bytesOf(this.#changes.get(name)?.pieces ?? []);
    this.#changes.set(name, change);
  }
}

function bytesOf(pieces: readonly NewPiece[]): number {
  return pieces.reduce((sum, { content }) => sum + content.length, 0);
}
