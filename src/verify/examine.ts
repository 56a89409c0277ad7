/** Reading a row as closely as can be done without any other row. */
import { equalBytes } from "../bytes/order.js";
import { type Codec, DecodeError, Payload } from "../codec/index.js";
import type { RawRow } from "../engine/engine.js";
import type { AnyKey } from "../keys/index.js";
import { type AnyRow, explainValue, type Schema } from "../schemas/index.js";

/**
 * `canonical`: the value is what the node would write. `other`: the node reads it, and would write other bytes.
 * `undecodable`: the node cannot read it. `unknown`: no kind of row has such a key.
 */
export type RowState = "canonical" | "other" | "undecodable" | "unknown";

/** A row and what it shows by itself. */
export interface Examined {
  readonly column: string;
  /** Whether the schema has the column family. */
  readonly columnKnown: boolean;
  readonly raw: RawRow;
  readonly state: RowState;
  /** Why it is not canonical, or does not decode. Holds no value. */
  readonly reason?: string;
  /** Its kind, unless `unknown`. */
  readonly row?: AnyRow;
  readonly key?: AnyKey;
  /** The decoded value, if it decodes. */
  readonly value?: unknown;
}

/** Reads a row by the schema: its kind, its value, and what lies encoded inside the value. */
export function examine(schema: Schema, column: string, raw: RawRow): Examined {
  const row = schema.identify(column, raw.key);
  const columnKnown = row !== undefined || schema.columns.includes(column);
  const place = { column, columnKnown, raw };
  if (row === undefined) return { ...place, state: "unknown" };
  const key = row.key.fromBytes(raw.key);
  let value: unknown;
  try {
    value = row.value.decode(raw.value);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { ...place, state: "undecodable", reason: error.message, row, key };
  }
  const known = { ...place, row, key, value };
  if (!row.value.strict) {
    const written = row.value.encode(value);
    if (!equalBytes(written, raw.value))
      return { ...known, state: "other", reason: difference(row.value, raw.value, 0, written, raw.value) };
  }
  for (const payload of payloadsOf(value)) {
    if (payload.strict && payload.value !== undefined) continue;
    try {
      const written = payload.encode();
      if (equalBytes(written, payload.bytes)) continue;
      const start = payload.bytes.byteOffset - raw.value.byteOffset;
      const reason = difference(row.value, raw.value, start, written, payload.bytes);
      return { ...known, state: "other", reason };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return { ...known, state: "undecodable", reason: error.message };
    }
  }
  return { ...known, state: "canonical" };
}

/** The payloads of a value: it is one itself, or fields of it are. */
function payloadsOf(value: unknown): readonly Payload<unknown>[] {
  if (value instanceof Payload) return [value];
  if (value === null || typeof value !== "object" || value instanceof Uint8Array) return NONE;
  return Object.values(value).filter((field) => field instanceof Payload);
}

const NONE: readonly Payload<unknown>[] = [];

/** Where a part of a value, from `start` on, differs from what the node would write. */
function difference(
  codec: Codec<unknown>,
  value: Uint8Array,
  start: number,
  written: Uint8Array,
  bytes: Uint8Array,
): string {
  let at = 0;
  while (at < written.length && written[at] === bytes[at]) at++;
  const here = start + at;
  const pieces = explainValue(codec, value).pieces.filter(({ offset, end }) => offset <= here && here < end);
  const names = pieces.map(({ name }) => name).filter((name) => name !== "");
  const where = names.length === 0 ? "" : ` (${names.join(".")})`;
  const sizes =
    written.length === bytes.length ? "" : `, and has ${bytes.length} bytes instead of ${written.length}`;
  return `it differs from what a node writes from byte ${here} on${where}${sizes}`;
}
