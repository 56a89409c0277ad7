/**
 * Recognises databases whose values are encrypted at rest. Otherwise commands that answer in words would say that such
 * a database is empty.
 */
import { detectRevision } from "../schemas/index.js";
import type { Store } from "../store/index.js";
import type { DatabaseOptions } from "./database.js";

/**
 * Returns whether all values look encrypted; a remark of the opening says so. Without `--revision` such a database is
 * not opened at all.
 */
export async function isEncrypted(store: Store, { revision }: DatabaseOptions): Promise<boolean> {
  if (revision === undefined) return false;
  const detection = await detectRevision(store.raw);
  return (
    detection.revision === undefined &&
    detection.evidence.length > 0 &&
    detection.evidence.every(({ sampled, maybeEncrypted }) => sampled === maybeEncrypted)
  );
}
