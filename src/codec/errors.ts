/** Errors of decoding and encoding. They name the field by its path and never contain the value. */
import { isBytes } from "../bytes/bytes.js";
import { counted } from "../bytes/quantity.js";
import { MerostoreError } from "../errors.js";

/** The error for bytes that do not decode. `path` names the field, `offset` the byte. */
export class DecodeError extends MerostoreError {
  /** Type that was being decoded, for example `GroupMetaValue`. */
  readonly type: string;
  /** Field by field, `status.total` or `links[3]`; empty for the value itself. */
  readonly path: string;
  /** Bytes from the beginning of the value. */
  readonly offset: number;
  /** The expected value, in words. */
  readonly expected: string;
  /** A description of the value found, never the value itself. */
  readonly found: string;
  /** The column family and key of the row, if known. */
  readonly row: string | undefined;
  /** True if a tag or flag is above the known ones: a later version may have written the bytes. */
  readonly mayBeLater: boolean;

  constructor(type: string, failure: ReadFailure, row?: string) {
    const path = formatPath(failure.steps);
    const what = path === "" || path.startsWith("[") ? `${type}${path}` : `${type}.${path}`;
    super(
      "DECODE_FAILED",
      `${row === undefined ? "" : `${row}: `}${what} at byte ${failure.offset}: expected ${failure.expected}, found ${failure.found}`,
      causeOf(failure),
    );
    this.name = "DecodeError";
    this.type = type;
    this.path = path;
    this.offset = failure.offset;
    this.expected = failure.expected;
    this.found = failure.found;
    this.row = row;
    this.mayBeLater = failure.mayBeLater;
  }

  /** Returns the same error with the name of the row. */
  in(row: string): DecodeError {
    return new DecodeError(this.type, this.#failure(), row);
  }

  #failure(): ReadFailure {
    const failure = new ReadFailure(this.offset, this.expected, this.found, this.cause, this.mayBeLater);
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
  /** The expected value, in words. */
  readonly expected: string;
  /** A description of the value found, never the value itself. */
  readonly found: string;

  constructor(type: string, failure: WriteFailure) {
    const path = formatPath(failure.steps);
    const what = path === "" || path.startsWith("[") ? `${type}${path}` : `${type}.${path}`;
    super("ENCODE_FAILED", `${what}: expected ${failure.expected}, found ${failure.found}`, causeOf(failure));
    this.name = "EncodeError";
    this.type = type;
    this.path = path;
    this.expected = failure.expected;
    this.found = failure.found;
  }
}

/**
 * Thrown by codecs while reading. It has no stack trace and collects the path as it propagates. `Codec.decode` converts
 * it into a {@link DecodeError}. A codec of your own creates it with `reader.fail`.
 */
export class ReadFailure {
  /** The path to the field, from the outside in. */
  readonly steps: string[] = [];
  /** Bytes from the beginning of the value. */
  readonly offset: number;
  /** The expected value, in words. */
  readonly expected: string;
  /** A description of the value found, never the value itself. */
  readonly found: string;
  /** The error of the codec, if it threw something else. */
  readonly cause: unknown;
  /** True if a tag or flag is above the known ones: a later version may have written the bytes. */
  readonly mayBeLater: boolean;

  constructor(offset: number, expected: string, found: string, cause?: unknown, mayBeLater = false) {
    this.offset = offset;
    this.expected = expected;
    this.found = found;
    this.cause = cause;
    this.mayBeLater = mayBeLater;
  }
}

/**
 * Thrown by codecs while writing, and while parsing a JSON form, for a value that they do not accept. Like a
 * {@link ReadFailure}, it collects the path; `Codec.encode` and `Codec.fromJson` convert it into an
 * {@link EncodeError}. Any other error that a codec throws becomes the `cause` of an {@link EncodeError}.
 *
 * @example
 * class Percent extends Codec<number> {
 *   readonly signature = "percent";
 *   readonly size = { min: 1, max: 1 };
 *   read(reader: Reader) {
 *     const value = reader.u8();
 *     if (value > 100) throw reader.fail("at most 100", "more");
 *     return value;
 *   }
 *   write(writer: Writer, value: number) {
 *     writer.u8(this.parse(value));
 *   }
 *   show(value: number) {
 *     return value;
 *   }
 *   parse(json: unknown) {
 *     if (typeof json !== "number" || !(json >= 0 && json <= 100))
 *       throw new WriteFailure("a number from 0 to 100", describe(json));
 *     return json;
 *   }
 * }
 */
export class WriteFailure {
  /** The path to the field, from the outside in. */
  readonly steps: string[] = [];
  /** The expected value, in words. */
  readonly expected: string;
  /** A description of the value found, never the value itself. */
  readonly found: string;
  /** The error of the codec, if it threw something else. */
  readonly cause: unknown;

  constructor(expected: string, found: string, cause?: unknown) {
    this.expected = expected;
    this.found = found;
    this.cause = cause;
  }
}

/** Another error that a codec threw, and the path to it. */
class Thrown {
  readonly steps: string[] = [];
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}

/** Adds a step to the path of an error that a codec threw. */
export function within(error: unknown, step: string): unknown {
  const failure =
    error instanceof ReadFailure || error instanceof WriteFailure || error instanceof Thrown
      ? error
      : new Thrown(error);
  failure.steps.unshift(step);
  return failure;
}

const EXPECTED = "what the codec accepts";
const FOUND = "an error that the codec threw, which is the cause";

/** Returns an error that a codec threw while reading as a failure. @param offset the place of the cursor */
export function toReadFailure(error: unknown, offset: number): ReadFailure {
  return error instanceof ReadFailure
    ? error
    : withSteps(error, (cause) => new ReadFailure(offset, EXPECTED, FOUND, cause));
}

/** Returns an error that a codec threw while writing as a failure. */
export function toWriteFailure(error: unknown): WriteFailure {
  return error instanceof WriteFailure
    ? error
    : withSteps(error, (cause) => new WriteFailure(EXPECTED, FOUND, cause));
}

function withSteps<F extends { readonly steps: string[] }>(
  error: unknown,
  failureOf: (cause: unknown) => F,
): F {
  const failure = failureOf(error instanceof Thrown ? error.cause : error);
  if (error instanceof Thrown) failure.steps.push(...error.steps);
  return failure;
}

function causeOf({ cause }: { readonly cause: unknown }): ErrorOptions | undefined {
  return cause === undefined ? undefined : { cause };
}

/** Describes a wrong value in a few words, without showing it. */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (isBytes(value)) return `${value.length} bytes`;
  if (value instanceof Uint8Array)
    return "bytes that cannot be read (a proxy, a detached buffer, a false length)";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (Number.isNaN(value)) return "NaN";
  if (typeof value === "string") return `a string of ${counted(value.length, "character")}`;
  if (typeof value === "number" && !Number.isInteger(value)) return "a number that is not whole";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function formatPath(steps: readonly string[]): string {
  return steps.join(".").replaceAll(".[", "[");
}
