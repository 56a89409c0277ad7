/** Nodes that keep the chunks of blobs under ids that do not follow from their content in a known way. */
import { MerostoreError } from "../errors.js";
import { checkArgument, hasMembers } from "../options.js";
import type { Schema } from "../schemas/index.js";

/**
 * Returns whether nodes of a schema keep a chunk under another id than the hash of its content: those that note for
 * which contexts they hold a blob. The id of a blob, and the hashes of its chunks in its row, are as before.
 */
export function hidesChunks(schema: Pick<Schema, "columns">): boolean {
  checkArgument("hidesChunks", schema, hasMembers("a schema", "columns"));
  const { columns } = schema;
  return columns.includes("BlobOwner");
}

/** @throws MerostoreError `WRITING_UNSUPPORTED` if the rows of chunks would not be those that a node reads */
export function checkChunksKnown(schema: Pick<Schema, "name" | "columns">): void {
  if (hidesChunks(schema))
    throw new MerostoreError(
      "WRITING_UNSUPPORTED",
      `nodes of ${schema.name} keep the chunks of blobs under ids that are not known: nothing was changed. Let the node add and delete blobs`,
    );
}
