import { fromHex } from "../bytes/hex.js";
import { MerostoreError } from "../errors.js";
import { type DatabaseOptions, openDatabase } from "./database.js";
import { parseKey } from "./parts.js";
import { asJson, type RowOptions, rowForm } from "./rows.js";
import type { Terminal } from "./terminal.js";
import { inline, short } from "./text.js";

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
  if ((kind === undefined) !== (options.column !== undefined && options.key !== undefined)) {
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      "Name a row by KIND part=value …, or by --column and --key HEX",
    );
  }
  await using store = await openDatabase(terminal, path, options);
  const keyClass = kind === undefined ? undefined : store.schema.row(kind).key;
  const key = keyClass === undefined ? fromHex(options.key ?? "") : parseKey(keyClass, words).bytes;
  const column = keyClass?.COLUMN ?? options.column ?? "";
  const value = await store.raw.get(column, key);
  if (value === undefined) {
    terminal.remark(`merostore: no such row in ${column}`);
    return 1;
  }
  const row = rowForm(store.schema, column, { key, value }, options);
  if (asJson(terminal, options)) {
    await terminal.line(JSON.stringify(row));
  } else {
    await terminal.line(`${row.kind ?? "unknown row"} in ${column}`);
    for (const [name, part] of Object.entries(row.parts ?? { key: row.key }))
      await terminal.line(`  ${name}  ${part}`);
    const { decoded } = row;
    if (decoded !== undefined) {
      const fields = typeof decoded === "object" && decoded !== null && !Array.isArray(decoded);
      const lines = fields
        ? Object.entries(decoded).map(([name, field]) => `${name}  ${long(field)}`)
        : [long(decoded)];
      for (const line of lines) await terminal.line(`    ${line}`);
    } else if (row.value !== undefined) {
      await terminal.line(`    ${short(row.value)}`);
    }
  }
  if (row.error === undefined) return 0;
  terminal.remark(`merostore: ${row.error}`);
  return 3;
}

/** Whole ids and texts: one row has room for them. */
function long(value: Parameters<typeof inline>[0]): string {
  return typeof value === "string" && value.length <= 128 ? value || '""' : inline(value);
}
