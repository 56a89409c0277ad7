/** The JSON form of a row: what commands print and what `rows.jsonl` of the fixtures holds, one object a line. */
import { toHex } from "../bytes/hex.js";
import type { Json, JsonOptions } from "../codec/index.js";
import type { AnyKey, AnyKeyClass } from "../keys/index.js";
import { checkOptions, isFlag, type OptionChecks } from "../options.js";
import type { Schema } from "./schema.js";

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
  /** Show 32-byte ids in `parts` and `decoded` as base58 instead of hex. */
  readonly base58?: boolean | undefined;
}

/** What {@link RowJsonOptions} may hold. */
export const rowJsonOptions: OptionChecks<RowJsonOptions> = { revealSecrets: isFlag, base58: isFlag };

/** The JSON form of a row of a column family. Without `revealSecrets` it holds no secret. */
export function rowToJson(
  schema: Schema,
  column: string,
  row: { readonly key: Uint8Array; readonly value: Uint8Array },
  options: RowJsonOptions = {},
): RowJson {
  checkOptions("rowToJson", options, rowJsonOptions);
  const reveal = options.revealSecrets === true;
  const jsonOptions: JsonOptions = { base58: options.base58, redactSecrets: !reveal };
  const known = schema.identify(column, row.key);
  if (known === undefined) {
    const form = { column, kind: null, key: toHex(row.key), parts: null };
    return reveal ? { ...form, value: toHex(row.value) } : form;
  }
  const key = known.key.view(row.key);
  const form = {
    column,
    kind: known.kind,
    key: toHex(row.key),
    parts: partsToJson(known.key, key, jsonOptions),
  };
  const secret = known.secret(key);
  let decoded: Json;
  try {
    const shown = known.shown(key, row.value);
    const value = shown.decode(row.value);
    decoded = secret && !reveal && !shown.secret ? "redacted" : shown.toJson(value, jsonOptions);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // What does not decode may be anything, a secret of another revision too.
    return reveal ? { ...form, value: toHex(row.value), error: message } : { ...form, error: message };
  }
  return secret && !reveal ? { ...form, decoded } : { ...form, value: toHex(row.value), decoded };
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
