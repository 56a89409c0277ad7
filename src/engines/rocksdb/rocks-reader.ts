/** Reading a RocksDB database through a session: shared by the engine and its snapshots. */

import { checkBytes, checkKeys, checkScan, unknownColumn } from "../../engine/arguments.js";
import { ChunkedScan, type ChunkSource } from "../../engine/chunked-scan.js";
import type { ByteRange, EngineReader, RawScan, ScanOptions } from "../../engine/engine.js";
import type { Lifecycle } from "../../engine/lifecycle.js";
import type { NativeSession } from "./binding.js";
import { engineError } from "./classify.js";
import { readMany, readOne } from "./native-read.js";
import { NativeScan } from "./native-scan.js";

export interface ReaderParts {
  /** The database, or a session of it that has a snapshot. */
  readonly session: NativeSession;
  readonly columns: readonly string[];
  readonly life: Lifecycle;
  /** The database's folder, for messages. */
  readonly path: string;
  /** Whether a scan needs a snapshot of its own, because rows may change while it goes on. */
  readonly changes: boolean;
}

export abstract class RocksReader implements EngineReader {
  readonly columns: readonly string[];
  protected readonly life: Lifecycle;
  protected readonly session: NativeSession;
  protected readonly path: string;
  readonly #changes: boolean;
  readonly #sessions = new Map<string, NativeSession>();

  constructor({ session, columns, life, path, changes }: ReaderParts) {
    this.session = session;
    this.columns = columns;
    this.life = life;
    this.path = path;
    this.#changes = changes;
  }

  async get(column: string, key: Uint8Array): Promise<Uint8Array | undefined> {
    this.life.check();
    const session = this.column(column);
    checkBytes(key, "the key of a get from", column);
    return this.life.run(() => this.work(`reading ${column}`, readOne(session, key)));
  }

  async getMany(column: string, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    this.life.check();
    const session = this.column(column);
    checkKeys(keys, column);
    if (keys.length === 0) return [];
    return this.life.run(() => this.work(`reading ${column}`, readMany(session, keys)));
  }

  scan(column: string, range?: ByteRange, options?: ScanOptions): RawScan {
    this.life.check();
    this.column(column);
    const { isEmpty, ...plan } = checkScan(range, options);
    const { path, life } = this;
    if (isEmpty) return new ChunkedScan(() => new NoRows(life));
    return new ChunkedScan(() => {
      life.check();
      if (!this.#changes)
        return new NativeScan(this.column(column), { ...plan, column, path }, life, nothing);
      const frozen = this.session.session({ columnFamily: column, snapshot: true });
      return new NativeScan(frozen, { ...plan, column, path }, life, () => frozen.close());
    });
  }

  /** The session of a column family. Throws UNKNOWN_COLUMN_FAMILY. */
  protected column(name: string): NativeSession {
    const known = this.#sessions.get(name);
    if (known !== undefined) return known;
    if (!this.columns.includes(name)) throw unknownColumn(name, this.columns);
    const session = this.session.session({ columnFamily: name });
    this.#sessions.set(name, session);
    return session;
  }

  /** Gives the sessions of all column families back. */
  protected async closeSessions(): Promise<void> {
    for (const session of this.#sessions.values()) await session.close();
    this.#sessions.clear();
  }

  /** Native work, its error with a code. */
  protected async work<T>(doing: string, running: Promise<T>): Promise<T> {
    try {
      return await running;
    } catch (error) {
      throw engineError(error, doing, this.path);
    }
  }
}

/** A scan that never touches the database: the native iterator takes a limit of 0 and empty bounds for unbounded. */
class NoRows implements ChunkSource {
  readonly #life: Lifecycle;

  constructor(life: Lifecycle) {
    this.#life = life;
  }

  check(): void {
    this.#life.check();
  }

  async next(): Promise<undefined> {
    this.check();
  }

  async close(): Promise<void> {}
}

async function nothing(): Promise<void> {}
