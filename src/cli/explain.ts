import { toHex } from "../bytes/hex.js";
import { type Codec, DecodeError, type Json, type Trace } from "../codec/index.js";
import { MerostoreError } from "../errors.js";
import type { AnyKey, AnyKeyClass } from "../keys/index.js";
import { type AnyRow, revisionOf, type Schema } from "../schemas/index.js";
import { partsToJson } from "../schemas/row-json.js";
import { keyOfZeros, parseHex } from "./parts.js";
import type { Terminal } from "./terminal.js";
import { inline, short, table } from "./text.js";

export interface ExplainOptions {
  readonly revision: string;
  readonly type?: string | undefined;
  readonly json?: boolean | undefined;
  readonly revealSecrets?: boolean | undefined;
}

/** A piece of explained bytes. */
interface Piece {
  readonly offset: number;
  readonly end: number;
  readonly depth: number;
  readonly name: string;
  readonly type: string;
  /** Absent for a piece that has pieces of its own, and for one that does not decode. */
  readonly value?: Json;
  readonly secret: boolean;
  /** Where the bytes end that are its own: all, or those before its first piece (the 01 of an option). */
  readonly own: number;
}

interface Explanation {
  readonly title: string;
  readonly bytes: Uint8Array;
  readonly pieces: readonly Piece[];
  /** Where and why decoding stopped. */
  readonly stopped?: { readonly offset: number; readonly reason: string };
  readonly canonical?: boolean;
}

/**
 * Shows bytes beside fields: the key and value of a row, or a value of a named type.
 * Status 1 if they do not decode; it says where decoding stopped and why.
 */
export async function explain(
  terminal: Terminal,
  words: readonly string[],
  options: ExplainOptions,
): Promise<number> {
  const schema = revisionOf(options.revision) as Schema;
  const explanations =
    options.type === undefined ? explainRow(schema, words) : [explainType(schema, options.type, words)];
  for (const one of explanations) {
    if (options.json) await terminal.line(JSON.stringify(toJson(one, options)));
    else for (const line of toText(one, options)) await terminal.line(line);
  }
  return explanations.some(({ stopped }) => stopped !== undefined) ? 1 : 0;
}

function explainType(schema: Schema, name: string, words: readonly string[]): Explanation {
  const [hex, ...rest] = words;
  if (hex === undefined || rest.length > 0) throw usage();
  const value = explainValue(name, schema.type(name), parseHex("HEX", hex));
  const row = schema.rows.find(({ kind }) => kind === name);
  return row === undefined ? value : hideBy(row, keyOfZeros(row.key), value);
}

function explainRow(schema: Schema, words: readonly string[]): Explanation[] {
  const [column, keyHex, valueHex, ...rest] = words;
  if (column === undefined || keyHex === undefined || rest.length > 0) throw usage();
  if (!schema.columns.includes(column)) {
    throw new MerostoreError(
      "UNKNOWN_COLUMN_FAMILY",
      `${schema.name} has no column family "${column}"; it has ${schema.columns.join(", ")}`,
    );
  }
  const bytes = parseHex("KEYHEX", keyHex);
  const row = schema.identify(column, bytes);
  if (row === undefined) return [unknownKey(schema, column, bytes)];
  const key = row.key.fromBytes(bytes);
  if (valueHex === undefined) return [explainKey(row.key, key)];
  const value = explainValue(
    row.value.type ?? row.value.signature,
    row.value,
    parseHex("VALUEHEX", valueHex),
  );
  return [explainKey(row.key, key), hideBy(row, key, value)];
}

/** Marks a whole value as secret where its key says so, not its type. */
function hideBy(row: AnyRow, key: AnyKey, value: Explanation): Explanation {
  if (row.value.secret || !row.secret(key)) return value;
  return { ...value, pieces: value.pieces.map((piece) => ({ ...piece, secret: true })) };
}

function explainKey(keyClass: AnyKeyClass, key: AnyKey): Explanation {
  const parts = partsToJson(keyClass, key);
  const pieces = keyClass.FIELDS.map(({ name, type, offset, size }) => ({
    offset,
    end: size === undefined ? key.bytes.length : offset + size,
    depth: 0,
    name,
    type,
    value: name === "prefix" && keyClass.PREFIX !== undefined ? keyClass.KIND : (parts[name] as Json),
    secret: false,
    own: size === undefined ? key.bytes.length : offset + size,
  }));
  return { title: `Key of ${keyClass.COLUMN}: ${keyClass.KIND}`, bytes: key.bytes, pieces };
}

function unknownKey(schema: Schema, column: string, bytes: Uint8Array): Explanation {
  const sizes = schema.rows
    .filter((row) => row.column === column)
    .map(({ kind, key }) => {
      const prefix = key.PREFIX === undefined ? "" : ` after 0x${key.PREFIX.toString(16)}`;
      return {
        kind,
        text: `${kind} ${key.VARIABLE ? "from " : ""}${key.SIZE} bytes${prefix}`,
        prefix: key.PREFIX,
      };
    });
  const near = sizes.filter(({ prefix }) => prefix === bytes[0]);
  const reason = `no kind of row has such a key: ${(near.length > 0 ? near : sizes).map(({ text }) => text).join(", ")}`;
  return { title: `Key of ${column}: unknown`, bytes, pieces: [], stopped: { offset: 0, reason } };
}

function explainValue(name: string, codec: Codec<unknown>, bytes: Uint8Array): Explanation {
  const pieces: Piece[] = [];
  const open: {
    readonly index: number;
    readonly name: string;
    readonly type: string;
    readonly at: number;
  }[] = [];
  const trace: Trace = {
    open(field, type, at) {
      open.push({ index: pieces.length, name: field, type, at });
    },
    close(end, of, value) {
      const { index, name: field, type, at } = open.pop() as (typeof open)[number];
      const leaf = pieces.length === index;
      const own = pieces[index]?.offset ?? end;
      const piece = {
        offset: at,
        end,
        depth: open.length,
        name: field,
        type,
        secret: leaf && of.secret,
        own,
      };
      pieces.splice(index, 0, leaf ? { ...piece, value: of.toJson(value) } : piece);
    },
    note(field, type, at, end, value) {
      pieces.push({ offset: at, end, depth: open.length, name: field, type, value, secret: false, own: end });
    },
  };
  const title = `Value: ${name}`;
  try {
    const value = codec.decode(bytes, trace);
    if (pieces.length === 0 && bytes.length > 0) {
      const json = codec.toJson(value);
      pieces.push({
        offset: 0,
        end: bytes.length,
        depth: 0,
        name: "",
        type: codec.signature,
        value: json,
        secret: codec.secret,
        own: bytes.length,
      });
    }
    return { title, bytes, pieces, canonical: codec.canonical(bytes) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    // The fields that were being read, from the inside out: each goes before what it already has inside.
    for (const [depth, { index, name: field, type, at }] of [...open.entries()].reverse()) {
      pieces.splice(index, 0, {
        offset: at,
        end: error.offset,
        depth,
        name: field,
        type,
        secret: true,
        own: at,
      });
    }
    return { title, bytes, pieces, stopped: { offset: error.offset, reason: reasonOf(error) } };
  }
}

function reasonOf({ path, expected, found }: DecodeError): string {
  return `${path === "" ? "" : `${path}: `}expected ${expected}, found ${found}`;
}

function toText(
  { title, bytes, pieces, stopped, canonical }: Explanation,
  options: ExplainOptions,
): string[] {
  const rows = pieces.map((piece) => {
    const hidden = piece.secret && !options.revealSecrets;
    const size = piece.end - piece.offset;
    const hex =
      hidden && piece.value !== undefined
        ? `${size} secret ${size === 1 ? "byte" : "bytes"}`
        : excerpt(bytes.subarray(piece.offset, piece.own));
    const value = piece.value === undefined ? "" : hidden ? "redacted" : inline(piece.value);
    return [`${piece.offset}`, `${size}`, `${"  ".repeat(piece.depth)}${piece.name}`, piece.type, value, hex];
  });
  return [
    `${title}, ${bytes.length} bytes`,
    ...table([["offset", "size", "field", "type", "value", "bytes"], ...rows], [0, 1]).map(
      (line) => `  ${line}`,
    ),
    ...(stopped === undefined ? [] : [`  stopped at byte ${stopped.offset}: ${stopped.reason}`]),
    ...(canonical === false
      ? ["  not canonical: the node reads these bytes, but writes this value as others"]
      : []),
  ];
}

function toJson({ title, bytes, pieces, stopped, canonical }: Explanation, options: ExplainOptions): object {
  return {
    title,
    size: bytes.length,
    fields: pieces.map(({ offset, end, depth, name, type, value, secret, own }) => {
      const hidden = secret && !options.revealSecrets;
      const leaf = value === undefined ? {} : { value: hidden ? "redacted" : value };
      const hex = hidden ? {} : { bytes: toHex(bytes.subarray(offset, own)) };
      return { offset, size: end - offset, depth, name, type, ...leaf, ...hex };
    }),
    ...(stopped && { stopped }),
    ...(canonical !== undefined && { canonical }),
  };
}

function excerpt(bytes: Uint8Array): string {
  return bytes.length <= 16 ? toHex(bytes) : short(toHex(bytes));
}

function usage(): MerostoreError {
  return new MerostoreError(
    "INVALID_ARGUMENT",
    "Write: explain COLUMN KEYHEX [VALUEHEX], or: explain --type NAME HEX",
  );
}
