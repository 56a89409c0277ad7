/** The page's end of the worker. */
import { proxy, type Remote, transfer, wrap } from "comlink";
import type { SqlRows, SqlTable } from "../client/index.js";
import type { Fleet } from "../worker/compare/fleet-answers.js";
import type { Track } from "../worker/compare/tracks.js";
import type { OpenedDatabase } from "../worker/database/database.js";
import type { DatabaseSource } from "../worker/database/sources.js";
import type {
  Answer,
  AnswerOfBoth,
  ExplorerWorker,
  Failure,
  Membership,
  Outcome,
  QuestionName,
  QuestionOfBoth,
  Side,
  Wanted,
  WantedOfBoth,
} from "../worker/worker.js";
import { unpacked } from "./packed.js";

export type { SqlRows, SqlTable } from "../client/index.js";
export type { ChecksReport, RuleFindings, RuleInWords, ShownFinding } from "../worker/checks.js";
export type { Compared, ComparisonReport } from "../worker/compare/compare.js";
export type { Fleet } from "../worker/compare/fleet-answers.js";
export type { Track } from "../worker/compare/tracks.js";
export type { OpenedDatabase } from "../worker/database/database.js";
export type { FolderFile } from "../worker/database/folder-file.js";
export type { DatabaseSource, ServedSource } from "../worker/database/sources.js";
export type { RowCounts } from "../worker/rows/counts.js";
export type {
  Answer,
  AnswerOfBoth,
  QuestionName,
  QuestionOfBoth,
  Side,
  Wanted,
  WantedOfBoth,
} from "../worker/worker.js";

/** The failure of a question: `message` is a sentence for people. */
export class AnswerError extends Error {
  /** The error code of the library; undefined for a fault of the explorer's own. */
  readonly code: string | undefined;

  constructor({ code, message }: Failure) {
    super(message);
    this.name = "AnswerError";
    this.code = code;
  }
}

/** The worker's program: a file beside the page, or, in a page that was saved as one file, packed in it. */
async function programUrl(): Promise<string> {
  const saved = document.getElementById("worker-program")?.textContent;
  if (saved === undefined) return new URL("worker.js", document.baseURI).href;
  return URL.createObjectURL(new Blob([await unpacked(saved)], { type: "text/javascript" }));
}

/** Made once: an object URL lives as long as the page. */
const url = await programUrl();

/** A worker, and its functions. */
interface Started {
  readonly program: Worker;
  readonly remote: Remote<ExplorerWorker>;
}

/**
 * The worker of all views. `ready` settles when a worker that replaces a failed one has opened the databases of that
 * one.
 */
let started: (Started & { readonly ready: Promise<void> }) | undefined;

function worker(): NonNullable<typeof started> {
  if (started !== undefined) return started;
  const program = startWorker();
  const own = { ...program, ready: openAll(program, [...sources.keys()]) };
  own.ready.catch(() => undefined); // the questions get it
  started = own;
  // The next question starts another one.
  own.program.addEventListener("error", () => {
    own.program.terminate();
    if (started === own) started = undefined;
  });
  return own;
}

/** The worker, once the databases are open in it. */
async function openedWorker(): Promise<Started> {
  const own = worker();
  await own.ready;
  return own;
}

/**
 * @param lender the worker with the typed keys, for a separate worker, which cannot open their databases without it. In
 * a
 * separate worker, damaged rows are errors: a verification or comparison without them would be wrong
 */
async function openAll(own: Started, sides: readonly Side[], lender?: Started): Promise<void> {
  for (const side of sides) {
    const source = sources.get(side);
    if (source === undefined) throw new Error("no database is open");
    const isStrict = lender !== undefined;
    const port = keyed.has(side) && isStrict ? portOf(lender, side) : undefined;
    await answered(own, (remote) => remote.open(side, source, port && transfer(port, [port]), isStrict));
  }
}

/** The port on which a worker lends a key to another one. The key never returns to the page's own thread. */
function portOf({ remote }: Started, side: Side): MessagePort {
  const { port1, port2 } = new MessageChannel();
  void remote.lend(side, transfer(port1, [port1]));
  return port2;
}

function startWorker(): Started {
  const program = new Worker(url);
  return { program, remote: wrap<ExplorerWorker>(program) };
}

/** The answer of a worker. Rejects when the worker fails, because no answer would come. */
async function answered<T>(
  { program, remote }: Started,
  call: (remote: Remote<ExplorerWorker>) => PromiseLike<Outcome<T>>,
): Promise<T> {
  const over = new AbortController();
  const { signal } = over;
  const failure = new Promise<never>((_, reject) => {
    const fail = (message: string): void => reject(new AnswerError({ code: undefined, message }));
    program.addEventListener(
      "error",
      ({ message }) => fail(`The worker failed${message ? `: ${message}` : " to start."}`),
      { signal },
    );
    program.addEventListener("messageerror", () => fail("An answer of the worker could not be read."), {
      signal,
    });
  });
  try {
    return answerOf(await Promise.race([call(remote), failure]));
  } finally {
    over.abort();
  }
}

function answerOf<T>(outcome: Outcome<T>): T {
  if ("failure" in outcome) throw new AnswerError(outcome.failure);
  return outcome.answer;
}

/** The databases that `merostore explore` serves with the page. @throws AnswerError */
export async function servedSources(token: string): Promise<readonly DatabaseSource[]> {
  return answered(worker(), (remote) => remote.served(token));
}

/** The tables of the databases that are served with the page. @throws AnswerError */
export function sqlTables(token: string): Promise<readonly SqlTable[]> {
  return answered(worker(), (remote) => remote.sqlTables(token));
}

/**
 * Runs a statement over one of the databases that are served with the page, or over all. When `signal` is aborted, the
 * server ends the work and the promise never settles.
 *
 * @throws AnswerError
 */
export function askSql(
  signal: AbortSignal,
  token: string,
  statement: string,
  database: number | undefined,
): Promise<SqlRows> {
  return apart([], signal, (own) => answered(own, (remote) => remote.sql(token, statement, database)));
}

/** The sides whose master key was typed. */
const keyed = new Set<Side>();

/** The sources of the open databases, for workers of their own. */
const sources = new Map<Side, DatabaseSource>();

/** The source of the database that a side has; undefined if it has none. */
export function sourceOf(side: Side): DatabaseSource | undefined {
  return sources.get(side);
}

/** Opens a database. @param digits the master key as hex digits, which are moved to the worker. @throws AnswerError */
export async function openDatabase(
  side: Side,
  source: DatabaseSource,
  digits?: Uint8Array,
): Promise<OpenedDatabase> {
  const opened = await answered(worker(), (remote) =>
    digits === undefined
      ? remote.open(side, source)
      : remote.open(side, source, transfer(digits, [digits.buffer])),
  );
  sources.set(side, source);
  if (digits === undefined) keyed.delete(side);
  else keyed.add(side);
  return opened;
}

/** Shows the rows that were written to a database since. @throws AnswerError */
export async function refreshDatabase(side: Side): Promise<void> {
  await answered(await openedWorker(), (remote) => remote.refresh(side));
}

/** Exchanges the databases of both sides. @throws AnswerError */
export async function swapDatabases(): Promise<void> {
  await answered(await openedWorker(), (remote) => remote.swap());
  const [a, b] = [sources.get("a"), sources.get("b")];
  sources.clear();
  if (a !== undefined) sources.set("b", a);
  if (b !== undefined) sources.set("a", b);
  const sides = [...keyed];
  keyed.clear();
  for (const side of sides) keyed.add(side === "a" ? "b" : "a");
}

/** Closes a database. */
export async function closeDatabase(side: Side): Promise<void> {
  sources.delete(side);
  keyed.delete(side);
  await answered(worker(), (remote) => remote.close(side));
}

/**
 * Asks a question of a database. Functions among the parameters are called with parts of the answer as they are found.
 * A function that returns false ends the work.
 *
 * @throws AnswerError
 */
export async function ask<Q extends QuestionName>(
  side: Side,
  question: Q,
  ...wanted: Wanted<Q>
): Promise<Answer<Q>> {
  return askOf(await openedWorker(), side, question, wanted);
}

/** Asks a question of both databases, as {@link ask}. @throws AnswerError */
export async function askBoth<Q extends QuestionOfBoth>(
  question: Q,
  ...wanted: WantedOfBoth<Q>
): Promise<AnswerOfBoth<Q>> {
  return askOfBoth(await openedWorker(), question, wanted);
}

/**
 * Asks a question in a separate worker, which opens the database again. There, long work does not delay the answers of
 * other views. When `signal` is aborted, the worker ends and the promise never settles.
 *
 * @throws AnswerError
 */
export function askApart<Q extends QuestionName>(
  side: Side,
  signal: AbortSignal,
  question: Q,
  ...wanted: Wanted<Q>
): Promise<Answer<Q>> {
  return apart([side], signal, (own) => askOf(own, side, question, wanted));
}

/** Asks a question of both databases, as {@link askApart}. @throws AnswerError */
export function askBothApart<Q extends QuestionOfBoth>(
  signal: AbortSignal,
  question: Q,
  ...wanted: WantedOfBoth<Q>
): Promise<AnswerOfBoth<Q>> {
  return apart(["a", "b"], signal, (own) => askOfBoth(own, question, wanted));
}

/**
 * Puts databases side by side in a separate worker. When `signal` is aborted, the worker ends and the promise never
 * settles.
 *
 * @param onReport gets the facts as they are found
 * @throws AnswerError
 */
export function askFleet(
  signal: AbortSignal,
  members: readonly Omit<Membership, "key">[],
  onReport: (fleet: Fleet) => void,
): Promise<Fleet> {
  return apart([], signal, (own) =>
    answered(own, (remote) => remote.fleet(withKeys(members), proxy(onReport))),
  );
}

/**
 * Asks which parts of the history of a context databases have, as {@link askFleet}. The first one is the shown
 * database.
 *
 * @throws AnswerError
 */
export function askTracks(
  signal: AbortSignal,
  members: readonly Omit<Membership, "key">[],
  context: string,
): Promise<readonly Track[]> {
  return apart([], signal, (own) => answered(own, (remote) => remote.tracks(withKeys(members), context)));
}

/** Databases with the ports on which their typed keys are lent. */
function withKeys(members: readonly Omit<Membership, "key">[]): readonly Membership[] {
  const all = members.map((member) => {
    const side = [...keyed].find((one) => sources.get(one) === member.source);
    return { ...member, key: side && portOf(worker(), side) };
  });
  return transfer(
    all,
    all.flatMap(({ key }) => key ?? []),
  );
}

/** Opens databases in a separate worker. */
async function apart<T>(
  sides: readonly Side[],
  signal: AbortSignal,
  work: (apart: Started) => Promise<T>,
): Promise<T> {
  const own = startWorker();
  const end = () => own.program.terminate();
  signal.addEventListener("abort", end, { once: true });
  try {
    await openAll(own, sides, worker());
    return await work(own);
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

function askOf<Q extends QuestionName>(
  asked: Started,
  side: Side,
  question: Q,
  wanted: Wanted<Q>,
): Promise<Answer<Q>> {
  return answered(asked, (remote) => {
    // Comlink's types resolve no generic call.
    const call = remote.ask as unknown as (...args: readonly unknown[]) => Promise<Outcome<Answer<Q>>>;
    return call(side, question, ...sendable(wanted));
  });
}

function askOfBoth<Q extends QuestionOfBoth>(
  asked: Started,
  question: Q,
  wanted: WantedOfBoth<Q>,
): Promise<AnswerOfBoth<Q>> {
  return answered(asked, (remote) => {
    const call = remote.askBoth as unknown as (
      ...args: readonly unknown[]
    ) => Promise<Outcome<AnswerOfBoth<Q>>>;
    return call(question, ...sendable(wanted));
  });
}

/** Functions are called from the other thread. */
function sendable(wanted: readonly unknown[]): readonly unknown[] {
  return wanted.map((one) => (typeof one === "function" ? proxy(one) : one));
}
