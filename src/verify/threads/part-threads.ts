/** Parts of a check on threads, each of which opens the database for itself. */
import { Worker } from "node:worker_threads";
import { MerostoreError } from "../../errors.js";
import type { Step } from "../column-scan.js";
import type { BegunParts, Part, PartCheck, PartResult } from "../part.js";
import { ruleOf } from "../rules/index.js";
import type { News, Opening, Order, SentError } from "./part-messages.js";

/**
 * Opens the database in threads, and lets them check parts, in their order.
 *
 * @param sequence that of the last write which the check sees
 * @returns undefined if a thread cannot open the database, or sees another state of it
 */
export async function beginParts(
  opening: Opening,
  threads: number,
  sequence: number,
  check: PartCheck,
  parts: readonly Part[],
): Promise<BegunParts | undefined> {
  const begun = new PartThreads(opening, Math.min(threads, parts.length), check, parts);
  if (await begun.sees(sequence)) return begun;
  await begun[Symbol.asyncDispose]();
  return undefined;
}

/** Threads that take parts one after another. */
class PartThreads implements BegunParts {
  readonly #threads: readonly Thread[];
  readonly #check: PartCheck;
  readonly #waiting: PartNews[];
  readonly #news: ReadonlyMap<string | undefined, PartNews>;

  constructor(opening: Opening, threads: number, check: PartCheck, parts: readonly Part[]) {
    this.#check = check;
    this.#waiting = parts.map(({ column }) => new PartNews(column));
    this.#news = new Map(this.#waiting.map((news) => [news.column, news]));
    this.#threads = Array.from({ length: threads }, () => new Thread(opening));
  }

  /** Waits for all threads to open the database, and begins if all of them see the same state. */
  async sees(sequence: number): Promise<boolean> {
    const seen = await Promise.all(this.#threads.map(({ sequence }) => sequence));
    if (seen.some((one) => one !== sequence)) return false;
    for (const thread of this.#threads) this.#checkNext(thread);
    return true;
  }

  steps({ column }: Part): AsyncGenerator<Step, PartResult, undefined> | undefined {
    return this.#news.get(column)?.steps();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #checkNext(thread: Thread): void {
    const news = this.#waiting.shift();
    if (news === undefined) return;
    const { rules, scope } = this.#check;
    news.from((order) => thread.tell(order));
    thread.onNews = (one) => {
      news.add(one);
      if (one.kind === "end") this.#checkNext(thread);
    };
    thread.tell({ kind: "check", column: news.column, rules: rules.map(({ name }) => name), scope });
  }
}

class Thread {
  /** The sequence number of the last write that it sees; undefined if it cannot open the database. */
  readonly sequence: Promise<number | undefined>;
  onNews: (news: News) => void;
  readonly #worker: Worker;

  constructor(opening: Opening) {
    // Some options of this process, --input-type for one, let no thread start.
    this.#worker = new Worker(new URL("./part-worker.js", import.meta.url), {
      ...{ workerData: opening, execArgv: [] },
    });
    let opened: (sequence: number | undefined) => void;
    this.sequence = new Promise((resolve) => {
      opened = resolve;
    });
    this.onNews = (news) => opened(news.kind === "open" ? news.sequence : undefined);
    this.#worker.on("message", (news: News) => this.onNews(news));
    for (const event of ["error", "exit"]) {
      this.#worker.on(event, (reason: unknown) => {
        const message = reason instanceof Error ? reason.message : "a thread ended";
        this.onNews({ kind: "failed", error: { message } });
      });
    }
  }

  tell(order: Order): void {
    this.#worker.postMessage(order);
  }

  async close(): Promise<void> {
    this.onNews = () => undefined;
    await this.#worker.terminate();
  }
}

/** The messages of a thread about one part, until they are read. */
class PartNews {
  readonly column: string | undefined;
  readonly #unread: News[] = [];
  #wake: (() => void) | undefined;
  #tell: ((order: Order) => void) | undefined;

  constructor(column: string | undefined) {
    this.column = column;
  }

  /** @param tell sends to the thread that checks the part */
  from(tell: (order: Order) => void): void {
    this.#tell = tell;
  }

  add(news: News): void {
    this.#unread.push(news);
    this.#wake?.();
  }

  async *steps(): AsyncGenerator<Step, PartResult, undefined> {
    for (;;) {
      const news = this.#unread.shift();
      if (news === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else if (news.kind === "step") {
        const breaks = news.breaks.map((one) => ({ ...one, rule: ruleOf(one.rule) }));
        yield { breaks, rows: news.rows };
        if (breaks.length > 0) this.#tell?.({ kind: "read", breaks: breaks.length });
      } else if (news.kind === "end") {
        const checked = new Map(news.checked.map(([rule, count]) => [ruleOf(rule), count]));
        return { summary: news.summary, checked };
      } else if (news.kind === "failed") {
        throw errorOf(news.error);
      }
    }
  }
}

function errorOf({ code = "ENGINE_FAILED", message }: SentError): MerostoreError {
  return new MerostoreError(code, message);
}
