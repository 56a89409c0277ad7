/** Computes hashes and verifies signatures on several threads, once there are enough of them. Needs Node. */

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { slices } from "../../collections/lists.js";
import { checkOptions, isWholeNumber } from "../../options.js";
import { type Signed, type Work, workHere } from "../work.js";
import { type Answer, packMessages, packSigned, type Task } from "./packing.js";

/** Options of `workerThreads`. */
export interface WorkerThreadsOptions {
  /** The greatest number of threads; the number of cores unless given. */
  readonly threads?: number | undefined;
  /**
   * The number of signatures that the calling thread verifies before it starts threads, because a few are faster
   * without them. 2,000 unless given.
   */
  readonly patience?: number | undefined;
}

/** The number of signatures or messages in a task. */
const PER_TASK = 256;

/** Hashing a shorter message here is faster than sending it to a thread. */
const LONG = 16 * 1024;

/**
 * Threads for `verifyStore`. Close them when the check is done. If no thread can start, or one fails, the calling
 * thread does the work.
 *
 * @example
 * await using work = workerThreads();
 * const summary = await verifyStore(store, { work }).summary();
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for an option that does not exist or has a wrong type
 */
export function workerThreads(options: WorkerThreadsOptions = {}): WorkerThreads {
  checkOptions("workerThreads", options, {
    threads: isWholeNumber(1),
    patience: isWholeNumber(0),
  });
  return new WorkerThreads(options);
}

/** Distributes the work to threads. */
class WorkerThreads implements Work, AsyncDisposable {
  readonly #most: number;
  #patience: number;
  #threads: Thread[] = [];
  #broken = false;

  constructor({ threads = availableParallelism(), patience = 2_000 }: WorkerThreadsOptions) {
    this.#most = threads;
    this.#patience = patience;
  }

  /** The number of running threads. */
  get running(): number {
    return this.#threads.length;
  }

  async verify(signed: readonly Signed[]): Promise<readonly boolean[]> {
    if (this.#patience > 0 || this.#broken) {
      this.#patience -= signed.length;
      return workHere.verify(signed);
    }
    const parts = [...slices(signed, PER_TASK)].map(async (slice) => {
      const output = await this.#ask("verify", packSigned(slice));
      return output === undefined ? workHere.verify(slice) : Array.from(output, (right) => right === 1);
    });
    return (await Promise.all(parts)).flat();
  }

  async sha256(messages: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    if (this.#broken || messages.every(({ length }) => length < LONG)) return workHere.sha256(messages);
    const parts = [...slices(messages, PER_TASK)].map(async (slice) => {
      const output = await this.#ask("sha256", packMessages(slice));
      return output === undefined
        ? workHere.sha256(slice)
        : slice.map((_, at) => output.subarray(32 * at, 32 * (at + 1)));
    });
    return (await Promise.all(parts)).flat();
  }

  /** Ends the threads. The calling thread does their unfinished work. */
  async close(): Promise<void> {
    const threads = this.#threads;
    this.#threads = [];
    this.#broken = true;
    await Promise.all(threads.map((thread) => thread.close()));
  }

  /** Ends the threads, as `close` does. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The answer of a thread; undefined if no thread can answer. */
  async #ask(kind: Task["kind"], input: Uint8Array<ArrayBuffer>): Promise<Uint8Array | undefined> {
    if (this.#broken) return undefined;
    if (this.#threads.length < this.#most && this.#threads.every(({ waiting }) => waiting > 0)) this.#start();
    const [first, ...others] = this.#threads;
    if (first === undefined) return undefined;
    return others.reduce((a, b) => (b.waiting < a.waiting ? b : a), first).ask(kind, input);
  }

  #start(): void {
    try {
      this.#threads.push(new Thread(() => void this.close()));
    } catch {
      this.#broken = true; // threads are not allowed here: the work is done without them
    }
  }
}

export type { WorkerThreads };

class Thread {
  readonly #worker: Worker;
  readonly #asked = new Map<number, (output: Uint8Array | undefined) => void>();
  #next = 0;

  /** @param failed called when the worker can no longer work */
  constructor(failed: () => void) {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), {
      execArgv: [], // no thread can start with some options of this process, such as --input-type
    });
    this.#worker.on("message", ({ id, output }: Answer) => this.#settle(id, output));
    for (const event of ["error", "exit"]) {
      this.#worker.on(event, () => {
        for (const id of [...this.#asked.keys()]) this.#settle(id, undefined);
        failed();
      });
    }
    this.#worker.unref();
  }

  /** The number of tasks without an answer yet. */
  get waiting(): number {
    return this.#asked.size;
  }

  ask(kind: Task["kind"], input: Uint8Array<ArrayBuffer>): Promise<Uint8Array | undefined> {
    const id = this.#next++;
    const answer = new Promise<Uint8Array | undefined>((resolve) => this.#asked.set(id, resolve));
    this.#worker.ref(); // keeps the process alive until the answer
    this.#worker.postMessage({ id, kind, input } satisfies Task, [input.buffer]);
    return answer;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(id: number, output: Uint8Array | undefined): void {
    this.#asked.get(id)?.(output);
    this.#asked.delete(id);
    if (this.#asked.size === 0) this.#worker.unref();
  }
}
