/** Splits the bytes of an export into lines, and parses lines. */

import { wrongLine } from "./form.js";
import { LONGEST_LINE, MOST_VALUES } from "./limits.js";

const LINE_FEED = 0x0a;

/** Splits bytes that arrive in pieces of any size into lines. */
export class LineSplitter {
  /** The number of the line that was yielded last, or that is incomplete. */
  number: number;
  /** Copies of the pieces of an incomplete line, because the caller may reuse the memory of a piece. */
  #begun: Uint8Array[] = [];
  #length = 0;

  /** @param number the number of the first line */
  constructor(number: number) {
    this.number = number;
  }

  /** True if the bytes so far end within a line. */
  get within(): boolean {
    return this.#length > 0;
  }

  /**
   * Yields the lines that end in a piece, each with its line feed. A line is valid until the next one is requested.
   *
   * @throws MerostoreError `EXPORT_INVALID` for a line of more than `LONGEST_LINE` bytes
   */
  *take(piece: Uint8Array): Generator<Uint8Array, void, undefined> {
    for (let at = 0; at < piece.length; ) {
      const end = piece.indexOf(LINE_FEED, at) + 1;
      const part = piece.subarray(at, end === 0 ? piece.length : end);
      this.#length += part.length;
      if (this.#length > LONGEST_LINE)
        throw wrongLine(this.number, `it has more than ${LONGEST_LINE} bytes, which no export has`);
      at += part.length;
      if (end === 0) this.#begun.push(new Uint8Array(part));
      else {
        const line = this.#begun.length === 0 ? part : Buffer.concat([...this.#begun, part]);
        this.#begun = [];
        this.#length = 0;
        yield line;
        this.number++;
      }
    }
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Parses the fields of a line. @throws MerostoreError `EXPORT_INVALID` */
export function parseLine(line: Uint8Array, number: number): Readonly<Record<string, unknown>> {
  if (line.length > MOST_VALUES && countValues(line) > MOST_VALUES)
    throw wrongLine(number, `it has more than ${MOST_VALUES} values, which no export has`);
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(line));
  } catch {
    throw wrongLine(number, "this is not JSON");
  }
  if (isFields(value)) return value;
  throw wrongLine(number, "this is not a JSON object");
}

/** Returns true if a value is a JSON object. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an upper limit of the number of values in a line of JSON: characters inside texts count too. */
export function countValues(line: Uint8Array): number {
  let count = 1;
  for (let at = 0; at < line.length; at++) {
    const byte = line[at];
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count++;
  }
  return count;
}
