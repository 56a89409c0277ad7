/** Questions in SQL, which the explorer's server answers with DuckDB. */
import { MerostoreError } from "merostore";
import { ServerRequests, unexpected } from "./server-requests.js";

/** A column of a table or of an answer. */
export interface SqlColumn {
  readonly name: string;
  /** Its type in SQL. */
  readonly type: string;
}

/** A table that questions can name. */
export interface SqlTable {
  readonly name: string;
  readonly columns: readonly SqlColumn[];
  /** True for a view in people's words. */
  readonly isView: boolean;
}

/** The answer to a question. */
export interface SqlRows {
  readonly columns: readonly SqlColumn[];
  /** The values in their JSON form. */
  readonly rows: readonly (readonly unknown[])[];
  /** True if there are more rows. */
  readonly isCut: boolean;
  /** Rows that were read for it, and how many of them do not decode. */
  readonly read: number;
  readonly undecoded: number;
  /** Milliseconds. */
  readonly took: number;
}

/**
 * The tables that questions can name.
 *
 * @param base the origin of the server; empty for that of the page
 * @throws MerostoreError the reason why the server takes no questions; `NETWORK_ERROR`
 */
export function servedTables(base: string, token: string): Promise<readonly SqlTable[]> {
  return answered(base, token, "") as Promise<readonly SqlTable[]>;
}

/**
 * Runs a statement, however long it takes.
 *
 * @param database the place of the database to ask; undefined for all
 * @throws MerostoreError the reason why it has no answer; `NETWORK_ERROR`
 */
export function servedRows(
  base: string,
  token: string,
  statement: string,
  database?: number,
): Promise<SqlRows> {
  const of = database === undefined ? "" : `&database=${database}`;
  return answered(base, token, `?statement=${encodeURIComponent(statement)}${of}`) as Promise<SqlRows>;
}

async function answered(base: string, token: string, query: string): Promise<unknown> {
  const outcome: unknown = await new ServerRequests(base, token).ask(`/api/sql${query}`);
  if (typeof outcome !== "object" || outcome === null) throw unexpected();
  if ("answer" in outcome) return outcome.answer;
  const { failure } = outcome as { readonly failure?: { readonly code: never; readonly message: string } };
  if (failure === undefined) throw unexpected();
  throw new MerostoreError(failure.code, failure.message);
}
