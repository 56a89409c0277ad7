/** Reads an export. It checks every line, and at the end the counts and the hash. */

import { isBytes } from "../bytes/bytes.js";
import { invalidArgument, MerostoreError } from "../errors.js";
import { checkArgument, isPieces } from "../options.js";
import { Schema } from "../schemas/index.js";
import { type ExportedRow, RowChecker } from "./check-rows.js";
import { cutFile, type ExportHeader, wrongLine } from "./form.js";
import { parseHeader } from "./header.js";
import { LONGEST_HEADER } from "./limits.js";

/** An open export: its first line, then its rows. */
export interface ExportReading {
  /** The first line of the export. */
  readonly header: ExportHeader;
  /**
   * Yields the rows in chunks. Iterate once, up to the end: only then it is certain that the file is complete.
   *
   * @param schema checks kinds and values of rows; without it, only their format is checked
   * @throws MerostoreError `EXPORT_INVALID` whose message names the line
   */
  rows(schema?: Schema): AsyncGenerator<readonly ExportedRow[], void, undefined>;
  /** Closes the file early. It is closed automatically at its end and after an error. */
  close(): Promise<void>;
}

const LINE_FEED = 0x0a;

/**
 * Starts reading an export. Memory is bounded for any input: one row of at most 16 MiB is kept at a time, and an
 * invalid line is refused at its first invalid byte.
 *
 * @param pieces the uncompressed bytes of the file
 * @throws MerostoreError `EXPORT_INVALID`; `INVALID_ARGUMENT` for pieces that are not bytes
 */
export async function readExport(pieces: AsyncIterable<Uint8Array>): Promise<ExportReading> {
  checkArgument("readExport", pieces, isPieces);
  const input = checkedPieces(pieces);
  const close = async (): Promise<void> => void (await input.return(undefined));
  try {
    const { line, rest } = await readFirstLine(input);
    const header = parseHeader(line);
    return {
      header,
      rows: (schema) => {
        if (schema !== undefined && !(schema instanceof Schema))
          throw invalidArgument("the schema of `rows` must be a Schema");
        return readRows(new RowChecker(header, schema), rest, input);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Yields the pieces after checking that each is a `Uint8Array`. */
async function* checkedPieces(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    if (!isBytes(piece)) throw invalidArgument("an export must come in pieces that are Uint8Arrays");
    yield piece;
  }
}

/** Reads the first line, without its line feed, and the rest of the piece after it. */
async function readFirstLine(input: AsyncGenerator<Uint8Array>) {
  const begun: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value: piece } = await input.next();
    if (done === true) break;
    const feed = piece.indexOf(LINE_FEED);
    const part = feed < 0 ? piece : piece.subarray(0, feed);
    length += part.length;
    if (length > LONGEST_HEADER)
      throw wrongLine(
        1,
        `it has more than ${LONGEST_HEADER} bytes, too many for the first line of an export, which describes the database`,
      );
    // The caller may reuse the memory of the piece.
    begun.push(new Uint8Array(part));
    if (feed >= 0) return { line: Buffer.concat(begun), rest: new Uint8Array(piece.subarray(feed + 1)) };
  }
  throw length === 0
    ? new MerostoreError("EXPORT_INVALID", "the file is empty, so it is not an export")
    : cutFile("line 1 has no end");
}

async function* readRows(
  checker: RowChecker,
  begun: Uint8Array,
  input: AsyncGenerator<Uint8Array>,
): AsyncGenerator<readonly ExportedRow[], void, undefined> {
  try {
    yield* checker.take(begun);
    for (let next = await input.next(); next.done !== true; next = await input.next())
      yield* checker.take(next.value);
    checker.end();
  } finally {
    await input.return(undefined);
  }
}
