/**
 * A table function through which DuckDB reads rows while they are produced: a statement over a whole table needs the
 * memory of a few chunks.
 *
 * DuckDB calls the function from its own thread. The function runs in the thread of JavaScript, which must not block.
 * When no row is ready, the function returns a row that tells the statement to sleep for a moment. The statement omits
 * that row.
 */
import type { DuckDBConnection, DuckDBDataChunk, DuckDBType } from "@duckdb/node-api";
import type { LoadedDuckDB } from "./binding.js";
import { RowBuffer } from "./columns/row-buffer.js";
import { quotedName, typeText } from "./layout.js";
import type { RowContent, Table, TableSource } from "./table.js";

/** The most full buffers that wait for DuckDB: it fetches none while it writes a row group. */
const AHEAD = 4;

/** Milliseconds that DuckDB waits for rows. */
const SLEEP = 1n;

/** The name of the table function. */
const NAME = "merostore_rows";

/** The column that says how many milliseconds to wait. */
const WAIT = "wait";

/** Streams of rows on a connection, one at a time. */
export class RowStreams {
  readonly #loaded: LoadedDuckDB;
  readonly #connection: DuckDBConnection;
  #current: { readonly types: readonly DuckDBType[]; readonly stream: RowStream } | undefined;

  constructor(loaded: LoadedDuckDB, connection: DuckDBConnection) {
    this.#loaded = loaded;
    this.#connection = connection;
    const { DuckDBTableFunction, BIGINT } = loaded.duckdb;
    connection.registerTableFunction(
      DuckDBTableFunction.create({
        name: NAME,
        bindFunction: (info) => {
          for (const [index, type] of this.#types.entries()) info.addResultColumn(columnName(index), type);
          info.addResultColumn(WAIT, BIGINT);
        },
        // Rows keep their order.
        initFunction: (info) => info.setMaxThreads(1),
        mainFunction: (info, output) => {
          try {
            this.#stream.fill(this.#loaded, output);
          } catch (error) {
            info.setError(error instanceof Error ? error.message : String(error));
          }
        },
      }),
    );
  }

  /**
   * Runs a statement over the rows of a stream.
   *
   * @param statement the statement around a query whose answer is the table
   */
  async run(stream: RowStream, statement: (query: string) => string): Promise<void> {
    const { columns } = stream.table;
    const nulls = columns.map(({ layout }) => `NULL::${typeText(layout)}`);
    const types = (await this.#connection.run(`SELECT ${nulls.join(", ")}`)).columnTypes();
    this.#current = { types, stream };
    const list = columns.map(({ name }, index) => `${columnName(index)} AS ${quotedName(name)}`);
    const ready = `CASE WHEN ${WAIT} = 0 THEN true ELSE sleep_ms(${WAIT}) IS NOT NULL END`;
    try {
      await this.#connection.run(statement(`SELECT ${list.join(", ")} FROM ${NAME}() WHERE ${ready}`));
    } finally {
      this.#current = undefined;
    }
  }

  get #types(): readonly DuckDBType[] {
    return this.#current?.types ?? [];
  }

  get #stream(): RowStream {
    if (this.#current === undefined) throw new Error("no rows are streamed");
    return this.#current.stream;
  }
}

function columnName(index: number): string {
  return `c${index}`;
}

/** The rows of a table on their way from their reader to DuckDB. */
export class RowStream {
  readonly table: Table;
  readonly #reveal: boolean;
  readonly #full: RowBuffer[] = [];
  readonly #empty: RowBuffer[] = [];
  readonly #nothing: RowBuffer;
  #filling: RowBuffer;
  #state: "reading" | "complete" | "failed" | "abandoned" = "reading";
  #taken: (() => void) | undefined;

  /** @param reveal whether secrets are shown */
  constructor(table: Table, reveal: boolean) {
    this.table = table;
    this.#reveal = reveal;
    this.#filling = new RowBuffer(table, reveal);
    this.#nothing = new RowBuffer(table, reveal);
  }

  /** Adds a row. Returns a promise if the buffers are full: the next row must wait for it. */
  add(row: RowContent, reads: TableSource["reads"]): Promise<void> | undefined {
    if (!this.#filling.add(row, reads)) return undefined;
    return this.#hand();
  }

  /** Ends the rows: they are complete. */
  complete(): void {
    if (this.#filling.rows > 0) this.#full.push(this.#filling);
    this.#state = "complete";
  }

  /** Ends the rows early: the statement over them fails. */
  fail(): void {
    this.#state = "failed";
  }

  /** Stops accepting rows, because the statement over them has failed: adding then fails. */
  abandon(): void {
    this.#state = "abandoned";
    this.#taken?.();
  }

  /** True if the statement over the rows has failed before they ended. */
  get abandoned(): boolean {
    return this.#state === "abandoned";
  }

  async #hand(): Promise<void> {
    this.#full.push(this.#filling);
    this.#filling = this.#empty.pop() ?? new RowBuffer(this.table, this.#reveal);
    // DuckDB fetches rows while this thread is idle.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#full.length >= AHEAD && !this.abandoned)
      await new Promise<void>((resolve) => {
        this.#taken = resolve;
      });
    if (this.abandoned) throw new Error("the statement over these rows has failed");
  }

  /** Fills a chunk for DuckDB: with rows, with one row that makes it wait, or with none at the end. */
  fill({ bindings }: LoadedDuckDB, { chunk }: DuckDBDataChunk): void {
    if (this.#state === "failed") throw new Error("the rows end early");
    const buffer = this.#full.shift();
    if (buffer === undefined && this.#state === "complete") {
      bindings.data_chunk_set_size(chunk, 0);
      return;
    }
    if (buffer === undefined) this.#nothing.addNulls();
    const from = buffer ?? this.#nothing;
    const waits = new BigInt64Array(from.rows).fill(buffer === undefined ? SLEEP : 0n);
    from.moveTo(bindings, chunk);
    const column = bindings.data_chunk_get_vector(chunk, this.table.columns.length);
    bindings.copy_data_to_vector(column, 0, waits.buffer, 0, waits.byteLength);
    if (buffer === undefined) return;
    this.#empty.push(buffer);
    this.#taken?.();
  }
}
