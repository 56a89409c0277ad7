/** Errors of reading and writing values. They name the field by its path; they never hold the value. */
import { isBytes } from "../bytes/bytes.js";
import { MerostoreError } from "../errors.js";

/** Bytes that do not decode: `path` leads to the field, `offset` is the byte where it was noticed. */
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
  /** The row's column family and key, where it is known. */
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

  /** The same error with the row that it happened in. */
  in(row: string): DecodeError {
    return new DecodeError(this.type, this.#failure(), row);
  }

  #failure(): ReadFailure {
    const failure = new ReadFailure(this.offset, this.expected, this.found);
    if (this.path !== "") failure.steps.push(this.path);
    return failure;
  }
}

/** A value that cannot be encoded: `path` leads to the field. */
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
 * What codecs throw inside while reading: cheap, without stack trace, and gathering the path on its way up.
 * `Codec.decode` turns it into a {@link DecodeError}.
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

/** The same for writing. */
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

/** Adds a step to the path of a failure that passes through; anything else passes unchanged. */
export function within(error: unknown, step: string): unknown {
  if (error instanceof ReadFailure || error instanceof WriteFailure) error.steps.unshift(step);
  return error;
}

/** What a wrong value is, in a word or two, without showing it. */
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
