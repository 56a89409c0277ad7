/** Work that runs for every view once a database is open: the count of rows, then the verification. */
import { effect, untracked } from "@preact/signals";
import { oneAtATime, rest } from "./one-at-a-time.js";
import { countRows, forgetRowCounts } from "./row-counts.js";
import { database, refreshed } from "./session.js";
import { forgetVerification, repeatVerification, verification, verifyNow } from "./verification.js";
import { ask, type OpenedDatabase } from "./worker-client.js";

/** Begins to work whenever a database is opened, and again when rows are written. */
export function workInBackground(): void {
  let before: OpenedDatabase | undefined;
  let work: () => void = () => undefined;
  effect(() => {
    const opened = database.value;
    void refreshed.value;
    untracked(() => {
      if (opened !== before) {
        before = opened;
        forgetVerification();
        forgetRowCounts();
        work = opened === undefined ? () => undefined : worksOf(opened);
      }
      work();
    });
  });
}

/** Pause before the next count, as a multiple of the time that the last count took. */
const RESTS = 4;

/** The work for a database, one part after the other. */
function worksOf(opened: OpenedDatabase): () => void {
  /** Milliseconds that the last count took. */
  let took = 0;
  const isCurrent = (): boolean => database.peek() === opened;
  const pause = async (): Promise<void> => {
    // Views need this answer before the scan of all rows, which takes long.
    await ask("a", "overview").catch(() => undefined);
    // A running node writes constantly: leave most of the time free.
    await rest(RESTS * took);
  };
  const work = async (): Promise<void> => {
    if (!isCurrent()) return;
    const begun = performance.now();
    await countRows(isCurrent);
    if (!isCurrent()) return;
    took = performance.now() - begun;
    if (verification.peek().state === "waiting") void verifyNow();
    else repeatVerification();
  };
  return oneAtATime(work, pause);
}
