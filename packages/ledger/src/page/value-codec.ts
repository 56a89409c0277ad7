/** Codecs: a program puts and gets values of its own types instead of bytes. */
import {
  describeValue,
  type ErrorCode,
  invalidArgument,
  isBytes,
  MerostoreError,
  type OptionCheck,
  toHex,
} from "merostore/internal";
import type { EntryValue } from "./value.js";

/**
 * Makes bytes of values, and values of bytes. Both are called once for each value and must not keep or change the
 * bytes.
 *
 * @example
 * import type { ValueCodec } from "merostore-ledger";
 *
 * const dates: ValueCodec<Date> = {
 *   encode: (date) => new TextEncoder().encode(date.toISOString()),
 *   decode: (bytes) => new Date(new TextDecoder().decode(bytes)),
 * };
 * const page = await ledger.rootPage({ values: dates }); // page.get(key) is a Date
 */
export interface ValueCodec<T> {
  /** Returns the bytes that are stored, exactly as they are. If it throws, the put fails with ENCODE_FAILED. */
  encode(value: T): Uint8Array;
  /** Returns the value. If it throws, the reading of the entry fails with DECODE_FAILED, which names the key. */
  decode(bytes: Uint8Array): T;
}

/**
 * The values of a connection to a page.
 * - `bytes`: bytes; a put also takes a text, which stands for its UTF-8 bytes, or a stream.
 * - `text`: texts, stored in UTF-8.
 * - `json`: all values that `JSON.stringify` takes, except values that it would lose at any depth: bytes, streams,
 *   maps, sets and numbers that are not finite. Its text is stored in UTF-8.
 * - a codec: the values of the codec.
 */
export type ValueForm = "bytes" | "text" | "json" | ValueCodec<unknown>;

/** The type of values that are read in a form. */
export type ReadValue<Form> =
  Form extends ValueCodec<infer T>
    ? T
    : Form extends "text"
      ? string
      : Form extends "json"
        ? unknown
        : Uint8Array;

/** The type of values that are put in a form. */
export type PutValue<Form> = Form extends "bytes" ? EntryValue : ReadValue<Form>;

/** Returns the value of an entry. */
export type DecodeValue<Value> = (key: Uint8Array, bytes: Uint8Array) => Value;

/** A form of values, as a page uses it. */
export interface Values<Value, Input> {
  /** @throws MerostoreError INVALID_ARGUMENT, ENCODE_FAILED */
  encode(value: Input): EntryValue;
  /** @throws MerostoreError DECODE_FAILED, with the key in its message */
  readonly decode: DecodeValue<Value>;
}

/** Checks an option that is a form of values. */
export const isValueForm: OptionCheck = (given) => {
  if (given === "bytes" || given === "text" || given === "json") return undefined;
  const { encode, decode }: { readonly encode?: unknown; readonly decode?: unknown } = given ?? {};
  return typeof encode === "function" && typeof decode === "function"
    ? undefined
    : '"bytes", "text", "json" or an object with the methods encode and decode';
};

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Values in their stored form. */
export const BYTES: Values<Uint8Array, EntryValue> = {
  encode: (value) => value,
  decode: (_, bytes) => bytes,
};

const TEXTS: Values<string, unknown> = {
  encode(value) {
    if (typeof value === "string") return value;
    throw invalidArgument(`a value of this page is a text, not ${describeValue(value)}`);
  },
  // The error of a decoder may quote the value.
  decode: (key, bytes) =>
    named(
      "DECODE_FAILED",
      () => decoder.decode(bytes),
      () => `${valueAt(key)} is not a text in UTF-8`,
    ),
};

/**
 * Returns whether `JSON.stringify` loses a value: it makes "{}" of a map or a stream, an object of bytes, and null of
 * NaN.
 */
function isLostInJson(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  const isRaw = ArrayBuffer.isView(value) || value instanceof ArrayBuffer || Symbol.asyncIterator in value;
  return isRaw || value instanceof Map || value instanceof Set;
}

const JSONS: Values<unknown, unknown> = {
  encode(value) {
    let lost: string | undefined;
    const text = named(
      "ENCODE_FAILED",
      (): string | undefined =>
        JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name, form: unknown) {
          const given = this[name]; // the form of a Buffer would be an object
          if (!isLostInJson(given)) return form;
          lost ??= describeValue(given);
          return undefined;
        }),
      () => "JSON cannot have this value",
    );
    if (text !== undefined && lost === undefined) return text;
    throw invalidArgument(`JSON cannot have ${lost ?? describeValue(value)} as a value`);
  },
  decode: (key, bytes) =>
    named(
      "DECODE_FAILED",
      (): unknown => JSON.parse(decoder.decode(bytes)),
      () => `${valueAt(key)} is not JSON`,
    ),
};

/** Returns the form of values of a page: bytes unless given. */
export function valuesIn(form: ValueForm = "bytes"): Values<unknown, unknown> {
  if (form === "bytes") return BYTES;
  if (form === "text") return TEXTS;
  return form === "json" ? JSONS : ofCodec(form);
}

function ofCodec(codec: ValueCodec<unknown>): Values<unknown, unknown> {
  return {
    encode(value) {
      const bytes = named(
        "ENCODE_FAILED",
        () => codec.encode(value),
        () => "the codec refuses the value",
        true,
      );
      if (isBytes(bytes)) return bytes;
      throw new MerostoreError(
        "ENCODE_FAILED",
        `the codec returned ${describeValue(bytes)} instead of bytes`,
      );
    },
    decode: (key, bytes) =>
      named(
        "DECODE_FAILED",
        () => codec.decode(bytes),
        () => `the codec does not decode ${valueAt(key)}`,
        true,
      ),
  };
}

/** Runs a function; its error gets a code and a message. */
function named<T>(code: ErrorCode, run: () => T, message: () => string, hasCause = false): T {
  try {
    return run();
  } catch (cause) {
    throw new MerostoreError(code, message(), hasCause ? { cause } : undefined);
  }
}

function valueAt(key: Uint8Array): string {
  try {
    return `the value at the key ${JSON.stringify(decoder.decode(key))}`;
  } catch {
    return `the value at the key 0x${toHex(key)}`;
  }
}
