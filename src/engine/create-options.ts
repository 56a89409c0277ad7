/** The options of functions that create a database. */

import { invalidArgument } from "../errors.js";
import { checkNewColumns } from "./arguments.js";

/** The options of a database that is created. */
export interface CreateOptions {
  /** Create a database in a folder that is missing or empty, and open it for writing. Requires `columns`. */
  readonly create?: boolean | undefined;
  /** The names of the column families of a database that is created, beside `default`. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * Returns the column families of a database that is created, `default` first; undefined for one that is there.
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
