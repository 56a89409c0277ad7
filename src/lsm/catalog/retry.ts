/** Reads files while a writer may replace them. */

import { isMerostoreError, MerostoreError } from "../../errors.js";
import type { FileSet } from "../source.js";
import { CatalogOutdated, fingerprint } from "./catalog.js";

/** The maximum number of rounds. A failure in the last round is final. */
const ROUNDS = 20;
const ROUND_MS = 25;

/** The number of changes tolerated while files are opened: a busy writer changes them some hundred times a second. */
const CHANGES = 1000;

/**
 * Runs `work` on the files of a database, and repeats it after a failure while a writer changes the files. A failure is
 * final if the files were the same before and after.
 *
 * @param isFinal returns whether a failure is final at once; by default none is
 * @throws MerostoreError ENGINE_FAILED if the files changed in every round, which may look like damage
 */
export async function retryWhileWritten<T>(
  files: FileSet,
  work: () => Promise<T>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<T> {
  let before: string | undefined;
  let changes = 0;
  for (let round = 1; ; round++) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof CatalogOutdated) {
        if (changes++ === CHANGES) throw changing(files, error);
        round--;
        continue;
      }
      if (isFinal(error)) throw error;
      const after = await fingerprint(files).catch(() => before);
      if (after === before) throw error;
      if (round === ROUNDS)
        throw isMerostoreError(error, "DATABASE_DAMAGED") ? changing(files, error) : error;
      before = after;
      await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
    }
  }
}

function changing(files: FileSet, cause: Error): MerostoreError {
  const why = cause instanceof CatalogOutdated ? ` (${cause.message})` : "";
  return new MerostoreError(
    "ENGINE_FAILED",
    `a writer changed the files of ${files.name} again and again while they were read${why}: try again`,
    { cause },
  );
}
