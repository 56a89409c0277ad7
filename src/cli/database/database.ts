/** Opens the database of a command. */
import type { folderEngines } from "../../engines/index.js";
import { invalidArgument, isMerostoreError, MerostoreError } from "../../errors.js";
import { checkWritten, detectRevision, newerText, revisionOf } from "../../schemas/index.js";
import { openStore, type Store } from "../../store/index.js";
import { kindOfLocation } from "../arguments/location.js";
import { withMasterKey } from "../arguments/master-key.js";
import type { Terminal } from "../output/terminal.js";
import { databaseFolder, databaseNear } from "./database-folder.js";
import { openExport } from "./exported.js";

/** Options for opening a database. */
export interface DatabaseOptions {
  readonly revision?: string | undefined;
  readonly acceptLogLoss?: boolean | undefined;
  readonly thorough?: boolean | undefined;
  readonly engine?: (typeof folderEngines)[number] | undefined;
  readonly nodeIsStopped?: boolean | undefined;
  /** The file of the master key; without it, the environment may have the key. */
  readonly keyFile?: string | undefined;
  /** The bytes of the cache for reads of single keys, for commands that need a certain size. */
  readonly cacheBytes?: number | undefined;
}

/** An open database, with the word that named it. */
export interface OpenDatabase {
  readonly db: string;
  readonly store: Store;
}

/** The advice about a missing master key. */
const GIVE_KEY =
  ': give it (--key-file FILE, or MEROSTORE_MASTER_KEY); without it, "merostore scan --keys-only" lists the keys of rows';

/** Opens a database, for reading unless `write`. Warnings of the opening go to stderr. */
export async function openDatabase(
  terminal: Terminal,
  path: string,
  options: DatabaseOptions,
  write = false,
): Promise<Store> {
  const store = await open(path, options, write);
  for (const { code, message } of store.warnings)
    terminal.remark(
      `${code === "KEY_UNUSED" ? `${path}: ` : ""}${message}${code === "KEY_MISSING" ? GIVE_KEY : ""}`,
    );
  const { detection } = store;
  if (detection?.newer !== undefined) terminal.remark(newerText(detection.newer));
  if (detection?.assumed) terminal.remark(`read as ${detection.revision.name}: ${detection.reason}`);
  return store;
}

/**
 * Returns whether all values of a database look encrypted; a remark of the opening says so. Commands that answer in
 * words would say that it is empty. Without `--revision` such a database is not opened at all.
 */
export async function isEncrypted(store: Store, { revision }: DatabaseOptions): Promise<boolean> {
  if (revision === undefined) return false;
  const detection = await detectRevision(store.raw);
  return (
    detection.revision === undefined &&
    detection.evidence.length > 0 &&
    detection.evidence.every(({ sampled, maybeEncrypted }) => sampled === maybeEncrypted)
  );
}

/** @throws MerostoreError `DATABASE_DAMAGED` if writes are known to be missing */
export function refuseLost({ raw: { lost = [] } }: Store): void {
  if (lost.length > 0)
    throw new MerostoreError(
      "DATABASE_DAMAGED",
      `${lost.join(". ")}. An answer from the rest would not be about the node: --accept-log-loss gives it`,
    );
}

/**
 * Returns the result of `check` for a database that is open for reading only. Commands that write call it first, so
 * that wrong use changes no file: opening for writing may already change files.
 */
export async function lookFirst<T>(
  path: string,
  options: DatabaseOptions,
  check: (store: Store) => T | Promise<T>,
): Promise<T> {
  refuseFile(path);
  await using store = await open(path, options, false);
  const encrypted = store.warnings.find(({ code }) => code === "KEY_MISSING");
  if (encrypted !== undefined) throw new MerostoreError("DATABASE_ENCRYPTED", encrypted.message);
  await checkWritten(store.raw, store.schema);
  return await check(store);
}

/** @throws MerostoreError `INVALID_ARGUMENT` for a file, such as an export, which no command changes */
export function refuseFile(path: string): void {
  if (kindOfLocation(path) === "file")
    throw invalidArgument(`${path} is a file: make a database of an export first, with merostore import`);
}

async function open(path: string, options: DatabaseOptions, write: boolean): Promise<Store> {
  const { revision, keyFile, acceptLogLoss, thorough, engine, nodeIsStopped, cacheBytes } = options;
  return withMasterKey(keyFile, async (masterKey) => {
    const exported = write ? undefined : await openExport(path, revision);
    if (exported !== undefined) return exported;
    const folder = databaseFolder(path);
    const how = { masterKey, writable: write, acceptLogLoss, thorough, engine, nodeIsStopped, cacheBytes };
    try {
      return revision === undefined
        ? await openStore(folder, how)
        : await openStore(folder, { ...how, schema: revisionOf(revision) });
    } catch (error) {
      throw withNear(error, path);
    }
  });
}

/**
 * Completes the error about a path without a database, or with another key. Names the database, or one that the user
 * may have meant.
 */
export function withNear(error: unknown, path: string): unknown {
  // The command may have several databases, so the error names the one.
  if (isMerostoreError(error, "WRONG_KEY"))
    return new MerostoreError(error.code, `${path}: ${error.message}`, { cause: error });
  if (!isMerostoreError(error, "DATABASE_NOT_FOUND") && !isMerostoreError(error, "NOT_A_DATABASE"))
    return error;
  const near = databaseNear(path);
  if (near === undefined) return error;
  return new MerostoreError(error.code, `${error.message}; did you mean ${near}?`, { cause: error });
}
