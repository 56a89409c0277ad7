/** Believing what is found beside a live writer, which may replace files while they are looked at. */

import type { FileSet } from "../source.js";
import { CatalogOutdated, fingerprint } from "./catalog.js";

/** After so many rounds the last finding is believed. */
const ROUNDS = 20;
const ROUND_MS = 25;

/** So often files may have changed while they were opened: a busy writer changes them some hundred times a second. */
const CHANGES = 1000;

/**
 * Does something with the files of a database, again and again while it fails and the files change: a failure is
 * believed when the files were the same before and after it.
 *
 * @param isFinal whether a failure is believed at once
 */
export async function settled<T>(
  files: FileSet,
  attempt: () => Promise<T>,
  isFinal: (error: unknown) => boolean,
): Promise<T> {
  let before: string | undefined;
  let changes = 0;
  for (let round = 1; ; ) {
    try {
      return await attempt();
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
