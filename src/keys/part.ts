/** The parts of keys. A part is declared once and shared by all keys that have it. */

import * as layouts from "buffer-layout";
import { toBase58 } from "../bytes/base58.js";
import { isBytes } from "../bytes/bytes.js";
import { fromHex, toHex } from "../bytes/hex.js";
import { ID_FORMS, type Id, type IdLike, knownBytes } from "../bytes/id.js";
import type { JsonOptions } from "../codec/index.js";
import { invalidArgument, orUndefined } from "../errors.js";

/**
 * A named part of a key: the conversion of its value to bytes, to JSON and from text that a user types. `D` is the
 * interface that declares its value; see {@link partsOf}.
 */
export interface Part<N extends string, T, D = unknown> {
  /** For types only: editors show its comments at a key's properties. */
  readonly declaredBy?: D;
  /** The property of the key that holds its value. */
  readonly name: N;
  /** Texts that stand for values when people type or read them. */
  readonly names?: readonly string[];
  /** For people: `b32`, `u64BE`, `raw`, … */
  readonly type: string;
  /** Its size: a layout of the package buffer-layout, or `{ span: 4 }`. */
  readonly layout: {
    /** Bytes; negative if the part takes the rest of the key. */
    readonly span: number;
  };
  /** Returns undefined if `value` is valid, otherwise the end of a sentence that begins with "expected". */
  refuse(value: unknown): string | undefined;
  /**
   * Returns undefined if the bytes are valid, otherwise a description of valid bytes. Absent if all bytes are valid.
   */
  refuseBytes?(bytes: Uint8Array): string | undefined;
  /** Size of a value in bytes; only present if the size varies. */
  byteLength?(value: T): number;
  /** The least size in bytes; 0 by default. Only for a part whose size varies. */
  readonly least?: number;
  /** Writes an accepted value. */
  write(to: Uint8Array, at: number, value: T): void;
  /** Decodes exactly the bytes of this part. Byte arrays are views. */
  read(bytes: Uint8Array): T;
  /** The JSON form of a value: hex or base58 for bytes, decimal text for 64-bit numbers, otherwise the value. */
  toJson(value: T, options?: JsonOptions): string | number;
  /** Parses a text that a user types: hex or base58 for ids, decimal numbers. Returns undefined for other text. */
  parse(text: string): T | undefined;
}

/**
 * Returns a function that gives a part the comment of its property in the interface `D`, which editors show at the
 * properties of a key. At run time the function returns its argument.
 *
 * @example
 * interface NoteParts {
 *   readonly author: Uint8Array;
 * }
 * const part = partsOf<NoteParts>();
 * class Note extends keyParts("Note", "Group", 0x4b, part(id32("author"))) {}
 */
export function partsOf<D>(): <N extends keyof D & string>(part: Part<N, D[N]>) => Part<N, D[N], D> {
  return (part) => part as Part<typeof part.name, D[typeof part.name], D>;
}

function isBytesOf(value: unknown, size: number): boolean {
  return isBytes(value) && value.length === size;
}

/**
 * A 32-byte id, public key or hash.
 *
 * @param none the text for 32 zero bytes, if they stand for no id
 */
export function id32<const N extends string>(name: N, none?: string): Part<N, Id> {
  const isNone = (value: Uint8Array): boolean => none !== undefined && value.every((byte) => byte === 0);
  const parse = (text: string): Id | undefined =>
    (text === none ? new Uint8Array(32) : knownBytes(text)) as Id | undefined;
  return {
    name,
    type: "b32",
    ...(none !== undefined && { names: [none] }),
    layout: layouts.blob(32, name),
    refuse: (value) => {
      if (typeof value === "string" && parse(value) !== undefined) return undefined;
      return isBytesOf(value, 32) ? undefined : isBytes(value) ? "32 bytes" : ID_FORMS;
    },
    write: (to, at, value: IdLike) => to.set(typeof value === "string" ? (parse(value) as Id) : value, at),
    read: (bytes) => bytes as Id,
    toJson: (value, options) => {
      if (none !== undefined && options?.readable !== undefined && isNone(value)) return none;
      return options?.base58 ? toBase58(value) : toHex(value);
    },
    parse,
  };
}

/** 16 bytes, usually ASCII padded with 00. `names` maps texts to known values. */
export function scope16<const N extends string>(
  name: N,
  names: ReadonlyMap<string, Uint8Array>,
): Part<N, Uint8Array> {
  if (typeof (names as Partial<typeof names> | undefined)?.get !== "function")
    throw invalidArgument(`the part ${name}: a Map of names is expected`);
  return {
    name,
    type: "b16",
    layout: layouts.blob(16, name),
    refuse: (value) => (isBytesOf(value, 16) ? undefined : "16 bytes"),
    write: (to, at, value) => to.set(value, at),
    read: (bytes) => bytes,
    names: [...names.keys()],
    toJson: (value, options) => {
      const known = [...names].find(([, bytes]) => bytes.every((byte, at) => byte === value[at]));
      return options?.readable !== undefined && known !== undefined ? known[0] : toHex(value);
    },
    parse: (text) => names.get(text) ?? (text.length === 32 ? orUndefined(() => fromHex(text)) : undefined),
  };
}

/** A big-endian u64, so that byte order is numeric order. A bigint from 0 to 2^64 - 1. */
export function u64be<const N extends string>(name: N): Part<N, bigint> {
  return {
    name,
    type: "u64BE",
    layout: layouts.blob(8, name),
    refuse: (value) =>
      typeof value === "bigint" && value >= 0n && value < 1n << 64n
        ? undefined
        : "a bigint from 0 to 2^64 - 1",
    write: (to, at, value) => new DataView(to.buffer, to.byteOffset).setBigUint64(at, value),
    read: (bytes) => new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0),
    toJson: (value) => value.toString(),
    parse: (text) => (/^[0-9]{1,20}$/.test(text) ? BigInt(text) : undefined),
  };
}

/**
 * One byte, a number from 0 to 255.
 *
 * @param names texts that stand for numbers
 */
export function byte<const N extends string>(
  name: N,
  names: Readonly<Record<string, number>> = {},
): Part<N, number> {
  if (typeof names !== "object" || (names as unknown) === null)
    throw invalidArgument(`the part ${name}: an object of names is expected`);
  const nameOf = (value: number): string | undefined =>
    Object.keys(names)
      .find((one) => names[one] === value)
      ?.toLowerCase();
  const named = (text: string): number | undefined => {
    const found = Object.keys(names).find((one) => one.toLowerCase() === text.toLowerCase());
    return found === undefined ? undefined : names[found];
  };
  return {
    name,
    type: "u8",
    names: Object.keys(names).map((one) => one.toLowerCase()),
    layout: layouts.u8(name),
    refuse: (value) =>
      Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255
        ? undefined
        : "a whole number from 0 to 255",
    write: (to, at, value) => {
      to[at] = value;
    },
    read: (bytes) => bytes[0] as number,
    toJson: (value, options) => (options?.readable === undefined ? value : (nameOf(value) ?? value)),
    parse: (text) => (/^[0-9]{1,3}$/.test(text) ? Number(text) : named(text)),
  };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** UTF-8 text of at most `size` bytes without NUL, padded with 00. */
export function paddedText<const N extends string>(name: N, size: number): Part<N, string> {
  if (!Number.isInteger(size) || size < 1)
    throw invalidArgument(`the part ${name}: its size has to be a whole number from 1`);
  const expected = `text of at most ${size} bytes of UTF-8 without NUL`;
  const text = (bytes: Uint8Array): Uint8Array => {
    const end = bytes.indexOf(0);
    return end < 0 ? bytes : bytes.subarray(0, end);
  };
  return {
    name,
    type: `str${size}`,
    layout: layouts.blob(size, name),
    refuse: (value) =>
      typeof value === "string" &&
      value.isWellFormed() &&
      !value.includes("\0") &&
      encoder.encode(value).length <= size
        ? undefined
        : expected,
    refuseBytes: (bytes) => {
      const content = text(bytes);
      const padded = bytes.subarray(content.length).every((pad) => pad === 0);
      return padded && orUndefined(() => decoder.decode(content)) !== undefined
        ? undefined
        : `${expected}, padded with 00`;
    },
    write: (to, at, value) => to.set(encoder.encode(value), at),
    read: (bytes) => decoder.decode(text(bytes)),
    toJson: (value) => value,
    parse: (value) => value,
  };
}

/** The rest of the key, which may be empty. Only as the last part. */
export function tail<const N extends string>(name: N): Part<N, Uint8Array> {
  return {
    name,
    type: "raw",
    layout: layouts.blob(layouts.greedy(1), name),
    refuse: (value) => (isBytes(value) ? undefined : "bytes"),
    byteLength: (value) => value.length,
    write: (to, at, value) => to.set(value, at),
    read: (bytes) => bytes,
    toJson: (value, options) => {
      const hex = toHex(value);
      return options?.readable === undefined ? hex : String(options.readable(value, "text", hex));
    },
    parse: (text) => orUndefined(() => fromHex(text)),
  };
}
