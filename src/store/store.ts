import type { Engine } from "../engine/engine.js";
import { MerostoreError } from "../errors.js";
import type { ClassesOf, Detection, KeysOf, Schema, ValueFor } from "../schemas/index.js";
import { Batch } from "./batch.js";
import { Overlay } from "./overlay.js";
import { type Scannable, StoreReader } from "./reader.js";
import { Snapshot } from "./snapshot.js";

/**
 * A node's database with typed rows. Values are checked and encoded before they reach the engine; a failed write
 * leaves the old state. Written rows survive a crash of the process at once, and one of the machine after `flush`.
 */
export class Store<S extends Schema = Schema> extends StoreReader<S> implements AsyncDisposable {
  /** The engine under this store. */
  declare readonly raw: Engine;
  /** How the revision was found; undefined where it was named. */
  readonly detection: Detection | undefined;
  #closed = false;

  constructor(engine: Engine, schema: S, detection?: Detection) {
    super(engine, schema);
    this.detection = detection;
  }

  /** What was noticed at opening and did not prevent it, for example a write-ahead log that ends in damage. */
  get warnings(): readonly string[] {
    return this.raw.warnings;
  }

  /** Writes one row. @throws EncodeError for a value with a missing, surplus or wrong field */
  async put<K extends KeysOf<S>>(key: K, value: ValueFor<S, K>): Promise<void> {
    await this.batch().put(key, value).write();
  }

  /** Deletes one row; it is no error if there is none. */
  async delete<K extends KeysOf<S>>(key: K): Promise<void> {
    await this.batch().delete(key).write();
  }

  /** Deletes every key of a range. @see Batch.deleteRange */
  async deleteRange<C extends ClassesOf<S>>(of: Scannable<C>): Promise<void> {
    await this.batch().deleteRange(of).write();
  }

  /** Starts a batch: changes that are made together. */
  batch(): Batch<S> {
    return new Batch<S>({
      raw: this.raw,
      rowOf: (key) => this.rowOf(key),
      encode: (key, value) => ({
        type: "put",
        column: key.COLUMN,
        key: key.bytes,
        value: this.rowOf(key).value.encode(value),
      }),
      write: (operations) => this.raw.write(operations, { owned: true }),
    });
  }

  /** A consistent view over all column families as they are now. */
  async snapshot(): Promise<Snapshot<S>> {
    return new Snapshot(await this.raw.snapshot(), this.schema, this.raw);
  }

  /** Uncommitted changes over this store. */
  overlay(): Overlay<S> {
    return new Overlay(this.raw, this.schema, this.raw);
  }

  /**
   * Shows what was written elsewhere since the opening, by a running node for example. Scans and snapshots that were
   * begun stay with the state they have.
   *
   * @throws MerostoreError `INVALID_ARGUMENT` for an engine that cannot: `rocksdb`, opened for reading
   */
  async refresh(): Promise<void> {
    const { engine, writable } = this.raw.capabilities;
    if (this.raw.refresh !== undefined) await this.raw.refresh();
    else if (!writable) {
      throw new MerostoreError(
        "INVALID_ARGUMENT",
        `the engine ${engine} shows what there was at the opening: close the database and open it again`,
      );
    }
  }

  /** Makes what was written so far durable. */
  async flush(): Promise<void> {
    await this.raw.flush();
  }

  /** Waits for work under way and closes the engine. Everything after it throws `CLOSED`. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.raw.close();
  }

  protected override summary(): object {
    const { engine, writable } = this.raw.capabilities;
    return { ...super.summary(), engine, writable, warnings: this.warnings };
  }

  protected override checkOpen(): void {
    if (this.#closed) throw new MerostoreError("CLOSED", "the store is closed");
  }

  /** Closes the store. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
