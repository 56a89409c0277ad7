/** Databases whose values are encrypted at rest: commands that answer in words would say that they hold nothing. */
import { detectRevision } from "../schemas/index.js";
import type { Store } from "../store/index.js";
import type { DatabaseOptions } from "./database.js";
import type { Terminal } from "./terminal.js";

/** Returns whether all values look encrypted, with a remark. Without `--revision` such a database is not opened at all. */
export async function remarkEncrypted(
  terminal: Terminal,
  store: Store,
  { revision }: DatabaseOptions,
): Promise<boolean> {
  if (revision === undefined) return false;
  const detection = await detectRevision(store.raw);
  const isEncrypted =
    detection.revision === undefined &&
    detection.evidence.length > 0 &&
    detection.evidence.every(({ sampled, maybeEncrypted }) => sampled === maybeEncrypted);
  if (isEncrypted)
    terminal.remark(
      'merostore: all values look encrypted at rest: give the master key (--key-file FILE, or MEROSTORE_MASTER_KEY); "merostore scan" shows the keys',
    );
  return isEncrypted;
}
