/** Reading files beside a live writer, which may replace them meanwhile. */

import type { FileSet } from "../source.js";
import { CatalogOutdated, fingerprint } from "./catalog.js";

/** Most rounds: the failure of the last one is final. */
const ROUNDS = 20;
const ROUND_MS = 25;

/** So often files may have changed while they were opened: a busy writer changes them some hundred times a second. */
const CHANGES = 1000;

/**
 * Runs `work` on the files of a database, and again after each failure, as long as a writer changes the files. A failure
 * is final when the files were the same before and after it.
 *
 * @param isFinal whether a failure is final at once
 */
export async function retryWhileWritten<T>(
  files: FileSet,
  work: () => Promise<T>,
  isFinal: (error: unknown) => boolean,
): Promise<T> {
  let before: string | undefined;
  let changes = 0;
  for (let round = 1; ; ) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof CatalogOutdated && changes++ < CHANGES) continue;
      if (isFinal(error) || round === ROUNDS) throw error;
      const after = await fingerprint(files).catch(() => before);
      if (after === before) throw error;
      before = after;
      round++;
      await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
    }
  }
}
