/** The page's end of the worker. */
import { proxy, type Remote, wrap } from "comlink";
import type { OpenedDatabase } from "../worker/database.js";
import type { DatabaseSource } from "../worker/sources.js";
import type {
  Answer,
  AnswerOfBoth,
  ExplorerWorker,
  Failure,
  Outcome,
  QuestionName,
  QuestionOfBoth,
  Side,
  Wanted,
  WantedOfBoth,
} from "../worker/worker.js";

export type { ChecksReport, RuleFindings, RuleInWords, ShownFinding } from "../worker/checks.js";
export type { Compared, ComparisonReport } from "../worker/compare.js";
export type { OpenedDatabase } from "../worker/database.js";
export type { RowCounts } from "../worker/row-counts.js";
export type { DatabaseSource, FolderFile } from "../worker/sources.js";
export type {
  Answer,
  AnswerOfBoth,
  QuestionName,
  QuestionOfBoth,
  Side,
  Wanted,
  WantedOfBoth,
} from "../worker/worker.js";

/** A question without answer: `message` is a sentence for people. */
export class AnswerError extends Error {
  /** The error code of the library; undefined for a fault of the explorer's own. */
  readonly code: string | undefined;

  constructor({ code, message }: Failure) {
    super(message);
    this.name = "AnswerError";
    this.code = code;
  }
}

/** The worker's program: a file beside the page, or, in a page that was saved as one file, a script in it. */
function programUrl(): string {
  const saved = document.getElementById("worker-program")?.textContent;
  if (saved === undefined) return new URL("worker.js", document.baseURI).href;
  return URL.createObjectURL(new Blob([saved], { type: "text/javascript" }));
}

let remote: Remote<ExplorerWorker> | undefined;

function worker(): Remote<ExplorerWorker> {
  remote ??= wrap<ExplorerWorker>(startWorker());
  return remote;
}

function startWorker(): Worker {
  return new Worker(programUrl());
}

function answerOf<T>(outcome: Outcome<T>): T {
  if ("failure" in outcome) throw new AnswerError(outcome.failure);
  return outcome.answer;
}

/** The databases that `merostore explore` serves with the page. @throws AnswerError */
export async function servedSources(token: string): Promise<readonly DatabaseSource[]> {
  return answerOf(await worker().served(token));
}

/** Where the open databases are, for workers of their own. */
const sources = new Map<Side, DatabaseSource>();

/** Opens a database. @throws AnswerError */
export async function openDatabase(side: Side, source: DatabaseSource): Promise<OpenedDatabase> {
  const opened = answerOf(await worker().open(side, source));
  sources.set(side, source);
  return opened;
}

/** Shows what was written to a database since. @throws AnswerError */
export async function refreshDatabase(side: Side): Promise<void> {
  answerOf(await worker().refresh(side));
}

/** Closes a database. */
export async function closeDatabase(side: Side): Promise<void> {
  answerOf(await worker().close(side));
}

/**
 * Asks a question of a database. Functions among what is wanted are called with parts of the answer as they are found; one
 * that returns false ends the work.
 *
 * @throws AnswerError
 */
export function ask<Q extends QuestionName>(
  side: Side,
  question: Q,
  ...wanted: Wanted<Q>
): Promise<Answer<Q>> {
  return askOf(worker(), side, question, wanted);
}

/** Asks a question of both databases, as {@link ask}. @throws AnswerError */
export function askBoth<Q extends QuestionOfBoth>(
  question: Q,
  ...wanted: WantedOfBoth<Q>
): Promise<AnswerOfBoth<Q>> {
  return askOfBoth(worker(), question, wanted);
}

/**
 * Asks a question in a separate worker, which opens the database again. Long work does not delay the answers of other views
 * there. When `signal` is aborted, the worker ends and the promise never settles.
 *
 * @throws AnswerError
 */
export function askApart<Q extends QuestionName>(
  side: Side,
  signal: AbortSignal,
  question: Q,
  ...wanted: Wanted<Q>
): Promise<Answer<Q>> {
  return apart([side], signal, (remote) => askOf(remote, side, question, wanted));
}

/** Asks a question of both databases, as {@link askApart}. @throws AnswerError */
export function askBothApart<Q extends QuestionOfBoth>(
  signal: AbortSignal,
  question: Q,
  ...wanted: WantedOfBoth<Q>
): Promise<AnswerOfBoth<Q>> {
  return apart(["a", "b"], signal, (remote) => askOfBoth(remote, question, wanted));
}

/** Opens databases in a worker of its own. */
async function apart<T>(
  sides: readonly Side[],
  signal: AbortSignal,
  work: (apart: Remote<ExplorerWorker>) => Promise<T>,
): Promise<T> {
  const program = startWorker();
  const end = () => program.terminate();
  signal.addEventListener("abort", end, { once: true });
  try {
    const remote = wrap<ExplorerWorker>(program);
    for (const side of sides) {
      const source = sources.get(side);
      if (source === undefined) throw new Error("no database is open");
      answerOf(await remote.open(side, source));
    }
    return await work(remote);
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

async function askOf<Q extends QuestionName>(
  asked: Remote<ExplorerWorker>,
  side: Side,
  question: Q,
  wanted: Wanted<Q>,
): Promise<Answer<Q>> {
  // Comlink's types resolve no generic call.
  const call = asked.ask as unknown as (...args: readonly unknown[]) => Promise<Outcome<Answer<Q>>>;
  return answerOf(await call(side, question, ...sendable(wanted)));
}

async function askOfBoth<Q extends QuestionOfBoth>(
  asked: Remote<ExplorerWorker>,
  question: Q,
  wanted: WantedOfBoth<Q>,
): Promise<AnswerOfBoth<Q>> {
  const call = asked.askBoth as unknown as (...args: readonly unknown[]) => Promise<Outcome<AnswerOfBoth<Q>>>;
  return answerOf(await call(question, ...sendable(wanted)));
}

/** Functions are called from the other thread. */
function sendable(wanted: readonly unknown[]): readonly unknown[] {
  return wanted.map((one) => (typeof one === "function" ? proxy(one) : one));
}
