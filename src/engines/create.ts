/** Creates a database together with its rows: a folder, or a node on a server. Nobody sees it before it is complete. */

import { makePrivate } from "../disk/access.js";
import { makeFolder } from "../disk/new-folder.js";
import type { Engine } from "../engine/engine.js";
import { invalidArgument } from "../errors.js";
import { checkArgument, hasMembers, isFunction } from "../options.js";
import { openFilesEngine } from "./files/open-folder.js";
import type { folderEngines } from "./open.js";
import { openRocksEngine } from "./rocksdb/open.js";
import { isPostgresUrl, postgresPackage } from "./server.js";

/** The database to create. */
export interface CreatedDatabase {
  /** Names of the column families, with or without `default`. */
  readonly columns: readonly string[];
  /** The revision of its rows, which a server stores. */
  readonly revision?: string | undefined;
  /**
   * The engine that writes a folder: `files` by default, which writes sorted tables; `rocksdb` needs the package
   * `rocksdb-native`.
   */
  readonly newEngine?: (typeof folderEngines)[number] | undefined;
  /** The task that makes the database. It is part of the folder's name until the database is complete. */
  readonly purpose: "importing" | "copying" | "recovering" | "converting";
}

/**
 * Creates a database and fills it. If that fails, nothing is left behind. If this process ends before, the next attempt
 * replaces the files that are left.
 *
 * @param location a missing or empty folder, or the URL of a node that a server does not have
 * @param fill writes the rows; the engine is closed afterwards
 * @throws MerostoreError DATABASE_EXISTS, NOT_A_DATABASE, the errors of opening, and those of `fill`
 */
export async function createDatabase<T>(
  location: string,
  database: CreatedDatabase,
  fill: (engine: Engine) => Promise<T>,
): Promise<T> {
  checkArgument(
    "createDatabase",
    database,
    hasMembers("a description of the database", "columns", "purpose"),
  );
  checkArgument("createDatabase", fill, isFunction);
  const { columns: all, revision, newEngine, purpose } = database;
  const columns = all.filter((name) => name !== "default");
  if (isPostgresUrl(location)) {
    if (newEngine !== undefined)
      throw invalidArgument("newEngine is for a folder: the server is the engine of its databases");
    const { fillPostgres } = await postgresPackage();
    return fillPostgres(location, { columns, revision }, fill);
  }
  return makeFolder(location, purpose, async (made) => {
    const create = { create: true, columns };
    const engine =
      newEngine === "rocksdb"
        ? await openRocksEngine(made, create)
        : await openFilesEngine(made, { ...create, nodeIsStopped: true }); // no other process knows the folder
    let result: T;
    try {
      result = await fill(engine);
      await engine.flush();
    } finally {
      await engine.close();
    }
    await makePrivate(made);
    return result;
  });
}
