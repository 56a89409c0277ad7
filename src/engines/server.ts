/** Databases on servers: `postgres://` URLs, which the package merostore-postgres opens. */

import type { Engine } from "../engine/engine.js";
import { loadNative } from "../lsm/optional-package.js";

/** A new database on a server. */
export interface NewServerDatabase {
  /** Names of the column families. `default` is always there, as in RocksDB. */
  readonly columns: readonly string[];
  /**
   * The name of its rows' revision. The server stores it. It decides if the rows fit several revisions or the database
   * is empty.
   */
  readonly revision?: string | undefined;
}

/** The exports of the package. */
interface PostgresPackage {
  openPostgresEngine(
    url: string,
    options: Partial<NewServerDatabase> & {
      readonly writable?: boolean | undefined;
      readonly create?: boolean | undefined;
    },
  ): Promise<Engine>;
  fillPostgres<T>(url: string, create: NewServerDatabase, fill: (engine: Engine) => Promise<T>): Promise<T>;
}

/** In a variable, so that bundlers do not bundle the package. */
const PACKAGE = "merostore-postgres";

const SCHEME = /^postgres(?:ql)?:\/\//i;

/** Returns true for the URL of a database on a server that speaks PostgreSQL's protocol. */
export function isPostgresUrl(location: string): boolean {
  return SCHEME.test(location);
}

/**
 * Loads the package.
 *
 * @throws MerostoreError NATIVE_LOAD_FAILED, which says what to install
 */
export function postgresPackage(): Promise<PostgresPackage> {
  return loadNative({ spec: PACKAGE }, () => import(PACKAGE) as Promise<PostgresPackage>);
}
