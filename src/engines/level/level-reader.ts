/** Reading a LevelDB database at present or at a snapshot: shared by the engine and its snapshots. */

import { checkBytes, checkKeys, checkScan, unknownColumn } from "../../engine/arguments.js";
import { ChunkedScan } from "../../engine/chunked-scan.js";
import type { ByteRange, EngineReader, RawScan, ScanOptions } from "../../engine/engine.js";
import type { Lifecycle } from "../../engine/lifecycle.js";
import type { LevelDatabase, LevelIterator, LevelMoment } from "./binding.js";
import { levelError } from "./classify.js";
import { CHUNK_BYTES, LevelScan, plain } from "./level-scan.js";

/** LevelDB has no column families: all rows are in this one. */
export const COLUMN = "default";

export abstract class LevelReader implements EngineReader {
  readonly columns: readonly string[] = [COLUMN];
  protected readonly database: LevelDatabase;
  protected readonly life: Lifecycle;
  protected readonly path: string;
  readonly #moment: LevelMoment;

  /** @param path the database's folder, for messages */
  constructor(database: LevelDatabase, moment: LevelMoment, life: Lifecycle, path: string) {
    this.database = database;
    this.#moment = moment;
    this.life = life;
    this.path = path;
  }

  async get(column: string, key: Uint8Array): Promise<Uint8Array | undefined> {
    this.life.check();
    this.checkColumn(column);
    checkBytes(key, "the key of a get from", column);
    const value = await this.work(`reading ${column}`, () => this.database.get(key, this.#moment));
    return value && plain(value);
  }

  async getMany(column: string, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    this.life.check();
    this.checkColumn(column);
    checkKeys(keys, column);
    const values = await this.work(`reading ${column}`, () => this.database.getMany([...keys], this.#moment));
    return values.map((value) => value && plain(value));
  }

  scan(column: string, range?: ByteRange, options?: ScanOptions): RawScan {
    this.life.check();
    this.checkColumn(column);
    const { isEmpty, reverse, limit, keysOnly, ...bounds } = checkScan(range, options);
    return new ChunkedScan(() => {
      this.life.check();
      const iterator = isEmpty ? NO_ROWS : this.iterate(bounds, reverse, keysOnly);
      const plan = { limit, keysOnly, doing: `reading ${column}`, path: this.path };
      return new LevelScan(iterator, plan, this.life);
    });
  }

  /** The rows of a range that is not empty. */
  protected iterate({ from, to }: ByteRange, reverse: boolean, keysOnly: boolean): LevelIterator {
    return this.database.iterator({
      ...this.#moment,
      ...(from === undefined ? {} : { gte: from }),
      ...(to === undefined ? {} : { lt: to }),
      reverse,
      values: !keysOnly,
      highWaterMarkBytes: CHUNK_BYTES,
    });
  }

  /** Throws UNKNOWN_COLUMN_FAMILY. */
  protected checkColumn(name: string): void {
    if (name !== COLUMN) throw unknownColumn(name, this.columns);
  }

  /** Native work that closing waits for, its error with a code. */
  protected work<T>(doing: string, work: () => Promise<T>): Promise<T> {
    return this.life.run(async () => {
      try {
        return await work();
      } catch (error) {
        throw levelError(error, doing, this.path);
      }
    });
  }
}

/** Stands for an iterator over nothing: LevelDB is not asked. */
const NO_ROWS: LevelIterator = {
  nextv: async () => [],
  close: async () => undefined,
};
