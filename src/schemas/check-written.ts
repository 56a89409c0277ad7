/** The revision in which rows are written is one that the database has. */
import type { EngineReader } from "../engine/engine.js";
import { MerostoreError } from "../errors.js";
import { detectRevision, revisions } from "./detect.js";
import type { Schema } from "./schema.js";

/**
 * Throws INVALID_ARGUMENT if rows are to be written in another revision than those that the database has. In a database of
 * several revisions, each of them may be written. A schema that is not a known revision is not checked.
 *
 * @internal
 */
export async function checkWritten(reader: EngineReader, schema: Schema): Promise<void> {
  const { name } = schema;
  if (!(revisions as readonly Schema[]).includes(schema)) return;
  const { revision, reason, evidence } = await detectRevision(reader);
  const telling = evidence.filter(({ shows }) => shows.length > 0);
  const isWritten = telling.some(({ shows }) => shows.length === 1 && shows[0] === name);
  if (revision === undefined || isWritten || telling.every(({ shows }) => shows.includes(name))) return;
  throw new MerostoreError(
    "INVALID_ARGUMENT",
    `the database is not of ${name}, but ${revision.name}: ${reason}. A node would not understand what is written as ${name}: leave out the revision (schema, --revision), or name the right one`,
  );
}
