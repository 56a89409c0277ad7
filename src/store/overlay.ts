import type { EngineReader, WriteOperation } from "../engine/engine.js";
import type { AnyRow, KeysOf, Schema, ValueFor } from "../schemas/index.js";
import { deletionOf } from "./batch.js";
import { PendingReader } from "./pending.js";
import { type Scannable, StoreReader } from "./reader.js";

/** Where an overlay commits to. */
export interface OverlayTarget {
  write(operations: readonly WriteOperation[]): Promise<void>;
}

/**
 * Uncommitted changes over a store or a snapshot: they are seen by every read and scan of the overlay, and by nobody
 * else until `commit` writes them as one batch. What the node calls a temporal layer. Simply dropping it discards them.
 *
 * @example
 * const overlay = store.overlay();
 * overlay.put(new GroupDefaultCaps({ groupId }), { capabilities: 3 });
 * await overlay.get(new GroupDefaultCaps({ groupId })); // { capabilities: 3 }
 * await overlay.commit();
 */
export class Overlay<R extends AnyRow = AnyRow> extends StoreReader<R> {
  readonly #pending: PendingReader;
  readonly #target: OverlayTarget;

  constructor(base: EngineReader, schema: Schema<R>, target: OverlayTarget) {
    const pending = new PendingReader(base);
    super(pending, schema);
    this.#pending = pending;
    this.#target = target;
  }

  /** @throws EncodeError for a value with a missing, surplus or wrong field */
  put<K extends KeysOf<R>>(key: K, value: ValueFor<R, K>): void {
    const bytes = this.rowOf(key).value.encode(value);
    this.#pending.add([{ type: "put", column: key.COLUMN, key: key.bytes, value: bytes }]);
  }

  delete<K extends KeysOf<R>>(key: K): void {
    const { column } = this.rowOf(key);
    if (this.raw.columns.includes(column)) this.#pending.add([{ type: "delete", column, key: key.bytes }]);
  }

  /** Deletes every key of the range that is there now, in the base or in the overlay. */
  async deleteRange<C extends R["key"]>(of: Scannable<C>): Promise<void> {
    this.#pending.add(await deletionOf(this.#pending, of));
  }

  /** Writes all changes as one batch and empties the overlay. If it fails, nothing is written and nothing is lost. */
  async commit(): Promise<void> {
    await this.#target.write(this.#pending.operations());
    this.#pending.clear();
  }
}
