/** The changes of a transaction until the commit. They are in memory only: after a crash nothing is left of them. */
import { compareBytes, toHex } from "merostore/internal";
import type { ObjectIdentifier } from "../objects.js";
import type { NewPiece } from "../pieces/edges.js";
import type { Priority } from "../tables/tree-node.js";
import type { EntryChange } from "../tree/apply.js";

/** The changes from one commit to the next. */
export interface ChangeSet {
  /** True if all entries are removed before the changes. */
  readonly clear: boolean;
  /** One for each key, in ascending order. */
  readonly changes: readonly EntryChange[];
  /** Pieces of values that are not stored yet. */
  readonly pieces: readonly NewPiece[];
}

/** No changes. */
export const NO_CHANGES: ChangeSet = { clear: false, changes: [], pieces: [] };

/** The most bytes of pieces that a transaction keeps in memory. */
const MEMORY_LIMIT = 1 << 20;

interface Change extends EntryChange {
  readonly pieces: readonly NewPiece[];
}

/** A later change of a key replaces an earlier one. */
export class Journal {
  #clear = false;
  readonly #changes = new Map<string, Change>();
  #bytes = 0;

  /**
   * Puts an entry.
   * @param pieces the pieces of the value that are not stored yet
   */
  put(key: Uint8Array, value: ObjectIdentifier, priority: Priority, pieces: readonly NewPiece[] = []): void {
    this.#set({ key, entry: { key, value, priority }, pieces });
  }

  /** Removes the entry at a key. */
  delete(key: Uint8Array): void {
    this.#set({ key, entry: undefined, pieces: [] });
  }

  /** Removes all entries. */
  clear(): void {
    this.#clear = true;
    this.#changes.clear();
    this.#bytes = 0;
  }

  /** Returns whether pieces may stay in memory until the commit; otherwise all are stored before. */
  hasRoom(pieces: readonly NewPiece[]): boolean {
    return this.#bytes + contentSize(pieces) <= MEMORY_LIMIT;
  }

  /** The values that are put. */
  get values(): ObjectIdentifier[] {
    return Array.from(this.#changes.values()).flatMap(({ entry }) =>
      entry === undefined ? [] : [entry.value],
    );
  }

  /** The values whose pieces are in memory. */
  get unstored(): { readonly value: ObjectIdentifier; readonly pieces: readonly NewPiece[] }[] {
    return Array.from(this.#changes.values()).flatMap(({ entry, pieces }) =>
      entry === undefined || pieces.length === 0 ? [] : [{ value: entry.value, pieces }],
    );
  }

  /** Forgets the pieces that are in memory: they are stored. */
  forgetPieces(): void {
    for (const [name, change] of this.#changes) this.#changes.set(name, { ...change, pieces: [] });
    this.#bytes = 0;
  }

  /** The changes so far. */
  get contents(): ChangeSet {
    const changes = [...this.#changes.values()].sort((a, b) => compareBytes(a.key, b.key));
    return { clear: this.#clear, changes, pieces: changes.flatMap(({ pieces }) => pieces) };
  }

  /** The change of one key so far, as {@link Journal.contents}. */
  contentsAt(key: Uint8Array): ChangeSet {
    const change = this.#changes.get(toHex(key));
    const changes = change === undefined ? [] : [change];
    return { clear: this.#clear, changes, pieces: changes.flatMap(({ pieces }) => pieces) };
  }

  #set(change: Change): void {
    const name = toHex(change.key);
    this.#bytes += contentSize(change.pieces) - contentSize(this.#changes.get(name)?.pieces ?? []);
    this.#changes.set(name, change);
  }
}

function contentSize(pieces: readonly NewPiece[]): number {
  return pieces.reduce((sum, { content }) => sum + content.length, 0);
}
