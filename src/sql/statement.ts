/** Checks statements, and finds the kinds of rows that they name. */

import { nearest } from "../bytes/nearest.js";
import { invalidArgument, isMerostoreError, MerostoreError } from "../errors.js";
import type { DuckDB } from "./binding.js";

/** The kinds of statements that stay inside the database in memory. */
const ALLOWED = [
  "SELECT",
  "INSERT",
  "UPDATE",
  "DELETE",
  "MERGE_INTO",
  "CREATE",
  "ALTER",
  "DROP",
  "EXPLAIN",
  "TRANSACTION",
] as const;

/**
 * Functions that no statement may call. They write outside merostore, or run statements that are not in the text, so
 * the rows of their kinds would not be read.
 */
const REFUSED =
  /\b(enable_logging|(?:en|dis)able_profiling|json_execute_serialized_sql|query(?="?\s*(?:\(|--|\/\*)))/i;

/** Statements that EXPLAIN could run. */
const EXPLAINED = /\b(copy|export|import|attach|pragma|call|set|load|install)\b/i;

/** Refuses a text before DuckDB sees it. @throws MerostoreError `INVALID_ARGUMENT` */
export function checkText(sql: string): void {
  const refused = REFUSED.exec(sql);
  if (refused !== null)
    throw invalidArgument(`${refused[1]} cannot be used here: write the statement itself`);
}

/** Refuses a statement that is not about tables. @throws MerostoreError `INVALID_ARGUMENT` */
export function checkType({ StatementType }: DuckDB, type: number, sql: string): void {
  const name = ALLOWED.find((one) => StatementType[one] === type);
  if (name !== undefined && !(name === "EXPLAIN" && EXPLAINED.test(sql))) return;
  const found = StatementType[type] ?? "such a";
  throw invalidArgument(
    `a ${found} statement cannot be used here: statements read and write tables in memory, no files and no settings`,
  );
}

/** Returns whether a text may list tables or their columns without their names. */
export function listsTables(sql: string): boolean {
  return /\b(?:show|information_schema|duckdb_\w+|pg_\w+|sqlite_\w+)\b|\bdesc(?:ribe)?\s*(?:;|$)/i.test(sql);
}

/** Returns the tables whose names occur anywhere in a text. */
export function namedTables(sql: string, tables: readonly string[]): string[] {
  const words = new Set(sql.toLowerCase().match(/\w+/g));
  return tables.filter((name) => words.has(name.toLowerCase()));
}

/**
 * Returns the views that a text may name. A word before a parenthesis is a function, and a word after `as` is a new
 * name.
 */
export function namedViews(sql: string, views: readonly string[]): string[] {
  return views.filter((name) => new RegExp(`(?<!\\bas\\s+"?)\\b${name}\\b(?!\\s*\\()`, "i").test(sql));
}

/** The error of a refused statement: DuckDB's sentence without its drawing of the place. */
export function statementError(cause: unknown, tables: readonly string[] = []): unknown {
  if (isMerostoreError(cause) || !(cause instanceof Error)) return cause;
  const [sentence = ""] = cause.message.split(/\n\s*\n|\nLINE \d+:/, 1);
  const text = sentence
    .replaceAll(/\s*\n\s*/g, " ")
    .replace(/^Failed to extract statements: /, "")
    .trim();
  const [, unknown] = /^Catalog Error: Table with name (\S+) does not exist!/.exec(text) ?? [];
  const message = unknown === undefined ? text : unknownTable(unknown, tables);
  return new MerostoreError("INVALID_ARGUMENT", message, { cause });
}

/** DuckDB's own suggestions are removed: it does not know the kinds of rows that no statement has named. */
function unknownTable(name: string, tables: readonly string[]): string {
  if (tables.includes(name))
    return `a statement has dropped the table ${name}, or the transaction began before a statement named it`;
  const near = nearest(name, tables);
  return `the table ${name} does not exist${near.length === 0 ? "" : `; did you mean ${near.join(" or ")}?`}`;
}
