/** Hashes and signatures on several threads, once there are enough of them; needs Node. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { realPath } from "../../disk/outside.js";
import { EncryptedEngine } from "../../encryption/index.js";
import type { Engine } from "../../engine/engine.js";
import { isHttpUrl } from "../../lsm/http/index.js";
import { checkOptions, isText, isWholeNumber } from "../../options.js";
import { revisions } from "../../schemas/index.js";
import { slices } from "../batches.js";
import { type BegunParts, type Part, type PartCheck, readsBlobs } from "../part.js";
import { allRules } from "../rules/index.js";
import { type Signed, type Work, workHere } from "../work.js";
import { type Answer, packMessages, packSigned, type Task } from "./packing.js";
import { beginParts } from "./part-threads.js";

/** Options of `workerThreads`. */
export interface WorkerThreadsOptions {
  /** The greatest number of threads; as many as there are cores unless given. */
  readonly threads?: number | undefined;
  /** The number of signatures that are verified before a thread is started, because few are done sooner. 2,000 unless given. */
  readonly patience?: number | undefined;
  /**
   * The folder of the database: its column families are checked by threads too, each of which opens it. For large databases
   * without a master key, which `openStore` opened with the engine `files`; others are checked by this thread. Each thread takes
   * the memory of an open database.
   */
  readonly folder?: string | undefined;
  /** The option `cacheBytes` of `openStore`, for the threads that open the folder. */
  readonly cacheBytes?: number | undefined;
}

/** Signatures or messages in one task. */
const PER_TASK = 256;

/** Threads that check column families, at most: those with most rows of a node are four. */
const MOST_FOR_PARTS = 4;

/** Shorter messages are hashed sooner than they are sent. */
const LONG = 16 * 1024;

/**
 * Threads for `verifyStore`. To be closed when the check is done. Where no thread can be started, and when one
 * fails, the work is done here.
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
    folder: isText,
    cacheBytes: isWholeNumber(0),
  });
  return new WorkerThreads(options);
}

/** Work that threads do. */
class WorkerThreads implements Work, AsyncDisposable {
  readonly #most: number;
  readonly #database: Pick<WorkerThreadsOptions, "folder" | "cacheBytes">;
  #patience: number;
  #threads: Thread[] = [];
  #broken = false;

  constructor({
    threads = availableParallelism(),
    patience = 2_000,
    folder,
    cacheBytes,
  }: WorkerThreadsOptions) {
    this.#most = threads;
    this.#patience = patience;
    this.#database = { folder: folder && (isHttpUrl(folder) ? folder : realPath(folder)), cacheBytes };
  }

  /** Threads that are running. */
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

  /**
   * Begins a check of column families in threads, if the folder was given and they can read it as this thread does.
   *
   * @internal
   */
  async beginParts(
    engine: Engine,
    check: PartCheck,
    parts: readonly Part[],
  ): Promise<BegunParts | undefined> {
    const { folder, cacheBytes } = this.#database;
    const { capabilities, sequence } = engine;
    if (folder === undefined || capabilities.engine !== "files" || sequence === undefined) return undefined;
    if (engine instanceof EncryptedEngine || !isKnown(check)) return undefined;
    const apart = parts.filter((part) => !readsBlobs(check, part));
    const threads = Math.min(this.#most, MOST_FOR_PARTS);
    const opening = { folder, revision: check.schema.name, cacheBytes, threads: this.#most - threads };
    return beginParts(opening, threads, sequence, check, apart);
  }

  /** Ends the threads. Work that is under way is done here. */
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

  /** The answer of a thread; undefined where none can. */
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
      this.#broken = true; // not allowed here: then it goes without
    }
  }
}

export type { WorkerThreads };

/** Returns whether a thread finds the same schema and the same rules by their names. */
function isKnown({ schema, rules }: PartCheck): boolean {
  return revisions.some((one) => one === schema) && rules.every((rule) => allRules.includes(rule));
}

class Thread {
  readonly #worker: Worker;
  readonly #asked = new Map<number, (output: Uint8Array | undefined) => void>();
  #next = 0;

  /** @param failed called when the worker can no longer work */
  constructor(failed: () => void) {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), {
      execArgv: [], // some of this process's own, --input-type for one, let no thread start
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

  /** Tasks that were sent and not answered. */
  get waiting(): number {
    return this.#asked.size;
  }

  ask(kind: Task["kind"], input: Uint8Array<ArrayBuffer>): Promise<Uint8Array | undefined> {
    const id = this.#next++;
    const answer = new Promise<Uint8Array | undefined>((resolve) => this.#asked.set(id, resolve));
    this.#worker.ref(); // an answer is waited for
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
