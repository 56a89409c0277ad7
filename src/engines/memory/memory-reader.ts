/** Reading one state of the memory engine: shared by the engine and its snapshots. */

import { copyBytes } from "../../bytes/bytes.js";
import { checkBytes, checkKeys, checkScan, unknownColumn } from "../../engine/arguments.js";
import { CHUNK_ROWS, ChunkedScan, type ChunkSource } from "../../engine/chunked-scan.js";
import type { ByteRange, EngineReader, RawRow, RawScan, ScanOptions } from "../../engine/engine.js";
import type { Lifecycle } from "../../engine/lifecycle.js";
import type { SortedTable } from "./sorted-table.js";

/** All column families at one moment. */
export type MemoryState = ReadonlyMap<string, SortedTable>;

const NO_VALUE = new Uint8Array(0);

/** Rows are copied on their way out, so that changing them changes nothing in the store, as with RocksDB. */
export abstract class MemoryReader implements EngineReader {
  readonly columns: readonly string[];
  protected readonly life: Lifecycle;

  constructor(columns: readonly string[], life: Lifecycle) {
    this.columns = columns;
    this.life = life;
  }

  /** The state that a read beginning now sees. */
  protected abstract state(): MemoryState;

  async get(column: string, key: Uint8Array): Promise<Uint8Array | undefined> {
    this.life.check();
    const table = this.#table(column);
    checkBytes(key, "the key of a get from", column);
    return copied(table.get(key));
  }

  async getMany(column: string, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    this.life.check();
    const table = this.#table(column);
    checkKeys(keys, column);
    return keys.map((key) => copied(table.get(key)));
  }

  scan(column: string, range?: ByteRange, options?: ScanOptions): RawScan {
    this.life.check();
    this.#table(column);
    const { from, to, reverse, limit, keysOnly, isEmpty } = checkScan(range, options);
    return new ChunkedScan(() => {
      this.life.check();
      if (isEmpty) return new MemoryChunks([].values(), 0, keysOnly, this.life);
      const rows = this.#table(column).rows(from, to, reverse);
      return new MemoryChunks(rows, limit, keysOnly, this.life);
    });
  }

  #table(column: string): SortedTable {
    const table = this.state().get(column);
    if (table === undefined) throw unknownColumn(column, this.columns);
    return table;
  }
}

function copied(value: Uint8Array | undefined): Uint8Array | undefined {
  return value && copyBytes(value);
}

class MemoryChunks implements ChunkSource {
  readonly #rows: Iterator<RawRow>;
  readonly #keysOnly: boolean;
  readonly #life: Lifecycle;
  #left: number;

  constructor(rows: Iterator<RawRow>, limit: number, keysOnly: boolean, life: Lifecycle) {
    this.#rows = rows;
    this.#left = limit;
    this.#keysOnly = keysOnly;
    this.#life = life;
  }

  check(): void {
    this.#life.check();
  }

  async next(): Promise<readonly RawRow[] | undefined> {
    await Promise.resolve();
    this.check();
    const chunk: RawRow[] = [];
    while (chunk.length < CHUNK_ROWS && chunk.length < this.#left) {
      const next = this.#rows.next();
      if (next.done === true) break;
      const { key, value } = next.value;
      chunk.push({ key: copyBytes(key), value: this.#keysOnly ? NO_VALUE : copyBytes(value) });
    }
    this.#left -= chunk.length;
    return chunk.length === 0 ? undefined : chunk;
  }

  async close(): Promise<void> {}
}
