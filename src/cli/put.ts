import type { Codec, Json } from "../codec/index.js";
import { MerostoreError } from "../errors.js";
import type { AnyRow } from "../schemas/index.js";
import { type DatabaseOptions, lookFirst, openDatabase } from "./database.js";
import { parseHex, parseKey } from "./parts.js";
import type { Terminal } from "./terminal.js";
import { size } from "./text.js";

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
      "give the value either as --value JSON or as --value-hex HEX",
    );
  }
  const { revision, column, key, value, canonical } = await lookFirst(path, options, ({ schema }) => {
    const row = schema.row(kind);
    const key = parseKey(row.key, words);
    const value = text === undefined ? checked(row.value, valueHex ?? "") : encoded(row, text);
    return { revision: schema.name, column: row.column, key, value, canonical: row.value.canonical(value) };
  });
  await using store = await openDatabase(terminal, path, { ...options, revision }, true);
  await store.raw.write([{ type: "put", column, key: key.bytes, value }]);
  await store.flush();
  terminal.remark(`merostore: wrote ${kind}, a value of ${size(value.length)}`);
  if (!canonical) terminal.remark("merostore: a node reads this value, but would write it as other bytes");
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
  const { revision, key } = await lookFirst(path, options, ({ schema }) => ({
    revision: schema.name,
    key: parseKey(schema.row(kind).key, words),
  }));
  await using store = await openDatabase(terminal, path, { ...options, revision }, true);
  if (!(await store.has(key))) {
    terminal.remark(`merostore: no such row in ${key.COLUMN}`);
    return 1;
  }
  await store.delete(key);
  await store.flush();
  terminal.remark(`merostore: deleted ${kind}`);
  return 0;
}

/** Bytes that decode. They are written as they are, also where a node would write the value differently. */
function checked(codec: Codec<unknown>, hex: string): Uint8Array {
  const bytes = parseHex("--value-hex", hex);
  codec.decode(bytes);
  return bytes;
}

/** The bytes of a JSON form. Where a row may hold a type beside raw bytes, an object is a value of that type. */
function encoded({ value, alternative }: AnyRow, text: string): Uint8Array {
  const json = parseJson(text);
  const codec = alternative !== undefined && typeof json === "object" ? alternative : value;
  return codec.encode(codec.fromJson(json));
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
