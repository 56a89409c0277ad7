/** Nodes that keep the chunks of blobs under ids that do not follow from their content in a known way. */
import { MerostoreError } from "../errors.js";
import { checkArgument, hasMembers } from "../options.js";
import type { Schema } from "../schemas/index.js";

/**
 * Returns whether nodes of a schema keep a chunk under another id than the hash of its content. These are the nodes
 * that record the contexts of a blob. The id of a blob, and the hashes of chunks in its row, have not changed.
 */
export function hidesChunks(schema: Pick<Schema, "columns">): boolean {
  checkArgument("hidesChunks", schema, hasMembers("a schema", "columns"));
  const { columns } = schema;
  return columns.includes("BlobOwner");
}

/** @throws MerostoreError `WRITING_UNSUPPORTED` if a node would not read the written rows of chunks */
export function checkChunksKnown(schema: Pick<Schema, "name" | "columns">): void {
  if (hidesChunks(schema))
    throw new MerostoreError(
      "WRITING_UNSUPPORTED",
      `nodes of ${schema.name} keep the chunks of blobs under ids that are not known: nothing was changed. Let the node add and delete blobs`,
    );
}
