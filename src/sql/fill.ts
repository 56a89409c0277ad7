/** Rows into a table of DuckDB: in chunks, so that memory does not grow with the database. */
import type { DuckDBAppender, DuckDBConnection, DuckDBType } from "@duckdb/node-api";
import type { LoadedDuckDB } from "./binding.js";
import { CHUNK_ROWS } from "./columns/cells.js";
import type { Column } from "./columns/column.js";
import { columnOf } from "./columns/nested.js";
import { contentsOf } from "./contents.js";
import { createTable, type RowContent, type Table, type TableSource } from "./table.js";

/** Bytes of the rows in a chunk, because values may be large. As hex they take twice as many. */
const CHUNK_BYTES = 2 * 1024 * 1024;

/** Rows after which DuckDB takes them over into the table, which holds the event loop for a few milliseconds. */
const FLUSH_ROWS = 4 * CHUNK_ROWS;

/** What reading the rows of a table came to. */
export interface Filled {
  readonly rows: number;
  /** Rows whose value does not decode. */
  readonly undecoded: number;
}

/** How tables are filled. */
export interface FillOptions {
  readonly reveal: boolean;
  /** Called after each chunk with the rows and the bytes of their keys and values. It may throw to end the work. */
  readonly onRows: (rows: number, bytes: number) => void;
}

/** Creates a table and fills it. The table is absent if that fails. */
export async function fillTable(
  loaded: LoadedDuckDB,
  connection: DuckDBConnection,
  table: Table,
  { reveal, onRows }: FillOptions,
): Promise<Filled> {
  await connection.run("BEGIN TRANSACTION");
  try {
    await connection.run(createTable(table));
    const writer = await TableWriter.open(loaded, connection, table, reveal);
    let undecoded = 0;
    let rows = 0;
    try {
      for (const source of table.sources) {
        for await (const some of contentsOf(source, reveal)) {
          for (const content of some.contents) if (writer.add(content, source.reads)) await writer.hand();
          undecoded += some.undecoded;
          rows += some.contents.length;
          onRows(some.contents.length, some.bytes);
        }
      }
      await writer.hand();
    } finally {
      writer.close();
    }
    await connection.run("COMMIT");
    return { rows, undecoded };
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Collects rows in chunks and appends them to a table. */
class TableWriter {
  readonly #loaded: LoadedDuckDB;
  readonly #columns: readonly Column[];
  readonly #chunk: InstanceType<LoadedDuckDB["duckdb"]["DuckDBDataChunk"]>;
  readonly #appender: DuckDBAppender;
  #rows = 0;
  /** Bytes of the rows of the chunk, as they are stored. */
  #bytes = 0;
  #unflushed = 0;

  private constructor(
    loaded: LoadedDuckDB,
    columns: readonly Column[],
    appender: DuckDBAppender,
    types: readonly DuckDBType[],
  ) {
    this.#loaded = loaded;
    this.#columns = columns;
    this.#appender = appender;
    this.#chunk = loaded.duckdb.DuckDBDataChunk.create(types);
  }

  static async open(
    loaded: LoadedDuckDB,
    connection: DuckDBConnection,
    table: Table,
    reveal: boolean,
  ): Promise<TableWriter> {
    const appender = await connection.createAppender(table.name);
    const types = table.columns.map((_, index) => appender.columnType(index));
    return new TableWriter(
      loaded,
      table.columns.map(({ layout }) => columnOf(layout, reveal)),
      appender,
      types,
    );
  }

  /** Adds a row. Returns whether the chunk is full: `hand` it over then. */
  add(row: RowContent, reads: TableSource["reads"]): boolean {
    for (let index = 0; index < this.#columns.length; index++)
      (this.#columns[index] as Column).put(this.#rows, reads[index]?.(row));
    this.#rows++;
    this.#bytes += row.size;
    return this.#rows === CHUNK_ROWS || this.#bytes >= CHUNK_BYTES;
  }

  /** Hands the rows to DuckDB. */
  async hand(): Promise<void> {
    if (this.#rows === 0) return;
    const { bindings } = this.#loaded;
    const { chunk } = this.#chunk;
    bindings.data_chunk_reset(chunk);
    bindings.data_chunk_set_size(chunk, this.#rows);
    for (const [index, column] of this.#columns.entries()) {
      column.copyTo(bindings, bindings.data_chunk_get_vector(chunk, index), this.#rows);
      column.clear();
    }
    this.#appender.appendDataChunk(this.#chunk);
    this.#unflushed += this.#rows;
    if (this.#unflushed >= FLUSH_ROWS || this.#bytes >= CHUNK_BYTES) {
      this.#appender.flushSync();
      this.#unflushed = 0;
    }
    this.#rows = 0;
    this.#bytes = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }

  close(): void {
    this.#appender.closeSync();
  }
}
