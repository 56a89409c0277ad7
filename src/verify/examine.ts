/** Examines a row without reading any other row. */
import { equalBytes } from "../bytes/order.js";
import { type Codec, DecodeError, type Payload, payloadsIn, TOO_MANY } from "../codec/index.js";
import type { RawRow } from "../engine/engine.js";
import type { AnyKey } from "../keys/index.js";
import {
  type AnyRow,
  explainValue,
  isOfNewer,
  type NewerNode,
  namedInDocument,
  newerWriter,
  otherLayoutOf,
  type Schema,
} from "../schemas/index.js";
import type { Steps } from "../steps.js";
import { laterWriter } from "./unreadable.js";

/** A row that decodes. */
export interface GoodRow<K, V> {
  /** The key, as an object of its class. */
  readonly key: K;
  /** The decoded value. */
  readonly value: V;
}

/**
 * `canonical`: the value has the bytes that the node would write. `other`: the node can read it, but would write other
 * bytes. `undecodable`: the node cannot read it. `unknown`: no kind of row has such a key.
 */
export type RowState = "canonical" | "other" | "undecodable" | "unknown";

/** Rows by their {@link RowState}. */
export interface RowCounts {
  /** Rows whose value has the bytes that the node would write. */
  readonly canonical: number;
  /** Rows that the node can read, but would write with other bytes. */
  readonly other: number;
  /** Rows of known kinds whose value the node cannot read. */
  readonly undecodable: number;
  /** Rows whose key belongs to no known kind. */
  readonly unknown: number;
}

/** A row with its state. All have one object shape, since there is one for each row. */
export interface Examined {
  /** Name of the column family. */
  readonly column: string;
  /** True if the schema has the column family. */
  readonly columnKnown: boolean;
  /** The row as it is stored. */
  readonly raw: RawRow;
  /** The state of the row. */
  readonly state: RowState;
  /** The reason why it is not canonical, or does not decode. Contains no value. */
  readonly reason: string | undefined;
  /** True if it has a list with more elements than this library decodes. Nodes can read it. */
  readonly isTooLong: boolean;
  /** Its kind, unless `unknown`. */
  readonly row: AnyRow | undefined;
  /** The key, an instance of its class; undefined if `unknown`. */
  readonly key: AnyKey | undefined;
  /** The decoded value, if it decodes. */
  readonly value: unknown;
  /**
   * The version, in words, of the node that wrote an unknown row, or may have written one that does not decode;
   * undefined if it is not known.
   */
  readonly version: string | undefined;
}

/** In rows with more bytes, the encoded payloads inside the value are read in steps. */
const LONG = 65_536;

/** Reads a row by the schema, in steps: its kind, its value, and the encoded payloads inside the value. */
export function* examine(schema: Schema, column: string, raw: RawRow, newer?: NewerNode): Steps<Examined> {
  const row = schema.identify(column, raw.key);
  const isNewer = newer !== undefined && isOfNewer(newer, column, raw.key);
  const writer = newer && newerWriter(newer);
  if (isNewer) return unknownRow(schema, column, raw, writer);
  if (row === undefined)
    return unknownRow(
      schema,
      column,
      raw,
      inDocument(schema, column, raw) ?? otherLayoutOf(column, raw.key, raw.value)?.name ?? writer,
    );
  const key = row.key.view(raw.key);
  let state: RowState = "canonical";
  let reason: string | undefined;
  let value: unknown;
  let version: string | undefined;
  let isTooLong = false;
  try {
    const codec = row.valueAt(key);
    value = codec.decode(raw.value);
    if (raw.value.length > LONG) for (const payload of payloadsIn(value)) yield* payload.reading();
    reason = otherBytes(codec, raw.value, value);
    if (reason !== undefined) state = "other";
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const named = inDocument(schema, column, raw);
    if (named !== undefined) return unknownRow(schema, column, raw, named);
    state = "undecodable";
    reason = error.message;
    isTooLong = error.cause === TOO_MANY;
    version = writer ?? laterWriter(schema, error);
  }
  return { column, columnKnown: true, raw, state, reason, isTooLong, row, key, value, version };
}

function unknownRow({ columns }: Schema, column: string, raw: RawRow, version: string | undefined): Examined {
  const columnKnown = columns.includes(column);
  const [reason, row, key, value] = [undefined, undefined, undefined, undefined];
  return { column, columnKnown, raw, state: "unknown", reason, isTooLong: false, row, key, value, version };
}

/** The name of the row in the Storage Schema document, if the document gives it no layout. */
function inDocument({ name }: Schema, column: string, { key, value }: RawRow): string | undefined {
  return name === "documented" ? namedInDocument(column, key, value) : undefined;
}

/**
 * Describes the first difference between a value and the bytes that the node would write; undefined if there is no
 * difference.
 * @throws DecodeError if a payload inside the value does not decode
 */
function otherBytes(codec: Codec<unknown>, bytes: Uint8Array, value: unknown): string | undefined {
  if (!codec.strict) {
    const written = codec.encode(value);
    if (!equalBytes(written, bytes)) return difference(codec, bytes, 0, written, bytes);
  }
  for (const payload of payloadsIn(value)) {
    const reason = otherPayload(codec, bytes, payload);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Describes the first difference in a payload of the value. */
function otherPayload(
  codec: Codec<unknown>,
  bytes: Uint8Array,
  payload: Payload<unknown>,
): string | undefined {
  if (payload.isCanonical) return undefined;
  const start = payload.bytes.byteOffset - bytes.byteOffset;
  return difference(codec, bytes, start, payload.encode(), payload.bytes);
}

/** The part of a value, from `start` on, that differs from the one that the node would write. */
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
