/** Imports an export into a database. */

import { equalBytes } from "../bytes/order.js";
import { quoted } from "../bytes/visible.js";
import { isMasterKey, type MasterKey, openEncrypted, refuseEncrypted } from "../encryption/index.js";
import {
  absoluteLocation,
  createDatabase,
  type Engine,
  type EngineOptions,
  folderEngines,
  openEngine,
  type PathOrUrl,
} from "../engines/index.js";
import { invalidArgument, MerostoreError } from "../errors.js";
import { checkOptions, isFlag, isOneOf, type OptionCheck, type OptionChecks } from "../options.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import { detectRevision, Schema, undetected } from "../schemas/index.js";
import type { ExportedRow } from "./check-rows.js";
import { type ExportHeader, type ExportSelection, schemaOfExport } from "./form.js";
import { type FamilyRow, loadRows, writeBatches } from "./load-rows.js";
import { readExport } from "./read-export.js";

/**
 * Options of an import. Rows for an existing database are read twice, and count twice. If such an import is aborted, or
 * `onProgress` throws, written batches stay.
 */
export interface ImportOptions extends ProgressOptions {
  /** The revision of the rows. By default the revision in the export, which an existing database must have too. */
  readonly schema?: Schema | undefined;
  /** Accept a redacted export and skip the rows whose values were omitted. */
  readonly withoutSecrets?: boolean | undefined;
  /** Add the rows to an existing database and overwrite rows with the same keys. */
  readonly intoExisting?: boolean | undefined;
  /** With `intoExisting`: write nothing, and count in `families` the rows that would be written. */
  readonly dryRun?: boolean | undefined;
  /** As for `openStore`, for an existing database. */
  readonly acceptLogLoss?: boolean | undefined;
  /** As for `openStore`, for an existing database. */
  readonly engine?: EngineOptions["engine"];
  /** As for `openStore`, for an existing database. */
  readonly nodeIsStopped?: boolean | undefined;
  /** The engine that writes the new database, if that is a folder: `files` by default. */
  readonly newEngine?: EngineOptions["engine"];
  /**
   * The master key of a database that is encrypted at rest. The rows are encrypted like existing rows, or as nodes of
   * the export's revision do it.
   */
  readonly masterKey?: MasterKey | undefined;
}

const isSchema: OptionCheck = (value) => (value instanceof Schema ? undefined : "a Schema");

const importOptions: OptionChecks<ImportOptions> = {
  schema: isSchema,
  withoutSecrets: isFlag,
  intoExisting: isFlag,
  dryRun: isFlag,
  acceptLogLoss: isFlag,
  engine: isOneOf(folderEngines),
  nodeIsStopped: isFlag,
  newEngine: isOneOf(folderEngines),
  masterKey: isMasterKey,
  ...progressOptions,
};

/** The totals of an import. */
export interface Imported {
  /** The number of written rows. */
  readonly rows: number;
  /** The number of rows that were skipped because the export lacks their values. */
  readonly withoutValue: number;
  /** The selection of the export; absent for a whole database. */
  readonly selection?: ExportSelection;
  /** With `dryRun`: the rows by column family, compared with the database. */
  readonly families?: ReadonlyMap<string, ImportedFamily>;
}

/** The rows of an export in one column family, compared with a database. */
export interface ImportedFamily {
  /** The number of rows whose keys the database lacks. */
  readonly new: number;
  /** The number of rows that the database has with another value. */
  readonly different: number;
  /** The number of rows that the database has with the same value. */
  readonly same: number;
}

/** Opens the uncompressed bytes of an export from the beginning. It may be called more than once. */
export type ExportSource = () => AsyncIterable<Uint8Array>;

/**
 * Imports an export. A new database is created beside `location`, and renamed only when it is complete and flushed. So
 * a failure, or the end of this process, leaves nothing at `location`. Nothing is written into an existing database
 * before the whole export has been checked. The rows are then written in batches; after an interruption, another import
 * completes it.
 *
 * @param location the folder of the new database, or of the existing one with `intoExisting`; or its URL,
 *   `postgres://…`
 * @throws MerostoreError `EXPORT_INVALID`, `DATABASE_EXISTS`, `NOT_A_DATABASE`, and errors of opening and writing;
 *   `INVALID_ARGUMENT` if the rows would replace the key pair of the node in an existing database
 * @example
 * import { createReadStream } from "node:fs";
 *
 * await importExport(() => createReadStream("node.ndjson"), "node/restored");
 */
export async function importExport(
  source: ExportSource,
  location: PathOrUrl,
  options: ImportOptions = {},
): Promise<Imported> {
  checkOptions("importExport", options, importOptions);
  if (typeof source !== "function")
    throw invalidArgument("the source of an import must be a function that opens it");
  const fixed = { ...options };
  if (options.dryRun && !options.intoExisting)
    throw invalidArgument("a dry run compares with an existing database: add intoExisting (--into-existing)");
  const { intoExisting: isInto, engine, nodeIsStopped, newEngine } = options;
  if (isInto ? newEngine !== undefined : engine !== undefined || nodeIsStopped === true)
    throw invalidArgument(
      isInto
        ? "newEngine (--new-engine) is for a new database: engine (--engine) chooses how an existing one is written"
        : "engine and nodeIsStopped (--engine, --node-is-stopped) are for an existing database: newEngine (--new-engine) chooses how a new one is written",
    );
  const place = absoluteLocation(location, "the path of an import");
  const into = isInto ? intoExisting : intoNew;
  return into(source, place, fixed, new Follower(options));
}

function intoNew(
  source: ExportSource,
  path: string,
  options: ImportOptions,
  follower: Follower,
): Promise<Imported> {
  return reading(source, options, ({ header, rows }) => {
    const { columns, revision } = header;
    return createDatabase(
      path,
      { columns, revision, newEngine: options.newEngine, purpose: "importing" },
      async (made) => {
        const engine = await withKey(made, options, options.schema?.name ?? revision);
        return writeRows(header, rows, follower, (complete) => loadRows(engine, complete));
      },
    );
  });
}

async function intoExisting(
  source: ExportSource,
  path: string,
  options: ImportOptions,
  follower: Follower,
): Promise<Imported> {
  const target = await inspectDatabase(path, options);
  await reading(source, options, async ({ header, rows }) => {
    if (options.schema === undefined) checkRevision(path, target.revision, header.revision);
    const schema = options.schema ?? schemaOfExport(header);
    await using opened = await openEngine(path, { acceptLogLoss: options.acceptLogLoss });
    const engine = await withKey(opened, options, options.schema?.name ?? header.revision);
    let replaced: Identity | undefined;
    for await (const piece of rows) {
      for (const row of piece) {
        if (!target.columns.includes(row.column)) throw lacks(path, row.column);
        const name = schema?.identify(row.column, row.key)?.kind;
        const kind = IDENTITIES.find((one) => one === name);
        if (kind !== undefined && (await isOther(engine, row))) replaced ??= kind;
      }
      follower.add(piece.length);
    }
    if (replaced !== undefined) throw replaces(path, replaced);
  });
  return reading(source, options, async ({ header, rows }) => {
    await using opened = await openEngine(path, {
      writable: !options.dryRun,
      acceptLogLoss: options.acceptLogLoss,
      engine: options.engine,
      nodeIsStopped: options.nodeIsStopped,
    });
    const engine = await withKey(opened, options, options.schema?.name ?? header.revision);
    if (options.dryRun) {
      const families = new Map<string, ImportedFamily>();
      const imported = await writeRows(header, rows, follower, (complete) =>
        compareWith(engine, complete, families),
      );
      return { ...imported, families };
    }
    const imported = await writeRows(header, rows, follower, (complete) => writeBatches(engine, complete));
    await engine.flush();
    return imported;
  });
}

/** The rows with the only copy of a private key of the node. */
const IDENTITIES = ["NodeIdentity", "NamespaceIdentity"] as const;
type Identity = (typeof IDENTITIES)[number];

/** Returns whether a database has another value for the key of a row. */
async function isOther(engine: Engine, { column, key, value }: ExportedRow): Promise<boolean> {
  const stored = await engine.get(column, key);
  return stored !== undefined && value !== undefined && !equalBytes(stored, value);
}

function replaces(path: string, kind: Identity): MerostoreError {
  return invalidArgument(
    `the export is of another node: its row ${kind} would replace the private key in ${path}. To import it all the same, delete that row first (merostore delete DB ${kind}${kind === "NodeIdentity" ? "" : " namespaceId=ID"})`,
  );
}

/** Compares rows with a database, and counts new, different and equal rows by column family. */
async function compareWith(
  engine: Engine,
  rows: AsyncIterable<readonly FamilyRow[]>,
  families: Map<string, ImportedFamily>,
): Promise<void> {
  for await (const piece of rows)
    for (const { column, key, value } of piece) {
      const stored = await engine.get(column, key);
      const how = stored === undefined ? "new" : equalBytes(stored, value) ? "same" : "different";
      const counts = families.get(column) ?? { new: 0, different: 0, same: 0 };
      families.set(column, { ...counts, [how]: counts[how] + 1 });
    }
}

/** Returns the engine or, with a master key, an engine that encrypts its writes. */
async function withKey(engine: Engine, { masterKey }: ImportOptions, revision: string): Promise<Engine> {
  return masterKey === undefined ? engine : openEncrypted(engine, { masterKey }, revision);
}

/** Reads the column families and the revision of an existing database. */
async function inspectDatabase(path: string, options: ImportOptions) {
  await using opened = await openEngine(path);
  if (options.masterKey === undefined) await refuseEncrypted(opened);
  const engine = await withKey(opened, options, "");
  const detection = await detectRevision(engine);
  const { revision } = detection;
  if (revision === undefined && detection.code === "DATABASE_ENCRYPTED") throw undetected(detection);
  return { columns: engine.columns, revision: detection.assumed ? undefined : revision?.name };
}

/** A database without a detectable revision, for example an empty one, accepts any export. */
function checkRevision(path: string, ofDatabase: string | undefined, ofExport: string): void {
  if (ofDatabase === undefined || ofDatabase === ofExport) return;
  throw invalidArgument(
    `${path} is a database of ${ofDatabase}, and the export is of ${ofExport}: a node would not understand its rows. To add them anyway, name their revision (--revision)`,
  );
}

function lacks(path: string, column: string): MerostoreError {
  return new MerostoreError(
    "UNKNOWN_COLUMN_FAMILY",
    `${path} has no column family ${quoted(column)}, of which the export has rows: import it into a new database instead`,
  );
}

/** An open export after its first line was read. */
interface Begun {
  readonly header: ExportHeader;
  readonly rows: AsyncIterable<readonly ExportedRow[]>;
}

/** Opens an export for `work` and closes it afterwards. */
async function reading<T>(
  source: ExportSource,
  { schema, withoutSecrets }: ImportOptions,
  work: (begun: Begun) => Promise<T>,
): Promise<T> {
  const begun = await readExport(source());
  const { header } = begun;
  try {
    if (header.redacted && !withoutSecrets) {
      throw new MerostoreError(
        "EXPORT_INVALID",
        "the export was made without secrets, so some rows have no values: export with secrets (revealSecrets, --reveal-secrets), or import it without those rows (withoutSecrets, --without-secrets)",
      );
    }
    return await work({ header, rows: begun.rows(schema ?? schemaOfExport(header)) });
  } finally {
    await begun.close();
  }
}

/** Passes the rows with values to `write`, and counts all rows. */
async function writeRows(
  { selection }: ExportHeader,
  rows: AsyncIterable<readonly ExportedRow[]>,
  follower: Follower,
  write: (rows: AsyncIterable<readonly FamilyRow[]>) => Promise<void>,
): Promise<Imported> {
  let read = 0;
  let withoutValue = 0;
  const complete = async function* (): AsyncGenerator<readonly FamilyRow[]> {
    for await (const piece of rows) {
      const whole = piece.filter((row): row is ExportedRow & FamilyRow => row.value !== undefined);
      withoutValue += piece.length - whole.length;
      if (whole.length > 0) yield whole;
      read += piece.length;
      follower.add(piece.length);
    }
    follower.end();
  };
  await write(complete());
  return { rows: read - withoutValue, withoutValue, ...(selection && { selection }) };
}
