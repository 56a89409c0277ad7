/** The engine that writes a database without RocksDB. Batches go into its own write-ahead log. */

import { SerialQueue } from "../../../collections/serial-queue.js";
import { checkNewColumns } from "../../../engine/arguments.js";
import type { RawRow, WriteOperation } from "../../../engine/engine.js";
import { MerostoreError, type Warning } from "../../../errors.js";
import { encodeBatch } from "../../../lsm/format/encode-log.js";
import { EntryType } from "../../../lsm/format/internal-key.js";
import { readBatch } from "../../../lsm/format/write-batch.js";
import { familyOf, StateEngine } from "../files-engine.js";
import type { ColumnFamilyReader } from "../read/family.js";
import { MemtableBuilder } from "../read/memtable.js";
import type { State } from "../state.js";
import type { FlushChanges } from "./flush.js";
import type { WrittenFolder } from "./written-folder.js";

interface PendingBatch {
  readonly operations: readonly WriteOperation[];
  readonly sync: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

/** Batches that wait at the same time are written together, with one sync. */
export class WritingEngine extends StateEngine {
  readonly #folder: WrittenFolder;
  readonly #atOpening: readonly Warning[];
  #waiting: PendingBatch[] = [];
  readonly #tasks = new SerialQueue();
  /** The error that ended all writing. */
  #ended: unknown;

  /** @param atOpening the warnings about removed data when the database was opened */
  constructor(folder: WrittenFolder, state: State, atOpening: readonly Warning[]) {
    super(folder.files, state, () => folder.read(), true);
    this.#folder = folder;
    this.#atOpening = atOpening;
  }

  override get warnings(): readonly Warning[] {
    return [...this.#atOpening, ...super.warnings, ...this.#folder.warnings];
  }

  /** Nothing to do: no other process writes. */
  override async refresh(): Promise<void> {
    this.checkOpen();
  }

  /**
   * Writes one record of the log for each batch. Without `sync`, a batch survives the end of this process, but not a
   * power failure.
   */
  protected override apply(operations: readonly WriteOperation[], sync: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ operations, sync, resolve, reject });
      if (this.#waiting.length === 1) void this.#tasks.run(() => this.#writeWaiting());
    });
  }

  /** Writes the rows of logs into tables, after all earlier batches. */
  protected override persist(): Promise<void> {
    return this.#tasks.run(async () => {
      this.#check();
      const isFlushed = this.columns.every((column) => familyOf(this.state, column).changes === 0);
      if (!isFlushed || this.#folder.logBytes > 0) await this.#flush();
    });
  }

  /**
   * Writes rows into tables without a log: all of them, durable, or none. In key order they need one pass and almost no
   * memory. A row replaces an earlier row with the same key.
   */
  override load(column: string, rows: AsyncIterable<readonly RawRow[]>): Promise<number> {
    return this.perform(`loading ${column}`, () => {
      this.checkColumn(column);
      return this.#tasks.run(() => {
        this.#check();
        return this.#flush({ load: { column, rows } });
      });
    });
  }

  /** Adds column families without rows, in a new MANIFEST. */
  override addColumns(columns: readonly string[]): Promise<void> {
    return this.perform("adding column families", () => {
      const named = checkNewColumns(columns);
      return this.#tasks.run(async () => {
        this.#check();
        const newColumns = named.filter((column) => !this.columns.includes(column));
        if (newColumns.length > 0) await this.#flush({ newColumns });
      });
    });
  }

  async #flush(changes?: FlushChanges): Promise<number> {
    try {
      const { next, loaded } = await this.#folder.flush(this.state, changes);
      this.state.release();
      this.state = next;
      return loaded;
    } catch (error) {
      if (!(await this.#folder.isCurrent())) this.#ended = error;
      throw error;
    }
  }

  protected override async shut(): Promise<void> {
    try {
      await this.#tasks.idle();
      await super.shut();
    } finally {
      await this.#folder.close();
    }
  }

  async #writeWaiting(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const batches = waiting.filter((batch) => this.#isPossible(batch));
    if (batches.length === 0) return;
    try {
      await this.#write(batches);
      for (const batch of batches) batch.resolve();
    } catch (error) {
      for (const batch of batches) batch.reject(error);
    }
  }

  /** Rejects a batch into a column family that cannot be read, before the first byte is written. */
  #isPossible({ operations, reject }: PendingBatch): boolean {
    try {
      for (const { column } of operations) familyOf(this.state, column);
      return true;
    } catch (error) {
      reject(error);
      return false;
    }
  }

  /** Gives a failure of the file system an error code. */
  protected override failure(error: unknown, doing: string): unknown {
    if (!(error instanceof Error) || !("syscall" in error)) return error;
    return new MerostoreError(
      "ENGINE_FAILED",
      `${doing} ${this.#folder.files.name} failed: ${error.message}`,
      {
        cause: error,
      },
    );
  }

  async #write(batches: readonly PendingBatch[]): Promise<void> {
    const { ids } = this.#folder;
    let sequence = this.state.sequence + 1;
    const payloads = batches.map(({ operations }) => {
      const payload = encodeBatch(
        sequence,
        operations.map((operation) => changeOf(operation, ids)),
      );
      sequence += operations.length;
      return payload;
    });
    this.#check();
    if (this.#folder.needsFlush(payloads.reduce((sum, { length }) => sum + length, 0))) await this.#flush();
    const log = await this.#folder.log();
    await log.append(payloads);
    this.#check(); // a node that opened the database before the end of the batch has not read it
    try {
      await this.#show(payloads, sequence - 1);
    } catch (error) {
      this.#ended = error; // the log has the batches, so later ones must not reuse their sequence numbers
      throw error;
    }
    if (batches.some(({ sync }) => sync)) await log.sync();
  }

  /** Throws if another program has opened the database, or if an earlier error ended writing. */
  #check(): void {
    if (this.#ended !== undefined) throw this.#ended;
    try {
      this.#folder.checkAlone();
    } catch (error) {
      this.#ended = error;
      throw error;
    }
  }

  /** Makes the changes visible to later reads. */
  async #show(payloads: readonly Uint8Array[], sequence: number): Promise<void> {
    const builders = new Map<number, MemtableBuilder>();
    for (const payload of payloads)
      readBatch(payload, (column, ...change) => {
        const builder = builders.get(column) ?? new MemtableBuilder();
        builders.set(column, builder);
        builder.add(...change);
      });
    const changed = new Map<string, ColumnFamilyReader>();
    for (const [name, id] of this.#folder.ids) {
      const builder = builders.get(id);
      if (builder !== undefined)
        changed.set(name, await familyOf(this.state, name).with(await builder.build()));
    }
    this.state = this.state.after(changed, sequence);
  }
}

function changeOf(operation: WriteOperation, ids: ReadonlyMap<string, number>) {
  const column = ids.get(operation.column) as number;
  if (operation.type === "put")
    return { column, type: EntryType.Value, key: operation.key, value: operation.value };
  if (operation.type === "delete")
    return { column, type: EntryType.Deletion, key: operation.key, value: undefined };
  return { column, type: EntryType.RangeDeletion, key: operation.gte, value: operation.lt };
}
