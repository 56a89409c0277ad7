/** The rows of one LevelDB iterator, chunk by chunk; while one chunk is used the next is being read. */

import { CHUNK_ROWS, type ChunkSource } from "../../engine/chunked-scan.js";
import type { RawRow } from "../../engine/engine.js";
import type { Closable, Lifecycle } from "../../engine/lifecycle.js";
import type { LevelIterator } from "./binding.js";
import { levelError } from "./classify.js";

/** A chunk has fewer rows when they are large: one read ends after so many bytes. */
export const CHUNK_BYTES = 1024 * 1024;

const NO_VALUE = new Uint8Array(0);

export interface LevelScanPlan {
  /** At least 1. */
  readonly limit: number;
  readonly keysOnly: boolean;
  /** What is read, for messages: `reading default`. */
  readonly doing: string;
  /** The database's folder, for messages. */
  readonly path: string;
}

export class LevelScan implements ChunkSource, Closable {
  readonly #iterator: LevelIterator;
  readonly #plan: LevelScanPlan;
  readonly #life: Lifecycle;
  #left: number;
  /** The chunk being read ahead; undefined when all rows were read. */
  #ahead: Promise<[Uint8Array, Uint8Array][]> | undefined;
  #closing: Promise<void> | undefined;

  /** Starts reading at once. The life that owns it must be open. */
  constructor(iterator: LevelIterator, plan: LevelScanPlan, life: Lifecycle) {
    this.#iterator = iterator;
    this.#plan = plan;
    this.#life = life;
    this.#left = plan.limit;
    this.#readAhead();
    life.own(this);
  }

  check(): void {
    this.#life.check();
  }

  async next(): Promise<readonly RawRow[] | undefined> {
    this.check();
    if (this.#ahead === undefined) return undefined;
    let entries: [Uint8Array, Uint8Array][];
    try {
      entries = await this.#ahead;
    } catch (error) {
      this.#ahead = undefined;
      throw levelError(error, this.#plan.doing, this.#plan.path);
    }
    this.check();
    this.#left -= entries.length;
    this.#ahead = undefined;
    if (entries.length === 0) return undefined;
    if (this.#left > 0) this.#readAhead();
    const { keysOnly } = this.#plan;
    return entries.map(([key, value]) => ({ key: plain(key), value: keysOnly ? NO_VALUE : plain(value) }));
  }

  close(): Promise<void> {
    this.#closing ??= this.#iterator.close().finally(() => this.#life.disown(this));
    return this.#closing;
  }

  #readAhead(): void {
    this.#ahead = this.#iterator.nextv(Math.min(CHUNK_ROWS, this.#left));
    this.#ahead.catch(() => undefined); // whoever asks for the chunk gets the error; nobody may ask
  }
}

/** The bytes as a plain Uint8Array: the package gives a Buffer, whose methods differ. */
export function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
