/** Fills a table of DuckDB with rows in chunks, so that memory does not grow with the database. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { LoadedDuckDB } from "./binding.js";
import { CHUNK_ROWS } from "./columns/cells.js";
import { RowBuffer } from "./columns/row-buffer.js";
import { type Filled, type ReadOptions, readTable } from "./read-table.js";
import { createTable, type Table } from "./table.js";

/** After so many rows DuckDB moves them into the table, which blocks the event loop for a few milliseconds. */
const FLUSH_ROWS = 4 * CHUNK_ROWS;

/** After so many bytes of rows DuckDB moves them too. */
const FLUSH_BYTES = 1024 * 1024;

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
    const appender = await connection.createAppender(table.name);
    const types = table.columns.map((_, index) => appender.columnType(index));
    const chunk = loaded.duckdb.DuckDBDataChunk.create(types);
    // The rows that DuckDB has not moved yet.
    let [rows, bytes] = [0, 0];
    /** Passes the rows of the buffer to DuckDB, and empties the buffer. */
    const take = async (): Promise<void> => {
      rows += buffer.rows;
      bytes += buffer.bytes;
      loaded.bindings.data_chunk_reset(chunk.chunk);
      buffer.moveTo(loaded.bindings, chunk.chunk);
      appender.appendDataChunk(chunk);
      await turn();
      if (rows < FLUSH_ROWS && bytes < FLUSH_BYTES) return;
      appender.flushSync();
      [rows, bytes] = [0, 0];
      await turn();
    };
    let filled: Filled;
    try {
      filled = await readTable(table, options, (row, reads) => (buffer.add(row, reads) ? take() : undefined));
      if (buffer.rows > 0) await take();
    } finally {
      appender.closeSync();
    }
    await connection.run("COMMIT");
    return filled;
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
