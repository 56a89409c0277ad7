/** The JSON form of a row: what commands print and what `rows.jsonl` of the fixtures holds, one object a line. */
import { isBytes } from "../bytes/bytes.js";
import { toHex } from "../bytes/hex.js";
import type { Json, JsonOptions } from "../codec/index.js";
import { invalidArgument } from "../errors.js";
import type { AnyKey, AnyKeyClass } from "../keys/index.js";
import { checkOptions, isFlag, isFunction, type OptionChecks } from "../options.js";
import { PrivateEntities } from "./private/private-entities.js";
import { redactEntities } from "./private/redact-entities.js";
import { type AnyRow, Schema } from "./schema.js";

/** The JSON form of a row. `column`, `key` and `value` alone are authoritative; the rest is for reading. */
export interface RowJson {
  /** Name of the column family. */
  readonly column: string;
  /** The kind of row; null when the schema has none for this key. */
  readonly kind: string | null;
  /** The key's bytes in hex. */
  readonly key: string;
  /** The key's parts by name; null when the kind is. */
  readonly parts: { readonly [name: string]: Json } | null;
  /** The value's bytes in hex; absent when it may hold a secret and secrets are not shown. */
  readonly value?: string;
  /** The decoded value; null for the empty value; absent when it does not decode or the kind is null. */
  readonly decoded?: Json;
  /** Why the value does not decode. */
  readonly error?: string;
}

/** What of a row its JSON form shows. */
export interface RowJsonOptions {
  /** Show private keys, shared keys, private state and values that are not understood. Off by default. */
  readonly revealSecrets?: boolean | undefined;
  /**
   * The private entities of the database that the row is from ({@link findPrivateEntities}): the row alone does not tell
   * whether it holds some. Give them for rows of State and Delta of a database that nodes of core-0.10 wrote.
   */
  readonly privateEntities?: PrivateEntities | undefined;
  /** Show 32-byte ids in `parts` and `decoded` as base58 instead of hex. */
  readonly base58?: boolean | undefined;
  /** Shows values with a declared meaning in another form ({@link JsonOptions}); for people only. */
  readonly readable?: JsonOptions["readable"];
}

/** What {@link RowJsonOptions} may hold. */
export const rowJsonOptions: OptionChecks<RowJsonOptions> = {
  revealSecrets: isFlag,
  base58: isFlag,
  readable: isFunction,
  privateEntities: (value) =>
    value instanceof PrivateEntities ? undefined : "what findPrivateEntities returns",
};

/**
 * The JSON form of a row of a column family. Without `revealSecrets` it holds no secret; of private entities it holds none
 * where `privateEntities` names them.
 */
export function rowToJson(
  schema: Schema,
  column: string,
  row: { readonly key: Uint8Array; readonly value: Uint8Array },
  options: RowJsonOptions = {},
): RowJson {
  if (!(schema instanceof Schema) || typeof column !== "string" || !isBytes(row?.key) || !isBytes(row?.value))
    throw invalidArgument(
      "rowToJson takes a schema, a column family and a row as an engine returns it, { key, value } in bytes; a scanned row has toJSON()",
    );
  checkOptions("rowToJson", options, rowJsonOptions);
  const known = schema.identify(column, row.key);
  if (known !== undefined) return knownRowToJson(known, known.key.view(row.key), row.value, options);
  const form = { column, kind: null, key: toHex(row.key), parts: null };
  return options.revealSecrets === true ? { ...form, value: toHex(row.value) } : form;
}

/** The JSON form of a row of a known kind. */
export function knownRowToJson(
  known: AnyRow,
  key: AnyKey,
  bytes: Uint8Array,
  options: RowJsonOptions = {},
): RowJson {
  const reveal = options.revealSecrets === true;
  const jsonOptions: JsonOptions = {
    base58: options.base58,
    redactSecrets: !reveal,
    readable: options.readable,
  };
  const { column, kind } = known;
  const form = { column, kind, key: toHex(key.bytes), parts: partsToJson(known.key, key, jsonOptions) };
  const secret = known.secret(key);
  const hidden = reveal ? undefined : options.privateEntities?.in(column, key.bytes, bytes);
  let decoded: Json;
  try {
    const shown = known.shown(key, bytes);
    const value = shown.decode(bytes);
    decoded =
      hidden?.whole || (secret && !reveal && !shown.secret) ? "redacted" : shown.toJson(value, jsonOptions);
    if (hidden !== undefined) decoded = redactEntities(shown.toJson(value), decoded, hidden.ids);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // What does not decode may be anything, a secret of another revision too.
    if (reveal) return { ...form, value: toHex(bytes), error: message };
    return { ...form, error: hidden === undefined ? message : withoutNumbers(message) };
  }
  const whole = reveal || !(secret || hidden !== undefined);
  return whole ? { ...form, value: toHex(bytes), decoded } : { ...form, decoded };
}

/**
 * A message about a row with private entities: numbers and ids in it may be bytes of theirs, read as a length for example.
 */
export function withoutNumbers(message: string): string {
  return message.replace(/\b[0-9a-f]{32,}\b|\b\d[\d,]{5,}\b/g, "redacted");
}

/** The parts of a key by name, in the JSON form. */
export function partsToJson(
  of: AnyKeyClass,
  key: AnyKey,
  options: JsonOptions = {},
): { readonly [name: string]: Json } {
  const values = key as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(of.PARTS.map((part) => [part.name, part.toJson(values[part.name], options)]));
}
