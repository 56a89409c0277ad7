/** Errors of decoding and encoding. They name the field by its path and never contain the value. */
import { isBytes } from "../bytes/bytes.js";
import { MerostoreError } from "../errors.js";

/** The error for bytes that do not decode. `path` names the field, `offset` the byte. */
export class DecodeError extends MerostoreError {
  /** Type that was being decoded, for example `GroupMetaValue`. */
  readonly type: string;
  /** Field by field, `status.total` or `links[3]`; empty for the value itself. */
  readonly path: string;
  /** Bytes from the beginning of the value. */
  readonly offset: number;
  /** What should have been there, for people. */
  readonly expected: string;
  /** What was there, in a few words: never the value. */
  readonly found: string;
  /** The column family and key of the row, if known. */
  readonly row: string | undefined;

  constructor(type: string, failure: ReadFailure, row?: string) {
    const path = formatPath(failure.steps);
    const what = path === "" || path.startsWith("[") ? `${type}${path}` : `${type}.${path}`;
    super(
      "DECODE_FAILED",
      `${row === undefined ? "" : `${row}: `}${what} at byte ${failure.offset}: expected ${failure.expected}, found ${failure.found}`,
    );
    this.name = "DecodeError";
    this.type = type;
    this.path = path;
    this.offset = failure.offset;
    this.expected = failure.expected;
    this.found = failure.found;
    this.row = row;
  }

  /** Returns the same error with the name of the row. */
  in(row: string): DecodeError {
    return new DecodeError(this.type, this.#failure(), row);
  }

  #failure(): ReadFailure {
    const failure = new ReadFailure(this.offset, this.expected, this.found);
    if (this.path !== "") failure.steps.push(this.path);
    return failure;
  }
}

/** The error for a value that cannot be encoded. `path` names the field. */
export class EncodeError extends MerostoreError {
  /** Type that was being encoded, for example `GroupMetaValue`. */
  readonly type: string;
  /** Field by field, `status.total` or `links[3]`; empty for the value itself. */
  readonly path: string;
  /** What should have been there, for people. */
  readonly expected: string;
  /** What was there, in a few words: never the value. */
  readonly found: string;

  constructor(type: string, failure: WriteFailure) {
    const path = formatPath(failure.steps);
    const what = path === "" || path.startsWith("[") ? `${type}${path}` : `${type}.${path}`;
    super("ENCODE_FAILED", `${what}: expected ${failure.expected}, found ${failure.found}`);
    this.name = "EncodeError";
    this.type = type;
    this.path = path;
    this.expected = failure.expected;
    this.found = failure.found;
  }
}

/**
 * Thrown by codecs while reading. It has no stack trace and collects the path as it propagates. `Codec.decode` converts
 * it into a {@link DecodeError}.
 */
export class ReadFailure {
  /** The path to the field, from the outside in. */
  readonly steps: string[] = [];
  /** Bytes from the beginning of the value. */
  readonly offset: number;
  /** What should have been there, for people. */
  readonly expected: string;
  /** What was there, in a few words: never the value. */
  readonly found: string;

  constructor(offset: number, expected: string, found: string) {
    this.offset = offset;
    this.expected = expected;
    this.found = found;
  }
}

/** Thrown by codecs while writing; see {@link ReadFailure}. */
export class WriteFailure {
  /** The path to the field, from the outside in. */
  readonly steps: string[] = [];
  /** What should have been there, for people. */
  readonly expected: string;
  /** What was there, in a few words: never the value. */
  readonly found: string;

  constructor(expected: string, found: string) {
    this.expected = expected;
    this.found = found;
  }
}

/** Adds a step to the path of a failure. Returns anything else unchanged. */
export function within(error: unknown, step: string): unknown {
  if (error instanceof ReadFailure || error instanceof WriteFailure) error.steps.unshift(step);
  return error;
}

/** Describes a wrong value in a few words, without showing it. */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (isBytes(value)) return `${value.length} bytes`;
  if (value instanceof Uint8Array)
    return "bytes that cannot be read (a proxy, a detached buffer, a false length)";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function formatPath(steps: readonly string[]): string {
  return steps.join(".").replaceAll(".[", "[");
}
