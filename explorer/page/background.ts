/** What is worked out for every view once a database is open: first the counts of its rows, then its verification. */
import { effect } from "@preact/signals";
import { countRows, forgetRowCounts } from "./row-counts.js";
import { database, written } from "./session.js";
import { forgetVerification, outdateVerification, verification, verifyNow } from "./verification.js";
import { ask, type OpenedDatabase } from "./worker-client.js";

/** Begins to work whenever a database is opened, and again when rows are written. */
export function workInBackground(): void {
  let before: OpenedDatabase | undefined;
  effect(() => {
    const opened = database.value;
    const now = written.value;
    const isNew = opened !== before;
    before = opened;
    if (isNew) {
      forgetVerification();
      forgetRowCounts();
      took = 0;
    }
    if (opened === undefined) return;
    void work(() => database.peek() === opened && written.peek() === now);
  });
}

/** How many times as long as it takes to count the rows the next counting waits. */
const RESTS = 4;

/** Milliseconds that the rows took to count the last time. */
let took = 0;

async function work(isCurrent: () => boolean): Promise<void> {
  // What views show at once is asked for first: the scan of all rows takes its time.
  await ask("a", "overview").catch(() => undefined);
  // A running node writes all the time: most of it, nothing is counted.
  await new Promise((resolve) => setTimeout(resolve, RESTS * took));
  if (!isCurrent()) return;
  const begun = performance.now();
  await countRows(isCurrent);
  if (!isCurrent()) return;
  took = performance.now() - begun;
  if (verification.peek().state === "waiting") await verifyNow();
  else outdateVerification();
}
