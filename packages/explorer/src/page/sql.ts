/** Questions in SQL: the last question and its answer. */
import { signal } from "@preact/signals";
import { messageOf } from "./message-of.js";
import { nodes } from "./session.js";
import { askSql, type ServedSource, type SqlRows, type SqlTable, sqlTables } from "./worker-client.js";

/** A question. */
export interface Question {
  readonly state: "waiting" | "running" | "stopped" | "done" | "failed";
  /** The statement; undefined before the first one. */
  readonly statement: string | undefined;
  /** The database that was asked; undefined for all. */
  readonly of: ServedSource | undefined;
  /** The last answer. It may answer an earlier question. */
  readonly answer: SqlRows | undefined;
  /** The reason why the question has no answer. */
  readonly message: string | undefined;
}

/** The last question. */
export const question = signal<Question>({
  state: "waiting",
  statement: undefined,
  of: undefined,
  answer: undefined,
  message: undefined,
});

/**
 * The tables that questions can name, or the reason why the server takes no questions; undefined until the answer
 * comes.
 */
export const tables = signal<
  { readonly all: readonly SqlTable[] } | { readonly message: string } | undefined
>(undefined);

/** The databases that the server of the page has, in its order. */
export function askedDatabases(): readonly ServedSource[] {
  return nodes.value.filter((source) => source.from === "served");
}

let isReading = false;

/** Reads the tables, unless they are known or being read. */
export async function readTables(): Promise<void> {
  const [first] = askedDatabases();
  if (first === undefined || isReading || "all" in (tables.peek() ?? {})) return;
  isReading = true;
  try {
    tables.value = { all: await sqlTables(first.token) };
  } catch (error) {
    tables.value = { message: messageOf(error) };
  } finally {
    isReading = false;
  }
}

let running = new AbortController();

/** Runs a statement over a database, or over all. Ends the running one. */
export async function ask(statement: string, of: ServedSource | undefined): Promise<void> {
  stop();
  const [first] = askedDatabases();
  if (first === undefined) return;
  const own = new AbortController();
  running = own;
  const { answer: before } = question.peek();
  question.value = { state: "running", statement, of, answer: before, message: undefined };
  const keep = (of: Partial<Question>): void => {
    if (!own.signal.aborted) question.value = { ...question.peek(), ...of };
  };
  try {
    keep({ answer: await askSql(own.signal, first.token, statement, of?.index), state: "done" });
  } catch (error) {
    keep({ state: "failed", message: messageOf(error) });
  }
}

/** Ends the running question. The shown answer belongs to an earlier one. */
export function stop(): void {
  running.abort();
  if (question.peek().state === "running") question.value = { ...question.peek(), state: "stopped" };
}
