/** Answers as CSV. */
import type { SqlRows } from "../../client/served-sql.js";

/** A line of names, then a line for each row. Null is an empty cell; lists and structs are JSON. */
export function csvOf({ columns, rows }: Pick<SqlRows, "columns" | "rows">): string {
  return [columns.map(({ name }) => name), ...rows]
    .map((cells) => `${cells.map(cellOf).join(",")}\n`)
    .join("");
}

function cellOf(value: unknown): string {
  if (value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
