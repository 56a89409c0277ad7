/** The engine over an open native database, and its snapshots. */

import {
  checkOperation,
  checkRange,
  checkWrite,
  isEmptyRange,
  unknownColumn,
} from "../../engine/arguments.js";
import type {
  ByteRange,
  Capabilities,
  Engine,
  EngineSnapshot,
  Unflushed,
  WriteOperation,
  WriteOptions,
} from "../../engine/engine.js";
import { Lifecycle } from "../../engine/lifecycle.js";
import { MerostoreError } from "../../errors.js";
import type { NativeColumnFamily, NativeDatabase, NativeSession } from "./binding.js";
import { RocksReader } from "./rocks-reader.js";

/** An open database, ready to be used. */
export interface OpenDatabase {
  readonly native: NativeDatabase;
  readonly path: string;
  readonly columns: readonly string[];
  readonly writable: boolean;
  readonly reason: string | undefined;
  readonly warnings: readonly string[];
}

/** Stands for "no upper bound" where the native call needs one: no key that anybody writes is beyond it. */
const BEYOND_ALL = new Uint8Array(256).fill(0xff);
const FIRST_KEY = new Uint8Array(0);

export class RocksEngine extends RocksReader implements Engine {
  readonly capabilities: Capabilities;
  readonly warnings: readonly string[];
  readonly #native: NativeDatabase;
  /** A session whose family is set before each operation of a batch: so one batch spans column families. */
  readonly #writer: NativeSession;
  readonly #families: ReadonlyMap<string, NativeColumnFamily>;

  constructor({ native, path, columns, writable, reason, warnings }: OpenDatabase) {
    super({ session: native, columns, life: new Lifecycle("engine"), path, changes: writable });
    this.capabilities = {
      engine: "rocksdb",
      reason,
      writable,
      persistent: true,
      syncedWrites: false,
    };
    this.warnings = warnings;
    this.#native = native;
    this.#writer = native.session({});
    this.#families = new Map(columns.map((name) => [name, this.column(name)._columnFamily]));
  }

  /**
   * One write batch, one record of the write-ahead log. The native package cannot sync the log, whatever the options:
   * what was written survives the end of this process, but a power failure only after {@link flush}.
   */
  async write(operations: readonly WriteOperation[], options?: WriteOptions): Promise<void> {
    this.life.check();
    this.#checkWritable("write");
    checkWrite(operations, options);
    const batch: WriteOperation[] = [];
    for (const operation of operations) {
      checkOperation(operation);
      if (!this.#families.has(operation.column)) throw unknownColumn(operation.column, this.columns);
      // RocksDB writes an inverted range to its log first and refuses the batch afterwards: it must never see one.
      if (operation.type !== "deleteRange" || !isEmptyRange(operation)) batch.push(operation);
    }
    if (batch.length > 0) await this.life.run(() => this.work("writing", this.#put(batch)));
  }

  snapshot(): Promise<EngineSnapshot> {
    return this.life.run(async () => {
      const session = this.#native.session({ snapshot: true });
      return new RocksSnapshot(session, this.columns, this.path, this.life);
    });
  }

  async approximateSize(column: string, range?: ByteRange): Promise<number> {
    return this.#size(column, checkRange(range), true);
  }

  async flush(): Promise<void> {
    this.life.check();
    this.#checkWritable("flush");
    await this.life.run(async () => {
      for (const column of this.columns) await this.work(`flushing ${column}`, this.column(column).flush());
    });
  }

  async unflushed(column: string): Promise<Unflushed> {
    this.life.check();
    const session = this.column(column);
    const entries = await this.life.run(async () => {
      const properties = ["rocksdb.num-entries-active-mem-table", "rocksdb.num-entries-imm-mem-tables"];
      let sum = 0;
      for (const name of properties) {
        sum += Number(await this.work(`looking at ${column}`, session.getProperty(name)));
      }
      return sum;
    });
    return { entries, bytes: entries === 0 ? 0 : await this.#size(column, {}, false) };
  }

  close(): Promise<void> {
    return this.life.close(async () => {
      await this.closeSessions();
      await this.#writer.close();
      await this.#native.close();
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #checkWritable(what: string): void {
    if (this.capabilities.writable) return;
    throw new MerostoreError(
      "READ_ONLY",
      `cannot ${what}: ${this.path} was opened for reading; pass writable: true to open it for writing`,
    );
  }

  #put(operations: readonly WriteOperation[]): Promise<void> {
    const batch = this.#writer.write({ capacity: operations.length, autoDestroy: true });
    for (const operation of operations) {
      this.#writer._columnFamily = this.#families.get(operation.column) as object;
      if (operation.type === "put") batch.tryPut(operation.key, operation.value);
      else if (operation.type === "delete") batch.tryDelete(operation.key);
      else batch.tryDeleteRange(operation.from, operation.to);
    }
    return batch.flush();
  }

  async #size(column: string, range: ByteRange, includeFiles: boolean): Promise<number> {
    this.life.check();
    const session = this.column(column);
    if (isEmptyRange(range)) return 0;
    const { from = FIRST_KEY, to = BEYOND_ALL } = range;
    return this.life.run(() =>
      this.work(
        `measuring ${column}`,
        session.approximateSize(from, to, { includeMemtables: true, includeFiles }),
      ),
    );
  }
}

class RocksSnapshot extends RocksReader implements EngineSnapshot {
  readonly #owner: Lifecycle;

  constructor(session: NativeSession, columns: readonly string[], path: string, owner: Lifecycle) {
    super({ session, columns, life: new Lifecycle("snapshot"), path, changes: false });
    this.#owner = owner;
    owner.own(this);
  }

  close(): Promise<void> {
    return this.life.close(async () => {
      await this.closeSessions();
      await this.session.close();
      this.#owner.disown(this);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
