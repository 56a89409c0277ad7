/** Checks that a given revision fits the database. */
import type { EngineReader } from "../engine/engine.js";
import { invalidArgument, type Warning } from "../errors.js";
import { detectRevision, revisions } from "./detect.js";
import type { Schema } from "./schema.js";

const all: readonly Schema[] = revisions;

/**
 * Returns a warning if the column families belong to another revision: a node creates all families of its revision. It
 * reads no row.
 *
 * @internal
 */
export function warnOfRevision(columns: readonly string[], schema: Schema): Warning | undefined {
  const isForeign = !schema.columns.some((column) => columns.includes(column));
  if (isForeign && columns.some((column) => column !== "default"))
    return {
      code: "REVISION_OTHER",
      message: `the database has none of the column families of ${schema.name}: all its rows are unknown`,
    };
  const known = columns.filter((column) => all.some((revision) => revision.columns.includes(column)));
  const hasAll = (revision: Schema): boolean =>
    revision.columns.length === known.length && revision.columns.every((column) => known.includes(column));
  if (!all.includes(schema) || hasAll(schema)) return undefined;
  const other = all.filter(hasAll).at(-1);
  return (
    other && {
      code: "REVISION_OTHER",
      message: `the column families are those of ${other.name}, and rows are read as ${schema.name}: some may not decode, or be read wrongly. Leave out the revision (schema, --revision), or name the right one`,
    }
  );
}

/**
 * Throws INVALID_ARGUMENT if the revision for writing is not a revision of the database. In a database with several
 * revisions, each of them is allowed. A schema that is not a known revision is not checked.
 *
 * @internal
 */
export async function checkWritten(reader: EngineReader, schema: Schema): Promise<void> {
  const { name } = schema;
  if (!all.includes(schema)) return;
  const { revision, reason, evidence } = await detectRevision(reader);
  const telling = evidence.filter(({ shows }) => shows.length > 0);
  const isWritten = telling.some(({ shows }) => shows.length === 1 && shows[0] === name);
  if (revision === undefined || isWritten || telling.every(({ shows }) => shows.includes(name))) return;
  throw invalidArgument(
    `the database is not of ${name}, but ${revision.name}: ${reason}. A node would not understand what is written as ${name}: leave out the revision (schema, --revision), or name the right one`,
  );
}
