/** The rows of a table, from all of its databases in order. */
import { Pause } from "../pause.js";
import { contentsOf } from "./contents.js";
import type { RowContent, Table, TableSource } from "./table.js";

/** Options for reading the rows of a table. */
export interface ReadOptions {
  /** True if secrets are shown. */
  readonly reveal: boolean;
  /** Called after each chunk with the rows and the bytes of their keys and values. It may throw to end the work. */
  readonly onRows: (rows: number, bytes: number) => void;
}

/** The totals of reading a table. */
export interface Filled {
  readonly rows: number;
  /** Rows whose value does not decode. */
  readonly undecoded: number;
}

/** Receives a row and the readers of its columns. Returns a promise if the next row must wait. */
type TakeRow = (row: RowContent, reads: TableSource["reads"]) => Promise<void> | undefined;

/** Reads the rows of a table. @throws errors of reading, of `onRows` and of `take` */
export async function readTable(
  table: Table,
  { reveal, onRows }: ReadOptions,
  take: TakeRow,
): Promise<Filled> {
  let rows = 0;
  let undecoded = 0;
  const pause = new Pause();
  for (const source of table.sources) {
    for await (const some of contentsOf(source, reveal)) {
      for (const content of some.contents) {
        if (content.error !== undefined) undecoded++;
        const wait = take(content, source.reads);
        if (wait !== undefined) await wait;
        if (pause.isLong) await pause.ifLong();
      }
      rows += some.rows;
      onRows(some.rows, some.bytes);
    }
  }
  return { rows, undecoded };
}
