/** A whole database as Parquet: one file for each kind of row. */
import { chmod, open } from "node:fs/promises";
import { join } from "node:path";
import { PRIVATE_FILE } from "../disk/access.js";
import { locationText, type PathOrUrl } from "../disk/location.js";
import { makeFolder } from "../disk/new-folder.js";
import { sizeOf } from "../engine/abortable.js";
import { refuseLost } from "../engine/lost.js";
import { invalidArgument, isMerostoreError } from "../errors.js";
import { checkOptions, isFlag, isWholeNumber, type OptionChecks } from "../options.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import type { StoreReader } from "../store/index.js";
import { quotedText, typeText } from "./layout.js";
import { interrupting, LEAST_BYTES, openDuckDB } from "./open.js";
import { dictionaryLimit, memoryFor } from "./parquet-form.js";
import { type Filled, type ReadOptions, readTable } from "./read-table.js";
import { RowStream, RowStreams } from "./row-stream.js";
import { namedStores, type Table, tablesOf } from "./table.js";

/** Options of {@link exportParquet}. */
export interface ParquetOptions extends ProgressOptions {
  /** Show private keys, shared keys and private state; otherwise they are null. */
  readonly revealSecrets?: boolean | undefined;
  /**
   * The bytes of memory that DuckDB may use, at least 64 MiB. Larger data goes to temporary files. Unless given, 256
   * MiB, and 357 MiB for core-1.0, whose operations have hundreds of columns.
   */
  readonly memoryBytes?: number | undefined;
}

/** The totals of an export to Parquet. */
export interface ParquetSummary {
  /** Rows of all files. */
  readonly rows: number;
  /** The number of rows whose value does not decode. Their fields are null, and the column `error` has the reason. */
  readonly undecoded: number;
  /** Names of the files, each `KIND.parquet`. */
  readonly files: readonly string[];
}

const parquetOptions: OptionChecks<ParquetOptions> = {
  revealSecrets: isFlag,
  memoryBytes: isWholeNumber(LEAST_BYTES),
  ...progressOptions,
};

/**
 * Writes a file `KIND.parquet` for each kind of row that has rows, with the columns of {@link openSql}. Needs the
 * package `@duckdb/node-api`.
 *
 * @param stores a store, or several by the names that the column `node` has
 * @param folder a missing path or an empty folder, which gets its name when all files are complete
 * @throws MerostoreError `NATIVE_LOAD_FAILED` if the package is not installed, `INVALID_ARGUMENT`, also for a folder
 *   that holds files, and errors of reading
 * @example
 * const { rows, files } = await exportParquet(store, "parquet");
 */
export async function exportParquet(
  stores: StoreReader | Readonly<Record<string, StoreReader>>,
  folder: PathOrUrl,
  options: ParquetOptions = {},
): Promise<ParquetSummary> {
  checkOptions("exportParquet", options, parquetOptions);
  const path = locationText(folder, "the folder of an export");
  const { revealSecrets: reveal = false, signal } = options;
  const { named, withNode } = namedStores(stores);
  for (const { store } of named) refuseLost(store.raw);
  const tables = tablesOf(named, withNode);
  const { memoryBytes = Math.max(...tables.map((table) => memoryFor(typesOf(table), PARQUET_BYTES))) } =
    options;
  const files: string[] = [];
  let rows = 0;
  let undecoded = 0;
  const follower = new Follower(options);
  const onRows = (more: number, bytes: number): void => follower.add(more, bytes);
  await makeEmptyFolder(path, async (made) => {
    for (const { store } of named) follower.size += await sizeOf(store.raw);
    await using duckdb = await openDuckDB(memoryBytes, true, 1);
    const connection = await duckdb.connect();
    using _ = interrupting(connection, signal);
    const streams = new RowStreams(duckdb.loaded, connection);
    for (const table of tables) {
      const name = `${table.name}.parquet`;
      const filled = await writeTable(streams, table, join(made, name), {
        reveal,
        onRows,
        memoryBytes,
      }).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw error;
      });
      if (filled.rows > 0) files.push(name);
      rows += filled.rows;
      undecoded += filled.undecoded;
    }
    follower.end();
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

function typesOf({ columns }: Table): readonly string[] {
  return columns.map(({ layout }) => typeText(layout));
}

/** Bytes of memory that an export may use by default, unless a kind of row has too many columns for them. */
const PARQUET_BYTES = 256 * 1024 * 1024;

/** The most rows of a row group. */
const GROUP_ROWS = 32_768;

/** Bytes of a row group in DuckDB's memory, which holds it until it is complete. */
const GROUP_BYTES = 16 * 1024 * 1024;

/** Writes the rows of a table to a file, unless the table is empty. */
async function writeTable(
  streams: RowStreams,
  table: Table,
  path: string,
  options: ReadOptions & { readonly memoryBytes: number },
): Promise<Filled> {
  const stream = new RowStream(table, options.reveal);
  let written: Promise<void> | undefined;
  const start = (): Promise<void> => {
    const limit = dictionaryLimit(typesOf(table), options.memoryBytes);
    const work = streams.run(stream, (query) => copyTo(query, path, limit));
    work.catch(() => stream.abandon()); // reported when it is awaited
    return work;
  };
  let filled: Filled;
  try {
    filled = await readTable(table, options, (row, reads) => {
      written ??= start();
      return stream.add(row, reads);
    });
  } catch (error) {
    // If writing failed first, its error is the one to report.
    if (stream.abandoned) await written;
    stream.fail();
    await written?.catch(() => undefined);
    throw error;
  }
  stream.complete();
  await written;
  if (written !== undefined) await secure(path);
  return filled;
}

function copyTo(query: string, path: string, limit: string): string {
  return `COPY (${query}) TO ${quotedText(path)} (FORMAT parquet, ROW_GROUP_SIZE ${GROUP_ROWS}, ROW_GROUP_SIZE_BYTES ${GROUP_BYTES}, ${limit})`;
}

/** Only the owner may read it: the content of a database is private. */
async function secure(path: string): Promise<void> {
  await chmod(path, PRIVATE_FILE);
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
