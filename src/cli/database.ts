/** Opening the database that a command names. */
import type { folderEngines } from "../engines/index.js";
import { revisionOf } from "../schemas/index.js";
import { openStore, type Store } from "../store/index.js";
import type { Terminal } from "./terminal.js";

/** How a command opens a database. */
export interface DatabaseOptions {
  readonly revision?: string | undefined;
  readonly acceptLogLoss?: boolean | undefined;
  readonly thorough?: boolean | undefined;
  readonly engine?: (typeof folderEngines)[number] | undefined;
  /** Bytes of the cache for reads of single keys, for commands that need a certain size. */
  readonly cacheBytes?: number | undefined;
}

/** Opens a database, for reading unless `write`. Warnings of the opening go to stderr. */
export async function openDatabase(
  terminal: Terminal,
  path: string,
  options: DatabaseOptions,
  write = false,
): Promise<Store> {
  const store = await open(path, options, write);
  for (const warning of store.warnings) terminal.remark(`merostore: ${warning}`);
  return store;
}

/**
 * Returns what `check` returns for a database that is open for reading only. Commands that write call it first, so that
 * wrong use changes no file: opening for writing moves the write-ahead log into a table file.
 */
export async function lookFirst<T>(
  path: string,
  options: DatabaseOptions,
  check: (store: Store) => T,
): Promise<T> {
  await using store = await open(path, options, false);
  return check(store);
}

async function open(path: string, options: DatabaseOptions, write: boolean): Promise<Store> {
  const { revision, acceptLogLoss, thorough, engine, cacheBytes } = options;
  const how = {
    writable: write,
    acceptLogLoss: write ? acceptLogLoss : undefined,
    thorough,
    engine,
    cacheBytes,
  };
  return revision === undefined
    ? openStore(path, how)
    : openStore(path, { ...how, schema: revisionOf(revision) });
}
