import type { EngineReader } from "../engine/engine.js";
import { invalidArgument } from "../errors.js";
import type { KeyRange } from "../keys/index.js";
import { type ClassesOf, encodeAccepted, type KeysOf, type Schema, type ValueFor } from "../schemas/index.js";
import { type SyncOptions, syncOf } from "./batch.js";
import { copyRange } from "./bounds.js";
import type { PendingChange } from "./column-changes.js";
import { PendingReader } from "./pending.js";
import { StoreReader } from "./reader.js";

/** The target of the commit of an overlay. */
export interface OverlayTarget {
  readonly write: (changes: readonly PendingChange[], sync: boolean | undefined) => Promise<void>;
}

/**
 * Uncommitted changes over a store or a snapshot. Only reads and scans of the overlay see them, until `commit` writes
 * them as one batch. The node calls this a temporal layer. An overlay that is never committed discards its changes.
 *
 * @example
 * const overlay = store.overlay();
 * overlay.put(new GroupDefaultCaps({ groupId }), { capabilities: 3 });
 * await overlay.get(new GroupDefaultCaps({ groupId })); // { capabilities: 3 }
 * await overlay.commit();
 */
export class Overlay<S extends Schema = Schema> extends StoreReader<S> {
  readonly #pending: PendingReader;
  readonly #target: OverlayTarget;
  #committing = false;

  /** @internal */
  constructor(base: EngineReader, schema: S, target: OverlayTarget) {
    const pending = new PendingReader(base);
    super(pending, schema);
    this.#pending = pending;
    this.#target = target;
  }

  /**
   * @throws EncodeError for a value with a missing, surplus or wrong field; `INVALID_KEY` for a key that the node does
   *   not read, although its layout is right
   */
  put<K extends KeysOf<S>>(key: K, value: ValueFor<S, K>): void {
    const row = this.rowOf(key);
    const bytes = encodeAccepted(row, key, value);
    this.checkColumn(row.column);
    this.#change({ type: "put", column: row.column, key: key.bytes, value: bytes });
  }

  /** Deletes a key. An absent row is not an error. */
  delete<K extends KeysOf<S>>(key: K): void {
    const { column } = this.rowOf(key);
    if (this.raw.columns.includes(column)) this.#change({ type: "delete", column, key: key.bytes });
  }

  /** Deletes every key of the range, in the base and in the overlay. */
  deleteRange<C extends ClassesOf<S>>(range: KeyRange<C>): void {
    const { column, gte: from, lt: to } = copyRange(range);
    if (this.raw.columns.includes(column)) this.#change({ type: "deleteRange", column, gte: from, lt: to });
  }

  /**
   * Writes all changes as one batch and empties the overlay. If writing fails, nothing is written and the overlay keeps
   * its changes.
   *
   * @throws MerostoreError `CLOSED` if the store is closed, or the snapshot under the overlay
   */
  async commit(options?: SyncOptions): Promise<void> {
    const sync = syncOf("commit", options);
    this.#checkIdle();
    this.#committing = true;
    try {
      await this.#target.write(this.#pending.changes(), sync);
      this.#pending.clear();
    } finally {
      this.#committing = false;
    }
  }

  #change(change: PendingChange): void {
    this.#checkIdle();
    this.#pending.add(change);
  }

  #checkIdle(): void {
    if (!this.#committing) return;
    throw invalidArgument("a commit of this overlay is in progress: await it first");
  }
}
