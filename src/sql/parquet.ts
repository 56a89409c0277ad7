/** Parquet: a whole database as one file for each kind of row, and an answer as one file. */
import { createReadStream } from "node:fs";
import { chmod, open } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { PRIVATE_FILE } from "../disk/access.js";
import { makeFolder } from "../disk/new-folder.js";
import { invalidArgument, isMerostoreError } from "../errors.js";
import { checkOptions, isFlag, isFunction, isWholeNumber, type OptionChecks } from "../options.js";
import type { StoreReader } from "../store/index.js";
import { chunksOf, type SqlAnswer } from "./answer.js";
import { fillTable } from "./fill.js";
import { quotedName } from "./layout.js";
import { interrupting, isSignal, LEAST_BYTES, MEMORY_BYTES, openDuckDB } from "./open.js";
import { namedStores, tablesOf } from "./table.js";

/** Options of {@link exportParquet}. */
export interface ParquetOptions {
  /** Show private keys, shared keys and private state; otherwise they are null. */
  readonly revealSecrets?: boolean | undefined;
  /** Bytes of memory that DuckDB may use, 256 MiB unless given, 64 MiB at least. What is beyond them goes to temporary files. */
  readonly memoryBytes?: number | undefined;
  /**
   * Called from time to time with the number of rows read so far, and the size of their keys and values in bytes. An
   * error that it throws ends the export.
   */
  readonly onProgress?: ((rows: number, bytes: number) => void) | undefined;
  /** Ends the export when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** The totals of an export to Parquet. */
export interface ParquetSummary {
  /** Rows of all files. */
  readonly rows: number;
  /** Rows whose value does not decode: their fields are null, and the column `error` says why. */
  readonly undecoded: number;
  /** Names of the files, each `KIND.parquet`. */
  readonly files: readonly string[];
}

const parquetOptions: OptionChecks<ParquetOptions> = {
  revealSecrets: isFlag,
  memoryBytes: isWholeNumber(LEAST_BYTES),
  onProgress: isFunction,
  signal: isSignal,
};

/**
 * Writes a file `KIND.parquet` for each kind of row that has rows, with the columns of {@link openSql}. Needs the package
 * `@duckdb/node-api`.
 *
 * @param stores a store, or several by the names that the column `node` has
 * @param folder a missing path or an empty folder, which gets its name when all files are complete
 * @throws MerostoreError `NATIVE_LOAD_FAILED` if the package is not installed, `INVALID_ARGUMENT`, `NOT_A_DATABASE` for a
 *   folder that holds files, and errors of reading
 * @example
 * const { rows, files } = await exportParquet(store, "parquet");
 */
export async function exportParquet(
  stores: StoreReader | Readonly<Record<string, StoreReader>>,
  folder: string,
  options: ParquetOptions = {},
): Promise<ParquetSummary> {
  checkOptions("exportParquet", options, parquetOptions);
  const { revealSecrets: reveal = false, memoryBytes = PARQUET_BYTES, onProgress, signal } = options;
  const { named, withNode } = namedStores(stores);
  const tables = tablesOf(named, withNode);
  const files: string[] = [];
  let rows = 0;
  let undecoded = 0;
  let read = 0;
  let bytes = 0;
  const onRows = (more: number, size: number): void => {
    signal?.throwIfAborted();
    read += more;
    bytes += size;
    onProgress?.(read, bytes);
  };
  await makeEmptyFolder(folder, async (made) => {
    await using duckdb = await openDuckDB(memoryBytes, true, 1);
    const filling = await duckdb.connect();
    const writing = await duckdb.connect();
    using _ = interrupting(writing, signal);
    // A table is written while the next one is filled.
    let written: Promise<void> = Promise.resolve();
    for (const table of tables) {
      const filled = await fillTable(duckdb.loaded, filling, table, { reveal, onRows });
      await written;
      const name = `${table.name}.parquet`;
      if (filled.rows > 0) files.push(name);
      written = writeTable(writing, table.name, filled.rows > 0 ? join(made, name) : undefined);
      written.catch(() => undefined); // reported when it is awaited
      rows += filled.rows;
      undecoded += filled.undecoded;
    }
    await written;
  });
  return { rows, undecoded, files };
}

async function makeEmptyFolder(path: string, make: (folder: string) => Promise<void>): Promise<void> {
  try {
    await makeFolder(path, "exporting", make);
  } catch (error) {
    if (!isMerostoreError(error, "NOT_A_DATABASE")) throw error;
    throw invalidArgument(`${path} must be a missing path or an empty folder`);
  }
}

/** Bytes of memory of an export, unless the caller names another number. */
const PARQUET_BYTES = 256 * 1024 * 1024;

/** Rows of a row group: each waits in memory until it is complete. */
const GROUP_ROWS = 32_768;

/** Drops a table, after writing it to a file if a path is given. */
async function writeTable(
  connection: DuckDBConnection,
  name: string,
  path: string | undefined,
): Promise<void> {
  if (path !== undefined) await copyTable(connection, quotedName(name), path);
  await connection.run(`DROP TABLE ${quotedName(name)}`);
}

async function copyTable(connection: DuckDBConnection, from: string, path: string): Promise<void> {
  await connection.run(`COPY ${from} TO ${quotedText(path)} (FORMAT parquet, ROW_GROUP_SIZE ${GROUP_ROWS})`);
  // Only the owner may read it: the content of a database is private.
  await chmod(path, PRIVATE_FILE);
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Types that DuckDB does not write to Parquet as they are. */
const WITHOUT_PARQUET = /\b(U?HUGEINT|UNION|BIGNUM|BIT|VARIANT)\b/;

/**
 * Yields a Parquet file with the rows of an answer. A HUGEINT, as sums have, becomes a DECIMAL of 38 digits.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a type that Parquet does not have, and the errors of reading the answer
 * @example
 * import { writeFile } from "node:fs/promises";
 * import { openStore } from "merostore";
 * import { openSql, parquetOf } from "merostore/sql";
 *
 * await using store = await openStore("node/data");
 * await using sql = await openSql(store);
 * await writeFile("members.parquet", parquetOf(await sql.query("from GroupMember")));
 */
export async function* parquetOf(answer: SqlAnswer): AsyncGenerator<Uint8Array, void, undefined> {
  const list = answer.columns.map(({ name, type }) => {
    if (type === "HUGEINT") return `CAST(${quotedName(name)} AS DECIMAL(38, 0)) AS ${quotedName(name)}`;
    if (WITHOUT_PARQUET.test(type.replaceAll(/"(?:[^"]|"")*"/g, "")))
      throw invalidArgument(`Parquet has no type for the column ${name}: write ${name}::VARCHAR`);
    return quotedName(name);
  });
  await using duckdb = await openDuckDB(MEMORY_BYTES, true, 1);
  const connection = await duckdb.connect();
  const columns = answer.columns.map(({ name, type }) => `${quotedName(name)} ${type}`);
  await connection.run(`CREATE TABLE answer (${columns.join(", ")})`);
  const appender = await connection.createAppender("answer");
  try {
    for await (const chunk of chunksOf(answer)) {
      appender.appendDataChunk(chunk);
      appender.flushSync();
    }
  } finally {
    appender.closeSync();
  }
  const path = join(duckdb.folder, "answer.parquet");
  await connection.run(
    `COPY (SELECT ${list.join(", ")} FROM answer) TO ${quotedText(path)} (FORMAT parquet)`,
  );
  yield* createReadStream(path) as AsyncIterable<Uint8Array>;
}

/** A text as SQL takes any text. */
function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
