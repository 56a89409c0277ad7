/** Rows of a table on their way to DuckDB. */
import type { Bindings, Chunk } from "../binding.js";
import type { RowContent, Table, TableSource } from "../table.js";
import { CHUNK_ROWS } from "./cells.js";
import type { Column } from "./column.js";
import { columnOf } from "./nested.js";

/** Bytes of the rows in a buffer, because values may be large. As hex they take twice as many. */
const BUFFER_BYTES = 128 * 1024;

/** The cells of up to 2,048 rows, column by column. */
export class RowBuffer {
  readonly #columns: readonly Column[];
  #rows = 0;
  #bytes = 0;

  /** @param reveal whether secrets are shown */
  constructor(table: Table, reveal: boolean) {
    this.#columns = table.columns.map(({ layout }) => columnOf(layout, reveal));
  }

  /** The number of rows. */
  get rows(): number {
    return this.#rows;
  }

  /** Bytes of the rows, as they are stored. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a row. Returns whether the buffer is full. */
  add(row: RowContent, reads: TableSource["reads"]): boolean {
    for (let index = 0; index < this.#columns.length; index++)
      (this.#columns[index] as Column).put(this.#rows, reads[index]?.(row));
    this.#rows++;
    this.#bytes += row.size;
    return this.#rows === CHUNK_ROWS || this.#bytes >= BUFFER_BYTES;
  }

  /** Adds a row whose cells are all null. */
  addNulls(): void {
    this.#rows++;
  }

  /** Moves the rows to the first columns of an empty chunk. The buffer is empty then. */
  moveTo(bindings: Bindings, chunk: Chunk): void {
    bindings.data_chunk_set_size(chunk, this.#rows);
    for (const [index, column] of this.#columns.entries()) {
      column.copyTo(bindings, bindings.data_chunk_get_vector(chunk, index), this.#rows);
      column.clear();
    }
    this.#rows = 0;
    this.#bytes = 0;
  }
}
