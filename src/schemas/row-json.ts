/**
 * The JSON form of a row: the output of commands and the content of `rows.jsonl` in the fixtures, one object per line.
 */
import { isBytes } from "../bytes/bytes.js";
import { toHex } from "../bytes/hex.js";
import { UndecryptedBytes } from "../bytes/undecrypted.js";
import type { Json, JsonOptions } from "../codec/index.js";
import { invalidArgument } from "../errors.js";
import { type AnyKey, type AnyKeyClass, partToJson } from "../keys/index.js";
import { checkOptions, isFlag, isFunction, type OptionChecks } from "../options.js";
import { PrivateEntities } from "./private/private-entities.js";
import { redactEntities } from "./private/redact-entities.js";
import { type AnyRow, Schema } from "./schema.js";

/** The JSON form of a row. Only `column`, `key` and `value` are authoritative; the rest is for readers. */
export interface RowJson {
  /** Name of the column family. */
  readonly column: string;
  /** The kind of row; null if the schema has no kind for this key. */
  readonly kind: string | null;
  /** The key's bytes in hex. */
  readonly key: string;
  /** The key's parts by name; null if the kind is null. */
  readonly parts: { readonly [name: string]: Json } | null;
  /** The value's bytes in hex; absent if it may hold a secret and secrets are not shown. */
  readonly value?: string;
  /** The decoded value; null for the empty value; absent when it does not decode or the kind is null. */
  readonly decoded?: Json;
  /** The reason why the value does not decode, or the remark that it is not decrypted. */
  readonly error?: string;
  /** True if the value may be encrypted and no given master key decrypts it. It is then not shown. */
  readonly undecrypted?: true;
}

/** Options of the JSON form of a row. */
export interface RowJsonOptions {
  /** Show private keys, shared keys, private state and values that do not decode. Off by default. */
  readonly revealSecrets?: boolean | undefined;
  /**
   * The private entities of the database of the row ({@link findPrivateEntities}), which cannot be identified from the
   * row. Pass them for rows of State and Delta of a database that nodes of core-0.10 wrote.
   */
  readonly privateEntities?: PrivateEntities | undefined;
  /** Show 32-byte ids in `parts` and `decoded` as base58 instead of hex. */
  readonly base58?: boolean | undefined;
  /** Shows values with a declared meaning in another form ({@link JsonOptions}); for people only. */
  readonly readable?: JsonOptions["readable"];
}

/** The checks of {@link RowJsonOptions}. */
export const rowJsonOptions: OptionChecks<RowJsonOptions> = {
  revealSecrets: isFlag,
  base58: isFlag,
  readable: isFunction,
  privateEntities: (value) =>
    value instanceof PrivateEntities ? undefined : "the result of findPrivateEntities",
};

/**
 * Returns the JSON form of a row. Without `revealSecrets` it contains no secret; private entities are only redacted if
 * `privateEntities` contains them.
 */
export function rowToJson(
  schema: Schema,
  column: string,
  row: { readonly key: Uint8Array; readonly value: Uint8Array },
  options: RowJsonOptions = {},
): RowJson {
  if (!(schema instanceof Schema) || typeof column !== "string" || !isBytes(row?.key) || !isBytes(row?.value))
    throw invalidArgument(
      "rowToJson takes a schema, a column family and a row of an engine, { key, value } in bytes; a scanned row has toJSON()",
    );
  checkOptions("rowToJson", options, rowJsonOptions);
  const known = schema.identify(column, row.key);
  if (known !== undefined) return knownRowToJson(known, known.key.view(row.key), row.value, options);
  const form = { column, kind: null, key: toHex(row.key), parts: null };
  if (row.value instanceof UndecryptedBytes)
    return { ...form, error: "no given master key decrypts the value", undecrypted: true };
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
    if (bytes instanceof UndecryptedBytes) return { ...form, error: message, undecrypted: true };
    // A value that does not decode may be a secret of another revision.
    if (reveal) return { ...form, value: toHex(bytes), error: message };
    return { ...form, error: hidden === undefined ? message : withoutNumbers(message) };
  }
  const whole = reveal || !(secret || hidden !== undefined);
  return whole ? { ...form, value: toHex(bytes), decoded } : { ...form, decoded };
}

/**
 * Removes numbers and ids from a message about a row with private entities: they may be secret bytes, read as a length
 * for example.
 */
export function withoutNumbers(message: string): string {
  return message.replace(/\b[0-9a-f]{32,}\b|\b\d[\d,]{5,}\b/g, "redacted");
}

/** Returns the parts of a key by name, in their JSON form. */
export function partsToJson(
  of: AnyKeyClass,
  key: AnyKey,
  options: JsonOptions = {},
): { readonly [name: string]: Json } {
  const values = key as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    of.PARTS.map((part) => [part.name, partToJson(of.KIND, part, values[part.name], options)]),
  );
}
