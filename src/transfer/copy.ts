/** Copies of databases, from any engine to any other. */

import { toHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import { counted } from "../bytes/quantity.js";
import { UndecryptedBytes } from "../bytes/undecrypted.js";
import { quoted } from "../bytes/visible.js";
import { abortable, sizeOf } from "../engine/abortable.js";
import { refuseLost } from "../engine/lost.js";
import {
  absoluteLocation,
  createDatabase,
  type Engine,
  type EngineOptions,
  type EngineReader,
  folderEngines,
  isLocation,
  openEngine,
  type PathOrUrl,
  type RawRow,
} from "../engines/index.js";
import { MerostoreError, type Warning } from "../errors.js";
import { checkArgument, checkOptions, isEngine, isOneOf, type OptionChecks } from "../options.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import { detectRevision, rowToJson } from "../schemas/index.js";
import { type FamilyRow, loadRows } from "./load-rows.js";

/** Options of {@link copyDatabase}. Each row counts twice: when it is copied, and when it is compared. */
export interface CopyOptions extends ProgressOptions {
  /** The engine that reads the database, as for `openEngine`. */
  readonly engine?: EngineOptions["engine"];
  /** The engine that writes the new database, if that is a folder: `files` by default. */
  readonly newEngine?: EngineOptions["engine"];
}

/** The checks of {@link CopyOptions}. */
export const copyOptions: OptionChecks<CopyOptions> = {
  ...progressOptions,
  engine: (value) => (typeof value === "string" ? undefined : "the name of an engine"),
  newEngine: isOneOf(folderEngines),
};

/** The copied part of a column family. */
export interface CopiedFamily {
  /** Its name. */
  readonly column: string;
  /** Its rows. */
  readonly rows: number;
  /** The bytes of their keys and values. */
  readonly bytes: number;
}

/** The result of a copy. */
export interface Copied {
  /** All rows. */
  readonly rows: number;
  /** The bytes of all keys and values. */
  readonly bytes: number;
  /** The column families in the order of the database. */
  readonly columns: readonly CopiedFamily[];
  /** Problems that did not prevent the opening of the database. */
  readonly warnings: readonly Warning[];
}

/**
 * Copies all rows of a database at one moment into a new database of any engine. Then it reads both and compares them
 * row by row. Nobody can open the copy before that. Unknown column families and rows are copied too.
 *
 * @param source a folder, a URL (`postgres://…`), or an open engine, which stays open
 * @param target a folder that is missing or empty, or the URL of a node that the server does not have
 * @throws MerostoreError DATABASE_EXISTS, ROW_TOO_LARGE, DATABASE_DAMAGED if the two differ, or if writes after damage
 *   in a write-ahead log are missing; errors of opening, reading and writing
 * @example
 *     const { rows } = await copyDatabase("node/data", "copied/data");
 */
export async function copyDatabase(
  source: PathOrUrl | Engine,
  target: PathOrUrl,
  options: CopyOptions = {},
): Promise<Copied> {
  checkOptions("copyDatabase", options, copyOptions);
  const place = absoluteLocation(target, "the target of a copy");
  if (!isLocation(source)) {
    checkArgument("copyDatabase", source, isEngine);
    return copyThrough(source, place, options);
  }
  await using engine = await openEngine(source, { engine: options.engine });
  return await copyThrough(engine, place, options);
}

/** Hooks for the rows of a copy. */
export interface CopyHooks {
  /** The advice about undecrypted rows, at the end of the message. */
  readonly advice?: string;
  /** Throws for rows that must not be copied. */
  readonly check?: (column: string, rows: readonly RawRow[]) => Promise<void>;
  /** Returns the engine through which rows are written and compared. */
  readonly wrap?: (made: Engine) => Promise<Engine>;
}

/** Copies the rows of an engine, as {@link copyDatabase} does. */
export async function copyThrough(
  source: Engine,
  target: string,
  { newEngine, ...options }: CopyOptions,
  hooks: CopyHooks = {},
): Promise<Copied> {
  const { wrap = async (made) => made } = hooks;
  refuseLost(source);
  await using state = await abortable(source, options.signal).snapshot();
  const follower = new Follower(options, "rows", 2 * (await sizeOf(source)));
  const add = (chunk: readonly RawRow[]): void => follower.add(chunk.length, bytesOf(chunk));
  const { revision } = await detectRevision(state);
  const { columns } = state;
  return await createDatabase(
    target,
    { columns, revision: revision?.name, newEngine, purpose: "copying" },
    async (made) => {
      const engine = await wrap(made);
      await loadRows(engine, rowsOf(state, add, hooks));
      await engine.flush();
      const copied: CopiedFamily[] = [];
      for (const column of columns) copied.push(await compare(state, engine, column, add));
      follower.end();
      return {
        rows: copied.reduce((sum, { rows }) => sum + rows, 0),
        bytes: copied.reduce((sum, { bytes }) => sum + bytes, 0),
        columns: copied,
        warnings: source.warnings,
      };
    },
  );
}

async function* rowsOf(
  state: EngineReader,
  add: (chunk: readonly RawRow[]) => void,
  { check, advice }: CopyHooks,
): AsyncGenerator<readonly FamilyRow[]> {
  for (const column of state.columns) {
    for await (const chunk of state.scan(column).chunks()) {
      if (chunk.some(isUndecrypted)) throw await undecryptedRows(state, advice);
      await check?.(column, chunk);
      yield chunk.map(({ key, value }) => ({ column, key, value }));
      add(chunk);
    }
  }
}

function isUndecrypted({ value }: RawRow): boolean {
  return value instanceof UndecryptedBytes;
}

/**
 * Creates the error about undecrypted rows. In the new database they would count as plain values, or be encrypted
 * twice.
 */
async function undecryptedRows(state: EngineReader, advice = ""): Promise<MerostoreError> {
  let rows = 0;
  let first: string | undefined;
  const { revision } = await detectRevision(state);
  for (const column of state.columns) {
    for await (const chunk of state.scan(column).chunks()) {
      const found = chunk.filter(isUndecrypted);
      rows += found.length;
      const [row] = found;
      if (row === undefined || first !== undefined) continue;
      const kind = revision && rowToJson(revision, column, row).kind;
      first = `${kind ?? `unknown row in ${quoted(column)}`} ${toHex(row.key.subarray(0, LONGEST_KEY))}${row.key.length > LONGEST_KEY ? "…" : ""}`;
    }
  }
  return new MerostoreError(
    "UNDECRYPTED_ROWS",
    `the master key does not decrypt ${counted(rows, "row")}; the first is ${first}. They are encrypted with another key, damaged, or were never encrypted${advice}. The new database was removed`,
  );
}

/** The most bytes of a key in a message. */
const LONGEST_KEY = 96;

/** Reads a family on both sides. Returns its counts. Throws unless all rows are equal. */
async function compare(
  source: EngineReader,
  target: EngineReader,
  column: string,
  add: (chunk: readonly RawRow[]) => void,
): Promise<CopiedFamily> {
  let rows = 0;
  let bytes = 0;
  const copies = target.scan(column)[Symbol.asyncIterator]();
  try {
    for await (const chunk of source.scan(column).chunks()) {
      for (const { key, value } of chunk) {
        const { value: copy } = await copies.next();
        if (copy === undefined || !equalBytes(copy.key, key) || !equalBytes(copy.value, value))
          throw differ(column, rows);
        rows++;
      }
      bytes += bytesOf(chunk);
      add(chunk);
    }
    if ((await copies.next()).done !== true) throw differ(column, rows);
    return { column, rows, bytes };
  } finally {
    await copies.return?.();
  }
}

function differ(column: string, rows: number): MerostoreError {
  return new MerostoreError(
    "DATABASE_DAMAGED",
    `the copy differs from the database in ${column}, after ${counted(rows, "equal row")}: it was removed`,
  );
}

function bytesOf(rows: readonly RawRow[]): number {
  let bytes = 0;
  for (const { key, value } of rows) bytes += key.length + value.length;
  return bytes;
}
