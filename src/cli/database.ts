/** Opening the database that a command names. */
import { revisionOf } from "../schemas/index.js";
import { openStore, type Store } from "../store/index.js";
import type { Terminal } from "./terminal.js";

/** Options of every command that opens a database. */
export interface DatabaseOptions {
  readonly revision?: string | undefined;
  readonly acceptLogLoss?: boolean | undefined;
}

/** Opens a database, read-only unless `write`. What is noticed at opening goes to stderr. */
export async function openDatabase(
  terminal: Terminal,
  path: string,
  options: DatabaseOptions,
  write = false,
): Promise<Store> {
  const open = { readOnly: !write, acceptLogLoss: options.acceptLogLoss };
  const store =
    options.revision === undefined
      ? await openStore(path, open)
      : await openStore(path, { ...open, schema: revisionOf(options.revision) });
  for (const warning of store.warnings) terminal.remark(`merostore: ${warning}`);
  return store as unknown as Store;
}
