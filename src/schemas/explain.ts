/** Explains keys and values: the fields of the bytes, and the place at which decoding stopped. */
import { isBytes } from "../bytes/bytes.js";
import { type Codec, DecodeError, type Json, type Trace } from "../codec/index.js";
import { invalidArgument, isMerostoreError, MerostoreError } from "../errors.js";
import type { AnyKey, AnyKeyClass } from "../keys/index.js";
import { partsToJson } from "./row-json.js";
import { type AnyRow, Schema } from "./schema.js";

/** A field, or other bytes with a meaning: a tag, a count. */
export interface ExplainedPiece {
  /** Bytes from the beginning. */
  readonly offset: number;
  /** The offset after the last byte. */
  readonly end: number;
  /** The number of pieces that contain it. */
  readonly depth: number;
  /** The name of the field; `tag`, `count` or `length` for parts of the encoding. */
  readonly name: string;
  /** The type, as {@link Codec.signature} has it: `u64`, `[b32]`. */
  readonly type: string;
  /** The decoded value; absent for a piece that contains pieces, and for one that does not decode. */
  readonly value?: Json;
  /** True if its value and bytes are, or may be, a secret. */
  readonly secret: boolean;
  /** The end of its own bytes: all its bytes, or the bytes before its first inner piece (the 01 of an option). */
  readonly own: number;
}

/** The bytes of a key or a value, with the meaning of each. */
export interface Explanation {
  /** The explained key or value: `Key of Group: GroupMember`, `Value: GroupMemberValue`. */
  readonly title: string;
  /** All bytes of the key or value, not a copy. */
  readonly bytes: Uint8Array;
  /** Sorted by offset, each piece before the pieces inside it. */
  readonly pieces: readonly ExplainedPiece[];
  /** The place at which decoding stopped, and the reason. */
  readonly stopped?: Stop;
  /** True if these are the bytes that the node would write for the value. */
  readonly canonical?: boolean;
}

/** The place at which decoding stopped. */
export interface Stop {
  /** Bytes from the beginning. */
  readonly offset: number;
  /** The expected and the found bytes there, without a value. */
  readonly reason: string;
}

/**
 * Explains a key and, if given, the value of its row. For a key of no known kind, it lists the kinds.
 * @throws MerostoreError `UNKNOWN_COLUMN_FAMILY`, `INVALID_ARGUMENT`
 */
export function explainRow(
  schema: Schema,
  column: string,
  key: Uint8Array,
  value?: Uint8Array,
): Explanation[] {
  if (!((schema as unknown) instanceof Schema)) throw invalidArgument("explainRow takes a schema first");
  if (![key, value ?? key].every(isBytes)) throw invalidArgument("a key and a value to explain are bytes");
  if (!schema.columns.includes(column)) {
    throw new MerostoreError(
      "UNKNOWN_COLUMN_FAMILY",
      `${schema.name} has no column family "${column}"; it has ${schema.columns.join(", ")}`,
    );
  }
  const row = schema.identify(column, key);
  if (row === undefined) return [unknownKey(schema, column, key)];
  const parsed = row.key.view(key);
  const ofKey = explainKey(row, parsed);
  if (value === undefined) return [ofKey];
  const shown = row.shown(parsed, value);
  const ofValue = explainValue(shown, value);
  if (shown.secret || !row.secret(parsed)) return [ofKey, ofValue];
  // The key makes the value secret, not its type.
  return [ofKey, { ...ofValue, pieces: ofValue.pieces.map((piece) => ({ ...piece, secret: true })) }];
}

/** Explains a value of a type. A value that does not decode is explained up to the failure. */
export function explainValue(codec: Codec<unknown>, bytes: Uint8Array): Explanation {
  const trace = new PieceTrace();
  const title = `Value: ${codec.type ?? codec.signature}`;
  try {
    const value = codec.decode(bytes, trace);
    if (trace.pieces.length === 0 && bytes.length > 0) {
      trace.open("", codec.signature, 0);
      trace.close(bytes.length, codec, value);
    }
    return { title, bytes, pieces: trace.pieces, canonical: codec.canonical(bytes) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { path, expected, found, offset } = error;
    const reason = `${path === "" ? "" : `${path}: `}expected ${expected}, found ${found}`;
    return { title, bytes, pieces: trace.unfinished(offset), stopped: { offset, reason } };
  }
}

function explainKey(row: AnyRow, key: AnyKey): Explanation {
  const parts = partsToJson(row.key, key);
  const pieces = row.key.FIELDS.map(({ name, type, offset, size }, index): ExplainedPiece => {
    const end = size === undefined ? key.bytes.length : offset + size;
    const prefix = index === 0 && row.key.PREFIX !== undefined;
    const value = prefix ? row.kind : (parts[name] as Json);
    return { offset, end, depth: 0, name, type, value, secret: false, own: end };
  });
  return { title: `Key of ${row.column}: ${row.kind}`, bytes: key.bytes, pieces };
}

function unknownKey(schema: Schema, column: string, bytes: Uint8Array): Explanation {
  const rows = schema.rows.filter((row) => row.column === column);
  const near = rows.filter(({ key }) => key.PREFIX === bytes[0]);
  const kinds = (near.length > 0 ? near : rows).map(({ kind, key }) => {
    const prefix = key.PREFIX === undefined ? "" : ` after 0x${key.PREFIX.toString(16)}`;
    return `${kind} ${key.VARIABLE ? "from " : ""}${key.SIZE} bytes${prefix}`;
  });
  const fitting = near.filter(({ key }) =>
    key.VARIABLE ? bytes.length >= key.SIZE : bytes.length === key.SIZE,
  );
  const [why] = fitting.length === 1 ? fitting.flatMap(({ key }) => refusalOf(key, bytes) ?? []) : [];
  const reason = why ?? `no kind of row has this key; the kinds are ${kinds.join(", ")}`;
  return { title: `Key of ${column}: unknown`, bytes, pieces: [], stopped: { offset: 0, reason } };
}

/** Returns the reason why a key class refuses the bytes; undefined if it accepts them. */
function refusalOf(key: AnyKeyClass, bytes: Uint8Array): string | undefined {
  try {
    key.fromBytes(bytes);
    return undefined;
  } catch (error) {
    if (!isMerostoreError(error, "INVALID_KEY")) throw error;
    return error.message;
  }
}

interface OpenField {
  /** The index at which its piece is inserted: before the pieces inside it. */
  readonly index: number;
  readonly name: string;
  readonly type: string;
  readonly offset: number;
}

/** Collects pieces while a value is decoded. */
class PieceTrace implements Trace {
  readonly pieces: ExplainedPiece[] = [];
  /** The fields being read, from the outside in. */
  readonly #open: OpenField[] = [];

  open(name: string, type: string, at: number): void {
    this.#open.push({ index: this.pieces.length, name, type, offset: at });
  }

  close(end: number, codec: Codec<unknown>, value: unknown): void {
    const { index, ...field } = this.#open.pop() as OpenField;
    const first = this.pieces[index];
    const piece = { ...field, end, depth: this.#open.length };
    if (first === undefined) {
      this.pieces.push({ ...piece, value: codec.toJson(value), secret: codec.secret, own: end });
    } else {
      this.pieces.splice(index, 0, { ...piece, secret: false, own: first.offset });
    }
  }

  note(name: string, type: string, at: number, end: number, value: string | number): void {
    this.pieces.push({
      offset: at,
      end,
      depth: this.#open.length,
      name,
      type,
      value,
      secret: false,
      own: end,
    });
  }

  /** Returns the pieces when reading stopped at `end`, including the unfinished ones. */
  unfinished(end: number): readonly ExplainedPiece[] {
    for (const [depth, { index, ...field }] of [...this.#open.entries()].reverse()) {
      this.pieces.splice(index, 0, { ...field, end, depth, secret: true, own: field.offset });
    }
    return this.pieces;
  }
}
