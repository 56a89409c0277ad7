/** Formatting of rows as lines of text: first in this thread, then, for many rows, in one thread for each processor. */

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { RawRow } from "../engine/engine.js";
import {
  type EntitiesByContext,
  type RowJsonOptions,
  type RowLines,
  revisions,
  rowsToLines,
  type Schema,
} from "../schemas/index.js";
import { packRows } from "./pack-rows.js";

/** Rows that are formatted in this thread before others are started, which takes a tenth of a second. */
const ROWS_HERE = 10_000;

/** Chunks queued for each thread, so that it never waits for the next one. */
const WAITING = 2;

/** Megabytes for short-lived objects in each thread, which bounds the memory of all threads. */
const YOUNG_MB = 4;

const WORKER = new URL("format-worker.js", import.meta.url);

/** Formats chunks of rows. The lines keep the order of the rows. */
export class Formatter implements AsyncDisposable {
  readonly #schema: Schema;
  readonly #options: RowJsonOptions;
  readonly #threads: Thread[] = [];
  readonly #most: number;
  #rows = 0;
  #next = 0;

  /** @param options only options that can be sent to another thread */
  constructor(schema: Schema, { revealSecrets, base58, privateEntities }: RowJsonOptions) {
    this.#schema = schema;
    this.#options = { revealSecrets, base58, privateEntities };
    // A mixed schema cannot be sent to another thread, and threads cannot run this file before it is compiled.
    const known = (revisions as readonly Schema[]).includes(schema) && import.meta.url.endsWith(".js");
    this.#most = known ? availableParallelism() : 0;
  }

  /** The number of chunks that may be in progress at once. */
  get ahead(): number {
    return Math.max(1, this.#threads.length * WAITING);
  }

  format(column: string, rows: readonly RawRow[]): Promise<RowLines> {
    this.#rows += rows.length;
    if (this.#threads.length === 0 && this.#most > 1 && this.#rows > ROWS_HERE) {
      for (let count = 0; count < this.#most; count++) {
        this.#threads.push(new Thread(this.#schema.name, this.#options));
      }
    }
    const thread = this.#threads[this.#next++ % this.#threads.length];
    if (thread !== undefined) return thread.format(column, rows);
    return Promise.resolve(rowsToLines(this.#schema, column, rows, this.#options));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }
}

/** The data that a thread starts with. */
export interface ThreadData {
  readonly revision: string;
  readonly options: RowJsonOptions;
  readonly privateEntities: EntitiesByContext | undefined;
}

class Thread {
  readonly #worker: Worker;
  readonly #asked: { resolve(lines: RowLines): void; reject(error: unknown): void }[] = [];

  constructor(revision: string, { privateEntities, ...options }: RowJsonOptions) {
    const data: ThreadData = { revision, options, privateEntities: privateEntities?.byContext };
    this.#worker = new Worker(WORKER, {
      workerData: data,
      execArgv: [], // some options of this process, such as --input-type, prevent threads from starting
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.on("message", (lines: RowLines) => this.#asked.shift()?.resolve(lines));
    this.#worker.on("error", (error) => {
      for (const { reject } of this.#asked.splice(0)) reject(error);
    });
  }

  format(column: string, rows: readonly RawRow[]): Promise<RowLines> {
    const packed = packRows(column, rows);
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      this.#worker.postMessage(packed, [packed.bytes.buffer, packed.lengths.buffer]);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
