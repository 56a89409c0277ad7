import type { EngineReader, WriteOperation, WriteOptions } from "../engine/engine.js";
import { invalidArgument } from "../errors.js";
import type { KeyRange } from "../keys/index.js";
import { checkOptions, isFlag, type OptionChecks } from "../options.js";
import type { AnyRow, ClassesOf, KeysOf, Schema, ValueFor } from "../schemas/index.js";
import { copyRange } from "./bounds.js";
import type { PendingChange } from "./column-changes.js";

/** Options for writing. */
export interface SyncOptions extends Pick<WriteOptions, "sync"> {
  /**
   * Wait until the change and all earlier changes would survive a power failure. It has an effect only if
   * `capabilities.syncedWrites` is true. The default is the option `sync` of the store. If the sync fails with
   * ENGINE_FAILED, the change is written, but may not be on disk.
   */
  readonly sync?: boolean | undefined;
}

const syncOptions: OptionChecks<SyncOptions> = { sync: isFlag };

/** Returns whether to sync. @throws MerostoreError `INVALID_ARGUMENT` */
export function syncOf(caller: string, options: SyncOptions | undefined): boolean | undefined {
  checkOptions(caller, options, syncOptions);
  return options?.sync;
}

/** The part of a store that a batch uses. */
export interface BatchTarget<S extends Schema> {
  readonly raw: EngineReader;
  encode<K extends KeysOf<S>>(key: K, value: ValueFor<S, K>): WriteOperation;
  rowOf(key: KeysOf<S>): AnyRow;
  readonly write: (changes: readonly PendingChange[], sync: boolean | undefined) => Promise<void>;
}

/**
 * Changes that are written atomically, across column families, in the order in which they were added. Values are
 * checked and encoded when they are added.
 *
 * @example
 * await store.batch().put(new GroupContextIndex({ groupId, contextId }), null)
 *   .put(new ContextGroupRef({ contextId }), groupId)
 *   .write();
 */
export class Batch<S extends Schema = Schema> {
  readonly #target: BatchTarget<S>;
  readonly #changes: PendingChange[] = [];
  #written = false;

  /** @internal */
  constructor(target: BatchTarget<S>) {
    this.#target = target;
  }

  /** The number of changes added so far. */
  get length(): number {
    return this.#changes.length;
  }

  /**
   * @throws EncodeError for a value with a missing, surplus or wrong field; `INVALID_KEY` for a key that the node does
   *   not read, although its layout is right; `UNKNOWN_COLUMN_FAMILY` for a key in a column family that the database
   *   lacks
   */
  put<K extends KeysOf<S>>(key: K, value: ValueFor<S, K>): this {
    this.#checkOpen();
    this.#changes.push(this.#target.encode(key, value));
    return this;
  }

  /** Deletes a key. An absent row is not an error. */
  delete<K extends KeysOf<S>>(key: K): this {
    this.#checkOpen();
    const { column } = this.#target.rowOf(key);
    if (this.#target.raw.columns.includes(column))
      this.#changes.push({ type: "delete", column, key: key.bytes });
    return this;
  }

  /**
   * Deletes every key that is in the range at the time of the write. The range is a range of bytes, so unknown keys
   * between keys of the class are deleted too.
   */
  deleteRange<C extends ClassesOf<S>>(range: KeyRange<C>): this {
    this.#checkOpen();
    const { column, gte: from, lt: to } = copyRange(range);
    if (this.#target.raw.columns.includes(column))
      this.#changes.push({ type: "deleteRange", column, gte: from, lt: to });
    return this;
  }

  /**
   * Writes the changes. A batch can be written once. If writing fails, nothing was written, and `write` may be called
   * again. If only the sync fails, the error says so, and the changes are written.
   */
  async write(options?: SyncOptions): Promise<void> {
    this.#checkOpen();
    const sync = syncOf("write", options);
    this.#written = true;
    try {
      await this.#target.write(this.#changes, sync);
    } catch (error) {
      this.#written = false;
      throw error;
    }
  }

  #checkOpen(): void {
    if (!this.#written) return;
    throw invalidArgument("this batch was already written: create another one");
  }
}
