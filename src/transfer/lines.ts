/** The lines of a file as it comes in, whatever its pieces are. */

import { MerostoreError } from "../errors.js";

const LINE_FEED = 0x0a;

/** A line of more bytes is none of ours: the longest value of a row is far below. */
const LONGEST = 512 * 1024 * 1024;

/** A line without its line feed. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
}

/**
 * The lines, those of each piece together. What follows the last line feed must be nothing.
 *
 * @throws MerostoreError `EXPORT_INVALID`
 */
export async function* readLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  let number = 0;
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  for await (const piece of pieces) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, start)) {
      const last = piece.subarray(start, end);
      lines.push({ number: ++number, bytes: begun.length === 0 ? last : Buffer.concat([...begun, last]) });
      begun = [];
      begunBytes = 0;
      start = end + 1;
    }
    if (start < piece.length) begun.push(piece.subarray(start));
    begunBytes += piece.length - start;
    if (begunBytes > LONGEST)
      throw new MerostoreError(
        "EXPORT_INVALID",
        `line ${number + 1} has more than ${LONGEST} bytes: this is no export`,
      );
    if (lines.length > 0) yield lines;
  }
  if (begun.length > 0)
    throw new MerostoreError(
      "EXPORT_INVALID",
      `line ${number + 1} has no end: the file was cut. Export again`,
    );
}
