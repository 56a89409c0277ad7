/** Recovery: writes everything readable in a damaged database into a new one. */

import { readdirSync } from "node:fs";
import { resolve, sep } from "node:path";
import { checkFree, contentOf, folderFiles, isDatabaseFile } from "../disk/folder.js";
import { locationText, type PathOrUrl } from "../disk/location.js";
import { realPath } from "../disk/outside.js";
import type { Engine, RawRow, WriteOperation } from "../engine/engine.js";
import { invalidArgument, MerostoreError } from "../errors.js";
import { checkOptions, isFunction, isOneOf, type OptionChecks } from "../options.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import { createDatabase } from "./create.js";
import type { RowWriter } from "./files/recover/families.js";
import type { RecoveryFinding } from "./files/recover/finding.js";
import { type Recovered, readRecovered } from "./files/recover/recovered.js";
import { type EngineOptions, folderEngines } from "./open.js";
import { isPostgresUrl } from "./server.js";

/** Options of {@link recoverDatabase}. The progress counts the bytes of tables. */
export interface RecoveryOptions extends ProgressOptions {
  /** Called with each loss or doubt when it is found. The recovery waits for a returned promise. */
  readonly onFinding?: ((finding: RecoveryFinding) => unknown) | undefined;
  /**
   * The programs that may have written the database, the likeliest first. They are used if no file has the name of a
   * column family. If they do not give a name either, the new name is `unknown-` and the family's id.
   */
  readonly writers?: readonly RowWriter[] | undefined;
  /** The engine that writes the new database: `files` by default. */
  readonly newEngine?: EngineOptions["engine"];
}

const recoveryOptions: OptionChecks<RecoveryOptions> = {
  onFinding: isFunction,
  ...progressOptions,
  writers: (value) =>
    Array.isArray(value) && value.every(isWriter) ? undefined : "a list of { columns, fits }",
  newEngine: isOneOf(folderEngines),
};

function isWriter(value: unknown): boolean {
  const { columns, fits } = (value ?? {}) as Partial<RowWriter>;
  return (
    Array.isArray(columns) && columns.every((name) => typeof name === "string") && typeof fits === "function"
  );
}

/** The recovered part of a column family. */
export interface RecoveredFamily {
  /** Its name. For an unknown name, `unknown-` and the family's id, or `unknown-table-` and the number of a table. */
  readonly column: string;
  /** The source of its name: a file, a guess by the rows, or none. */
  readonly name: "file" | "guess" | "none";
  /** Its rows. */
  readonly rows: number;
  /** The bytes of their keys and values. */
  readonly bytes: number;
}

/** The result of a recovery. */
export interface Recovery {
  /** All rows. */
  readonly rows: number;
  /** The bytes of all keys and values. */
  readonly bytes: number;
  /** The column families of the new database. */
  readonly columns: readonly RecoveredFamily[];
  /** The number of rows in column families whose name is a guess or unknown. A reader may not find them there. */
  readonly misplaced: number;
  /**
   * True if a whole MANIFEST names the files. Without it, a missing file goes unnoticed: rows may be lost without a
   * finding, and deleted or replaced rows may be back.
   */
  readonly isManifestWhole: boolean;
  /** The number of findings about losses. */
  readonly losses: number;
  /** The number of other findings. */
  readonly remarks: number;
  /** The number of unreadable bytes in files that may have had rows. */
  readonly lostBytes: number;
}

/** Limits of one batch. */
const BATCH_ROWS = 1000;
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Writes everything readable in a damaged database into a new one. The damaged folder is only read, and nobody may
 * write to it meanwhile. A damaged block of a table, or a damaged record of a log, is left out; everything around it is
 * kept. Of each row, the newest readable version is kept. If the newest version was in a damaged block, an older
 * version or a deleted row may come back. The new folder gets its name when it is complete.
 *
 * @param source the folder of the damaged database; CURRENT, the MANIFEST and other files may be missing
 * @param to a missing or empty folder
 * @throws MerostoreError DATABASE_NOT_FOUND, NOT_A_DATABASE, DATABASE_EXISTS, INVALID_ARGUMENT, ENGINE_FAILED;
 *   FORMAT_UNSUPPORTED for a database with values in blob files or without bytewise order
 * @example
 *     const { rows, losses } = await recoverDatabase("node/data", "node/recovered", {
 *       onFinding: ({ file, offset, message }) => console.log(file, offset, message),
 *     });
 */
export async function recoverDatabase(
  source: PathOrUrl,
  to: PathOrUrl,
  options: RecoveryOptions = {},
): Promise<Recovery> {
  const path = locationText(source, "the path of a recovery");
  const target = locationText(to, "the target of a recovery");
  checkOptions("recoverDatabase", options, recoveryOptions);
  if (isPostgresUrl(path) || isPostgresUrl(target))
    throw invalidArgument("a recovery reads a folder and writes a folder");
  checkDamaged(path);
  checkOutside(path, target);
  checkFree(target);
  const place = resolve(target);
  const { onFinding, newEngine, writers = [] } = options;
  const counts = { losses: 0, remarks: 0, lostBytes: 0 };
  /** The unfinished calls of the receiver of findings. */
  let waits: Promise<unknown>[] = [];
  const follower = new Follower(options, "bytes");
  const recovered = await readRecovered(folderFiles(path), {
    onFinding: (finding) => {
      counts[finding.lost ? "losses" : "remarks"]++;
      counts.lostBytes += finding.lost ? finding.bytes : 0;
      const wait = onFinding?.(finding);
      if (!(wait instanceof Promise)) return;
      wait.catch(() => undefined); // `settled` throws its error
      waits.push(wait);
    },
    settled: () => {
      if (waits.length === 0) return undefined;
      const all = Promise.all(waits);
      waits = [];
      return all;
    },
    onRead: (bytes) => follower.add(bytes),
    writers,
  });
  follower.size = recovered.bytes;
  const made = { columns: recovered.columns, newEngine, purpose: "recovering" } as const;
  return createDatabase(place, made, async (engine) => {
    const columns: RecoveredFamily[] = [];
    for (const column of recovered.columns) columns.push(await writeFamily(engine, recovered, column));
    follower.end();
    const sum = (of: (family: RecoveredFamily) => number) =>
      columns.reduce((total, family) => total + of(family), 0);
    return {
      rows: sum(({ rows }) => rows),
      bytes: sum(({ bytes }) => bytes),
      columns,
      isManifestWhole: recovered.isManifestWhole,
      misplaced: sum(({ name, rows }) => (name === "file" ? 0 : rows)),
      ...counts,
    };
  });
}

/** Writes the rows of a family. */
async function writeFamily(engine: Engine, recovered: Recovered, column: string): Promise<RecoveredFamily> {
  let rows = 0;
  let bytes = 0;
  const counted = async function* (): AsyncGenerator<readonly RawRow[]> {
    for await (const piece of recovered.rows(column)) {
      rows += piece.length;
      for (const { key, value } of piece) bytes += key.length + value.length;
      yield piece;
    }
  };
  if (engine.load === undefined) await writeBatches(engine, column, counted());
  else await engine.load(column, counted());
  return { column, name: recovered.source(column), rows, bytes };
}

/** Writes rows in batches: while the engine writes one, the next is read. */
async function writeBatches(
  engine: Engine,
  column: string,
  rows: AsyncIterable<readonly RawRow[]>,
): Promise<void> {
  let batch: WriteOperation[] = [];
  let bytes = 0;
  let writing: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    await writing;
    writing = engine.write(batch, { owned: true });
    writing.catch(() => undefined); // the caller that awaits it gets the error
    batch = [];
    bytes = 0;
  };
  for await (const piece of rows)
    for (const { key, value } of piece) {
      batch.push({ type: "put", column, key, value });
      bytes += key.length + value.length;
      if (batch.length >= BATCH_ROWS || bytes >= BATCH_BYTES) await write();
    }
  if (batch.length > 0) await write();
  await writing;
}

/** Throws if a folder has no files of a database at all. */
function checkDamaged(path: string): void {
  const content = contentOf(path);
  if (content === "missing")
    throw new MerostoreError("DATABASE_NOT_FOUND", `the folder ${path} does not exist`);
  if (content === "file")
    throw new MerostoreError("NOT_A_DATABASE", `${path} is a file; a database is a folder`);
  const names = content === "empty" ? [] : readdirSync(path);
  if (!names.some((name) => isDatabaseFile(name) || /^\d+\.ldb$/.test(name)))
    throw new MerostoreError("NOT_A_DATABASE", `${path} holds no file of a database`);
}

/** Throws INVALID_ARGUMENT if the new database would be inside the damaged folder, also through links. */
function checkOutside(path: string, target: string): void {
  if (`${realPath(target)}${sep}`.startsWith(`${realPath(path)}${sep}`))
    throw invalidArgument(`${target} lies within the damaged database ${path}: choose a path outside it`);
}
