/** Rows into a table of DuckDB: in chunks, so that memory does not grow with the database. */
import type { DuckDBAppender, DuckDBConnection } from "@duckdb/node-api";
import type { LoadedDuckDB } from "./binding.js";
import { CHUNK_ROWS } from "./columns/cells.js";
import { RowBuffer } from "./columns/row-buffer.js";
import { type Filled, type ReadOptions, readTable } from "./read-table.js";
import { createTable, type Table } from "./table.js";

/** Rows after which DuckDB takes them over into the table, which holds the event loop for a few milliseconds. */
const FLUSH_ROWS = 4 * CHUNK_ROWS;

/** The bytes of rows after which it does so. */
const FLUSH_BYTES = 2 * 1024 * 1024;

/** Creates a table and fills it. The table is absent if that fails. */
export async function fillTable(
  loaded: LoadedDuckDB,
  connection: DuckDBConnection,
  table: Table,
  options: ReadOptions,
): Promise<Filled> {
  await connection.run("BEGIN TRANSACTION");
  try {
    await connection.run(createTable(table));
    const buffer = new RowBuffer(table, options.reveal);
    const writer = await TableWriter.open(loaded, connection, table);
    let filled: Filled;
    try {
      filled = await readTable(table, options, (row, reads) =>
        buffer.add(row, reads) ? writer.take(buffer) : undefined,
      );
      if (buffer.rows > 0) await writer.take(buffer);
    } finally {
      writer.close();
    }
    await connection.run("COMMIT");
    return filled;
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Appends rows to a table. */
class TableWriter {
  readonly #loaded: LoadedDuckDB;
  readonly #chunk: InstanceType<LoadedDuckDB["duckdb"]["DuckDBDataChunk"]>;
  readonly #appender: DuckDBAppender;
  /** Rows that DuckDB has not taken over yet, and their bytes. */
  #rows = 0;
  #bytes = 0;

  private constructor(loaded: LoadedDuckDB, appender: DuckDBAppender, columns: number) {
    this.#loaded = loaded;
    this.#appender = appender;
    const types = Array.from({ length: columns }, (_, index) => appender.columnType(index));
    this.#chunk = loaded.duckdb.DuckDBDataChunk.create(types);
  }

  static async open(loaded: LoadedDuckDB, connection: DuckDBConnection, table: Table): Promise<TableWriter> {
    return new TableWriter(loaded, await connection.createAppender(table.name), table.columns.length);
  }

  /** Hands the rows of a buffer to DuckDB. The buffer is empty then. */
  async take(buffer: RowBuffer): Promise<void> {
    this.#rows += buffer.rows;
    this.#bytes += buffer.bytes;
    const { bindings } = this.#loaded;
    const { chunk } = this.#chunk;
    bindings.data_chunk_reset(chunk);
    buffer.moveTo(bindings, chunk);
    this.#appender.appendDataChunk(this.#chunk);
    if (this.#rows >= FLUSH_ROWS || this.#bytes >= FLUSH_BYTES) {
      this.#appender.flushSync();
      this.#rows = 0;
      this.#bytes = 0;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }

  close(): void {
    this.#appender.closeSync();
  }
}
