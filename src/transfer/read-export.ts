/** Reading an export: every line is checked, and at the end the counts and the hash. */

import { isBytes } from "../bytes/bytes.js";
import { MerostoreError } from "../errors.js";
import { Schema } from "../schemas/index.js";
import { type ExportedRow, RowChecker } from "./check-rows.js";
import { cutFile, type ExportHeader, wrongLine } from "./form.js";
import { parseHeader } from "./header.js";
import { LONGEST_TEXT } from "./limits.js";

/** An export that is being read: its first line, then its rows. */
export interface ExportReading {
  /** The first line of the export. */
  readonly header: ExportHeader;
  /**
   * The rows, in pieces, to be iterated once, to the end: only then it is known that the file is whole.
   *
   * @param schema checks kinds and values of rows; without one, only their form is checked
   * @throws MerostoreError `EXPORT_INVALID` naming the line
   */
  rows(schema?: Schema): AsyncGenerator<readonly ExportedRow[], void, undefined>;
  /** Closes the file before its end. At its end, or where it is wrong, it is closed already. */
  close(): Promise<void>;
}

const LINE_FEED = 0x0a;

/**
 * Begins to read an export. Memory does not grow with the file, whatever is in it: one row is held at a time, of at most
 * 16 MiB, and a line that is not one of an export is refused where that shows.
 *
 * @param pieces the bytes of the file, unpacked
 * @throws MerostoreError `EXPORT_INVALID`; `INVALID_ARGUMENT` for pieces that are not bytes
 */
export async function readExport(pieces: AsyncIterable<Uint8Array>): Promise<ExportReading> {
  const input = checkedPieces(pieces);
  const close = async (): Promise<void> => void (await input.return(undefined));
  try {
    const { line, rest } = await readFirstLine(input);
    const header = parseHeader(line);
    return {
      header,
      rows: (schema) => {
        if (schema !== undefined && !(schema instanceof Schema))
          throw new MerostoreError("INVALID_ARGUMENT", "the schema of `rows` must be a Schema");
        return readRows(new RowChecker(header, schema), rest, input);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The pieces, of which each must be bytes. */
async function* checkedPieces(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    if (!isBytes(piece))
      throw new MerostoreError("INVALID_ARGUMENT", "an export must come in pieces that are Uint8Arrays");
    yield piece;
  }
}

/** The first line, without its line feed, and what of the last piece comes after it. */
async function readFirstLine(input: AsyncGenerator<Uint8Array>) {
  const begun: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value: piece } = await input.next();
    if (done === true) break;
    const feed = piece.indexOf(LINE_FEED);
    const part = feed < 0 ? piece : piece.subarray(0, feed);
    length += part.length;
    if (length > LONGEST_TEXT)
      throw wrongLine(
        1,
        `it has more than ${LONGEST_TEXT} bytes, and the first line of an export has fewer: it describes the database`,
      );
    // The owner of the piece may use its memory again.
    begun.push(new Uint8Array(part));
    if (feed >= 0) return { line: Buffer.concat(begun), rest: new Uint8Array(piece.subarray(feed + 1)) };
  }
  throw length === 0
    ? new MerostoreError("EXPORT_INVALID", "the file is empty: it is no export")
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
