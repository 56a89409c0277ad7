/** The options of functions that create a database. */

import { invalidArgument } from "../errors.js";
import { checkNewColumns } from "./arguments.js";

/** The options for a new database. */
export interface CreateOptions {
  /** Create a database in a folder that is missing or empty, and open it for writing. Requires `columns`. */
  readonly create?: boolean | undefined;
  /** The names of the column families of a new database, in addition to `default`. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * Returns the column families of a new database, `default` first; undefined for an existing database.
 *
 * @throws MerostoreError INVALID_ARGUMENT for options that contradict each other
 */
export function checkAccess({
  writable,
  create = false,
  columns,
}: CreateOptions & { readonly writable?: boolean | undefined }): string[] | undefined {
  if (create && writable === false)
    throw invalidArgument("a new database is opened for writing: leave out writable: false, or create");
  if (!create && columns !== undefined)
    throw invalidArgument("columns names those of a new database: leave it out, or add create: true");
  return create ? checkNewColumns(columns) : undefined;
}
