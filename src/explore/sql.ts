/** Questions in SQL. The server passes them on to an {@link SqlSource}, which opens the databases. */
import type { ServerResponse } from "node:http";
import { isMerostoreError } from "../errors.js";
import { sendJson, sendSentence } from "./send.js";

/** A column of a table or of an answer. */
export interface ColumnOfAnswer {
  readonly name: string;
  /** Its type in SQL. */
  readonly type: string;
}

/** A table that questions can name. */
export interface TableToAsk {
  readonly name: string;
  readonly columns: readonly ColumnOfAnswer[];
  /** True for a view in people's words. */
  readonly isView: boolean;
}

/** The answer to a question. */
export interface RowsOfAnswer {
  readonly columns: readonly ColumnOfAnswer[];
  /** The values in their JSON form. */
  readonly rows: readonly (readonly unknown[])[];
  /** True if there are more rows. */
  readonly isCut: boolean;
  /** Rows of the databases that were read for it, and how many of them do not decode. */
  readonly read: number;
  readonly undecoded: number;
  /** Milliseconds. */
  readonly took: number;
}

/** Answers questions in SQL. An aborted signal ends the work. */
export interface SqlSource {
  tables(signal: AbortSignal): Promise<readonly TableToAsk[]>;
  /** @param database the index of the only database for the statement; undefined for all of them */
  run(statement: string, signal: AbortSignal, database?: number): Promise<RowsOfAnswer>;
  /** Ends the current question, and closes its databases. */
  close(): Promise<void>;
}

/** The query of a question, and the index of its database. */
const STATEMENT = /^statement=([^&]*)(?:&database=(\d{1,4}))?$/;

/**
 * Answers `/api/sql`: the tables, or the rows of a statement, or the reason for no rows. A client that disconnects ends
 * the question. The connection is not idle while a question is answered.
 */
export async function answerSql(
  response: ServerResponse,
  source: SqlSource | undefined,
  query: string | undefined,
): Promise<void> {
  const [, given, place] = STATEMENT.exec(query ?? "") ?? [];
  const statement = decoded(given);
  if (source === undefined || (query !== undefined && statement === undefined))
    return sendSentence(response, 404, "There is nothing at this path.");
  if (response.req.method === "HEAD") return sendJson(response, {});
  const stop = new AbortController();
  response.once("close", () => stop.abort());
  const { socket } = response;
  const idle = socket?.timeout ?? 0;
  socket?.setTimeout(0);
  try {
    const { signal } = stop;
    const answer =
      statement === undefined
        ? await source.tables(signal)
        : await source.run(statement, signal, place === undefined ? undefined : Number(place));
    sendJson(response, { answer });
  } catch (error) {
    if (stop.signal.aborted) return;
    if (!isMerostoreError(error)) return sendSentence(response, 500, "The question cannot be answered.");
    sendJson(response, { failure: { code: error.code, message: error.message } });
  } finally {
    socket?.setTimeout(idle);
  }
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
