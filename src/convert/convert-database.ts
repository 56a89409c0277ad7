/** Conversion of a database of core-0.10 into a new one of core-0.11. */

import { concat } from "../bytes/concat.js";
import { ReadFailure } from "../codec/index.js";
import { indexStateKey } from "../digests/index.js";
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
  isPostgresUrl,
  locationText,
  openEngine,
  type PathOrUrl,
  type RawRow,
} from "../engines/index.js";
import { invalidArgument, type Warning } from "../errors.js";
import type { AnyKey, AnyKeyClass } from "../keys/index.js";
import { ContextState011 } from "../keys/index.js";
import { checkOptions, isFlag, isOneOf, isText, type OptionChecks } from "../options.js";
import { EntityIndex011 } from "../payloads/index.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import { type AnyRow, core010, core011 } from "../schemas/index.js";
import { countBlobLinks } from "./blob-links.js";
import type { Conversion, ConversionTools, Outcome } from "./conversion.js";
import { conversions } from "./conversions.js";
import { checkLeftBehind, LeftBehind, leftBehindPath } from "./left-behind.js";
import { type ConvertedKind, Report } from "./report.js";
import { checkSource, isConvertedRevision } from "./source.js";
import { StateTrees } from "./state-tree.js";

/** Options of {@link convertDatabase}. */
export interface ConvertOptions extends ProgressOptions {
  /** The revision of the new database. */
  readonly to: "core-0.11";
  /**
   * Also write rows that are valid as bytes only: they have a public key in place of an account, and no node takes this
   * key for a member. For reading and comparing, not for a node.
   */
  readonly asBytes?: boolean | undefined;
  /** The engine that reads the old database, as for `openEngine`. */
  readonly engine?: EngineOptions["engine"];
  /** The engine that writes the new database: `files` by default. */
  readonly newEngine?: EngineOptions["engine"];
}

const convertOptions: OptionChecks<ConvertOptions> = {
  to: isConvertedRevision,
  asBytes: isFlag,
  engine: isText,
  newEngine: isOneOf(folderEngines),
  ...progressOptions,
};

/** The result of a conversion. */
export interface Converted {
  /** Rows of the old database. */
  readonly rows: number;
  /** Rows of the old database that the new one has in their new form. */
  readonly converted: number;
  /** Rows of the new database. A few rows become two. */
  readonly written: number;
  /** Rows that are only in the file of rows left behind. */
  readonly left: number;
  /** The file of rows left behind; undefined if no row was. */
  readonly leftBehind: string | undefined;
  /** The counts of each kind. */
  readonly kinds: readonly ConvertedKind[];
  /** Remarks about the old database. */
  readonly warnings: readonly Warning[];
}

/**
 * Converts a database of core-0.10 into a new one of core-0.11. The new database gets the rows that convert exactly.
 * All other rows are in `TARGET.left-behind.ndjson`, one line of JSON each; this file holds private keys. The old
 * database is only read. The new one gets its name when it is complete.
 *
 * @param source a folder, a URL, or an open engine, which stays open
 * @param target a folder that is missing or empty
 * @throws MerostoreError CONVERSION_UNSUPPORTED unless the database is of core-0.10, DATABASE_EXISTS,
 * DATA_INTEGRITY_ERROR for a state that is not a tree, errors of opening, reading and writing
 */
export async function convertDatabase(
  source: PathOrUrl | Engine,
  target: PathOrUrl,
  options: ConvertOptions,
): Promise<Converted> {
  checkOptions("convertDatabase", options, convertOptions);
  if (options?.to === undefined) throw invalidArgument("convertDatabase needs the option to");
  const path = locationText(target, "the target of a conversion");
  if (isPostgresUrl(path)) throw invalidArgument("the target of a conversion must be a folder");
  const fixed = { ...options };
  const place = absoluteLocation(path);
  if (!isLocation(source)) return convertFrom(source, place, fixed);
  await using engine = await openEngine(source, { engine: options.engine });
  return await convertFrom(engine, place, fixed);
}

async function convertFrom(source: Engine, target: string, options: ConvertOptions): Promise<Converted> {
  await using state = await abortable(source, options.signal).snapshot();
  refuseLost(state);
  await checkSource(state);
  const path = leftBehindPath(target);
  checkLeftBehind(path);
  const follower = new Follower(options, "rows", await sizeOf(source));
  let rows = 0;
  const onRow = (bytes: number): void => {
    follower.count(bytes);
    if (++rows % 256 === 0) follower.tell();
  };
  let left: LeftBehind | undefined;
  try {
    return await createDatabase(
      target,
      {
        columns: core011.columns,
        revision: core011.name,
        newEngine: options.newEngine,
        purpose: "converting",
      },
      async (engine) => {
        left = await LeftBehind.create(path);
        try {
          const report = new Report(engine, left, onRow);
          const wrongHashes = await convertRows(state, report, options.asBytes === true);
          const kinds = await report.finish();
          await engine.flush();
          follower.end();
          await left.finish();
          const warnings =
            wrongHashes === 0
              ? []
              : [{ code: "HASHES_WRONG", message: wrongHashesText(wrongHashes) } as const];
          return summary(kinds, report.written, left, [...source.warnings, ...warnings]);
        } catch (error) {
          await left.remove(); // its folder must be empty to be removed
          throw error;
        }
      },
    );
  } catch (error) {
    await left?.remove();
    throw error;
  }
}

/** Converts all rows. Returns the number of index rows whose hash was wrong before. */
async function convertRows(state: EngineReader, report: Report, asBytes: boolean): Promise<number> {
  const trees = new StateTrees(state, report, asBytes);
  // Trees come first: Meta gets their root hashes.
  if (state.columns.includes(ContextState011.COLUMN)) await trees.convert();
  let isTaken = false;
  const tools: ConversionTools = {
    asBytes,
    blobLinks: await countBlobLinks(state),
    async rootHash(contextId) {
      const value = await report.get(ContextState011.COLUMN, concat(contextId, indexStateKey(contextId)));
      if (value === undefined) return undefined;
      const index = EntityIndex011.readWhole(value);
      return index instanceof ReadFailure ? undefined : index.fullHash;
    },
    takeNodeIdentity() {
      const isFirst = !isTaken;
      isTaken = true;
      return isFirst;
    },
  };
  for (const column of state.columns) {
    if (column === ContextState011.COLUMN) continue;
    for await (const chunk of state.scan(column).chunks()) {
      for (const row of chunk) {
        const known = core010.identify(column, row.key);
        await report.take(column, known?.kind ?? null, row, await outcomeOf(known, row, tools));
      }
    }
  }
  return trees.wrongHashes;
}

async function outcomeOf(known: AnyRow | undefined, row: RawRow, tools: ConversionTools): Promise<Outcome> {
  if (known === undefined) return { left: "no kind of row of core-0.10 has such a key" };
  const value = known.value.readWhole(row.value);
  if (value instanceof ReadFailure) return { left: "its value does not decode as core-0.10" };
  const { convert } = conversions[known.kind as keyof typeof conversions] as Conversion<AnyKeyClass, unknown>;
  if (convert === "tree") throw new Error(`${known.kind} is converted as a tree`);
  const key: AnyKey = known.key.view(row.key);
  return convert(
    {
      key,
      keyBytes: row.key,
      value,
      valueBytes: row.value,
      fields(...names) {
        const form = known.value.toJson(value) as Readonly<Record<string, never>>;
        return Object.fromEntries(names.map((name) => [name, form[name] ?? null]));
      },
    },
    tools,
  );
}

function wrongHashesText(rows: number): string {
  return `${rows} ${rows === 1 ? "entity" : "entities"} of the old database had a wrong full hash; the new one has the right one`;
}

function summary(
  kinds: readonly ConvertedKind[],
  written: number,
  { lines, path }: LeftBehind,
  warnings: readonly Warning[],
): Converted {
  const rows = kinds.reduce((sum, kind) => sum + kind.rows, 0);
  const converted = kinds.reduce((sum, kind) => sum + kind.converted, 0);
  return {
    rows,
    converted,
    written,
    left: rows - converted,
    leftBehind: lines === 0 ? undefined : path,
    kinds,
    warnings,
  };
}
