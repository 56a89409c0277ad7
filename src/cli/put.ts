import { fromHex } from "../bytes/hex.js";
import type { Json } from "../codec/index.js";
import { MerostoreError } from "../errors.js";
import { type DatabaseOptions, openDatabase } from "./database.js";
import { parseKey } from "./parts.js";
import type { Terminal } from "./terminal.js";

export interface PutOptions extends DatabaseOptions {
  readonly value?: string | undefined;
  readonly valueHex?: string | undefined;
}

/** Writes one row, after checking key and value against the schema. */
export async function put(
  terminal: Terminal,
  path: string,
  kind: string,
  words: readonly string[],
  options: PutOptions,
): Promise<number> {
  const { value: text, valueHex } = options;
  if ((text === undefined) === (valueHex === undefined)) {
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      "Give the value either as --value JSON or as --value-hex HEX",
    );
  }
  await using store = await openDatabase(terminal, path, options, true);
  const row = store.schema.row(kind);
  const key = parseKey(row.key, words);
  const value =
    text === undefined ? row.value.decode(fromHex(valueHex ?? "")) : row.value.fromJson(parseJson(text));
  await store.put(key, value);
  await store.flush();
  terminal.remark(`merostore: wrote ${row.kind}`);
  return 0;
}

/** Deletes one row. Status 1 if there is none. */
export async function remove(
  terminal: Terminal,
  path: string,
  kind: string,
  words: readonly string[],
  options: DatabaseOptions,
): Promise<number> {
  await using store = await openDatabase(terminal, path, options, true);
  const row = store.schema.row(kind);
  const key = parseKey(row.key, words);
  if (!(await store.has(key))) {
    terminal.remark(`merostore: no such row in ${row.column}`);
    return 1;
  }
  await store.delete(key);
  await store.flush();
  terminal.remark(`merostore: deleted ${row.kind}`);
  return 0;
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      `--value is no JSON; a text needs quotes: --value '"name"'`,
      { cause },
    );
  }
}
