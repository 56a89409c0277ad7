/** The engine over an open LevelDB database, and its snapshots. */

import { compareBytes } from "../../bytes/order.js";
import { SerialQueue } from "../../collections/serial-queue.js";
import { folderFiles } from "../../disk/folder.js";
import { checkOperation, checkRange, checkWrite, isEmptyRange } from "../../engine/arguments.js";
import { CHUNK_ROWS } from "../../engine/chunked-scan.js";
import type {
  ByteRange,
  Capabilities,
  Engine,
  EngineSnapshot,
  WriteOperation,
  WriteOptions,
} from "../../engine/engine.js";
import { Lifecycle } from "../../engine/lifecycle.js";
import { MerostoreError } from "../../errors.js";
import { sizeOf } from "../../lsm/catalog/catalog.js";
import type { LevelDatabase, LevelOperation, LevelSnapshot } from "./binding.js";
import { LevelReader } from "./level-reader.js";

/** An open database, ready to be used. */
export interface OpenLevel {
  readonly database: LevelDatabase;
  readonly path: string;
  readonly warnings: readonly string[];
  /** Called when the database is closed. */
  readonly release: () => void;
}

/** Stands for "no upper bound" where the native call needs one: no key that anybody writes is beyond it. */
const BEYOND_ALL = new Uint8Array(256).fill(0xff);
const FIRST_KEY = new Uint8Array(0);

export class LevelEngine extends LevelReader implements Engine {
  readonly capabilities: Capabilities = {
    engine: "leveldb",
    writable: true,
    persistent: true,
    syncedWrites: true,
  };
  readonly warnings: readonly string[];
  readonly #release: () => void;
  /** Everything that changes the database, in the order of the calls. */
  readonly #writes = new SerialQueue();

  constructor({ database, path, warnings, release }: OpenLevel) {
    super(database, {}, new Lifecycle("engine"), path);
    this.warnings = warnings;
    this.#release = release;
  }

  /**
   * One batch, one record of the write-ahead log. LevelDB deletes single keys only: a deleteRange is replaced by a delete of
   * each key that is in the range when the batch has its turn, and these are in memory at once. Nothing comes in between:
   * writes wait for each other.
   *
   * Without `sync` the batch survives the end of this process, however sudden. With it, it survives a power failure too,
   * with all batches that are in the same log before it. LevelDB begins a new log every 4 MiB and does not sync the old one:
   * batches written into that without `sync` are safe when LevelDB has put them into a table, which it begins at once and
   * `flush` waits for; before that, a power failure may lose them and keep later ones. The promise is as good as that of the
   * system: LevelDB calls `fdatasync`, which on macOS leaves data in the drive's cache, and the name of a new log is
   * durable with its contents where the file system sees to it (ext4, XFS, Btrfs and APFS do).
   */
  async write(operations: readonly WriteOperation[], options?: WriteOptions): Promise<void> {
    this.life.check();
    checkWrite(operations, options);
    for (const operation of operations) {
      checkOperation(operation);
      this.checkColumn(operation.column);
    }
    const sync = options?.sync === true;
    await this.work("writing", () =>
      this.#writes.run(async () => {
        const batch = await this.#expand(operations);
        if (batch.length > 0) await this.database.batch(batch, { sync });
      }),
    );
  }

  async snapshot(): Promise<EngineSnapshot> {
    this.life.check();
    return new LevelEngineSnapshot(this.database, this.database.snapshot(), this.life, this.path);
  }

  /** Table files only: what is in the write-ahead log counts as nothing. */
  async approximateSize(column: string, range?: ByteRange): Promise<number> {
    this.life.check();
    this.checkColumn(column);
    const checked = checkRange(range);
    if (isEmptyRange(checked)) return 0;
    const { from = FIRST_KEY, to = BEYOND_ALL } = checked;
    return this.work(`measuring ${column}`, () => this.database.approximateSize(from, to));
  }

  async flush(): Promise<void> {
    this.life.check();
    await this.work("flushing", () =>
      this.#writes.run(async () => {
        await this.database.compactRange(FIRST_KEY, FIRST_KEY);
        await this.#checkLogs();
      }),
    );
  }

  close(): Promise<void> {
    return this.life.close(async () => {
      await this.database.close();
      this.#release();
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The operations as LevelDB knows them. */
  async #expand(operations: readonly WriteOperation[]): Promise<LevelOperation[]> {
    let batch: LevelOperation[] = [];
    for (const operation of operations) {
      if (operation.type === "put") {
        batch.push({ type: "put", key: operation.key, value: operation.value });
      } else if (operation.type === "delete") {
        batch.push({ type: "del", key: operation.key });
      } else if (!isEmptyRange(operation)) {
        // What the batch itself did in the range until here counts no more.
        batch = batch.filter(({ key }) => !isWithin(key, operation));
        for (const key of await this.#keys(operation)) batch.push({ type: "del", key });
      }
    }
    return batch;
  }

  async #keys(range: ByteRange): Promise<Uint8Array[]> {
    const keys: Uint8Array[] = [];
    const iterator = this.iterate(range, false, true);
    try {
      for (
        let rows = await iterator.nextv(CHUNK_ROWS);
        rows.length > 0;
        rows = await iterator.nextv(CHUNK_ROWS)
      )
        for (const [key] of rows) keys.push(key);
    } finally {
      await iterator.close();
    }
    return keys;
  }

  /** Throws unless nothing is in a log any more: LevelDB does not tell when it could not make a table. */
  async #checkLogs(): Promise<void> {
    const files = folderFiles(this.path);
    const logs = (await files.list()).filter((name) => name.endsWith(".log"));
    for (const name of logs) {
      if ((await sizeOf(files, name)) !== 0)
        throw new MerostoreError("ENGINE_FAILED", `flushing failed: ${files.where(name)} is still needed`);
    }
    if (logs.length === 0)
      throw new MerostoreError("ENGINE_FAILED", `flushing failed: ${this.path} has no log any more`);
  }
}

class LevelEngineSnapshot extends LevelReader implements EngineSnapshot {
  readonly #snapshot: LevelSnapshot;
  readonly #owner: Lifecycle;

  constructor(database: LevelDatabase, snapshot: LevelSnapshot, owner: Lifecycle, path: string) {
    super(database, { snapshot }, new Lifecycle("snapshot"), path);
    this.#snapshot = snapshot;
    this.#owner = owner;
    owner.own(this);
  }

  close(): Promise<void> {
    return this.life.close(async () => {
      await this.#snapshot.close();
      this.#owner.disown(this);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function isWithin(
  key: Uint8Array,
  { from, to }: { readonly from: Uint8Array; readonly to: Uint8Array },
): boolean {
  return compareBytes(key, from) >= 0 && compareBytes(key, to) < 0;
}
