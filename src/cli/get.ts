import type { Json } from "../codec/index.js";
import { MerostoreError } from "../errors.js";
import type { RowJson } from "../schemas/index.js";
import { type DatabaseOptions, openDatabase } from "./database.js";
import { parseHex, parseKey } from "./parts.js";
import { asJson, type RowOptions, rowForm, withPrivateEntities } from "./rows.js";
import type { Terminal } from "./terminal.js";
import { inline, printable, table, valueText } from "./text.js";

export interface GetOptions extends DatabaseOptions, RowOptions {
  readonly column?: string | undefined;
  readonly key?: string | undefined;
}

/** Prints one row. Status 1 if there is none, 3 if its value does not decode. */
export async function get(
  terminal: Terminal,
  path: string,
  kind: string | undefined,
  words: readonly string[],
  options: GetOptions,
): Promise<number> {
  const { column: family, key: hex } = options;
  const byBytes = family !== undefined && hex !== undefined;
  if ((kind === undefined) !== byBytes || (!byBytes && (family !== undefined || hex !== undefined))) {
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      "name a row either by KIND part=value …, or by --column NAME --key HEX",
    );
  }
  await using store = await openDatabase(terminal, path, options);
  const keyClass = kind === undefined ? undefined : store.schema.row(kind).key;
  const key = keyClass === undefined ? parseHex("--key", hex ?? "") : parseKey(keyClass, words).bytes;
  const column = keyClass?.COLUMN ?? family ?? "";
  const value = await store.raw.get(column, key);
  if (value === undefined) {
    terminal.remark(`merostore: no such row in ${column}`);
    return 1;
  }
  const shown = await withPrivateEntities(store, column, options);
  const row = rowForm(store.schema, column, { key, value }, shown);
  if (asJson(terminal, options)) await terminal.line(JSON.stringify(row));
  else for (const line of rowText(row)) await terminal.line(line);
  if (row.error === undefined) return 0;
  terminal.remark(`merostore: ${row.error}`);
  return 3;
}

/** The parts of the key, and below them the fields of the value. */
function rowText(row: RowJson): string[] {
  const { decoded } = row;
  const fields = typeof decoded === "object" && decoded !== null && !Array.isArray(decoded);
  const value = fields
    ? Object.entries(decoded).map(([name, field]) => [name, long(field)])
    : [["value", valueText(row, long)]];
  const parts = Object.entries(row.parts ?? { key: row.key }).map(([name, part]) => [name, long(part)]);
  const lines = table([...parts, ...value]).map((line) => `  ${line}`);
  return [
    `${row.kind ?? "unknown row"} in ${printable(row.column)}`,
    ...lines.slice(0, parts.length),
    "",
    ...lines.slice(parts.length),
  ];
}

/** Whole ids and texts: one row has room for them. */
function long(value: Json): string {
  return typeof value === "string" && value !== "" && value.length <= 128 ? printable(value) : inline(value);
}
