// Kills of a program that writes to a ledger on disk: what was acknowledged is there, and each step whole or not at all.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeAndKill } from "../../../../test/faults/write-and-kill.mjs";
import { openLedger } from "../../dist/index.js";
import { collectGarbage } from "./ledger-rows.mjs";
import { stateAfter, stepOf } from "./ledger-steps.mjs";
import { equal, shownBy } from "./shown.mjs";

const writer = fileURLToPath(new URL("ledger-writer.mjs", import.meta.url));

/** Lives of one ledger before a new one is begun. */
const LIVES = 25;

/**
 * Kills a writer so many times, at random moments, and looks at its page after each kill. Throws when a step is missing, or
 * is there in part, and when a row is left that nothing needs.
 *
 * @param random gives numbers in [0, 1)
 * @returns what happened, counted
 */
export async function killLedgerWriters(folder, kills, random) {
  const counts = { kills: 0, acknowledged: 0, unacknowledgedButThere: 0, merged: 0, beforeOpen: 0 };
  let path;
  let known = 0;
  for (let kill = 0; kill < kills; kill++) {
    if (kill % LIVES === 0) {
      if (path !== undefined) rmSync(path, { recursive: true, force: true });
      path = join(folder, `ledger-${kill}`);
      known = 0;
    }
    const acknowledged = await writeAndKill(writer, path, known, random, 150, 2);
    counts.kills++;
    if (acknowledged === undefined) counts.beforeOpen++;
    const least = Math.max(known, acknowledged ?? 0);
    await collectGarbage(path);
    const { state, merged } = await stateOf(path);
    // One step may be done and not acknowledged.
    const shown = [least, least + 1].find((number) => equal(stateAfter(number), state));
    if (shown === undefined)
      throw new Error(`kill ${kill}: after step ${least} the page shows neither it nor the next one`);
    if (merged) counts.merged++;
    counts.acknowledged += least - known;
    counts.unacknowledgedButThere += shown - least;
    known = await nextWhole(path, shown);
  }
  return counts;
}

/** All that a page shows, and whether it was left with several heads. */
async function stateOf(path) {
  const ledger = await openLedger(path, { name: "kills" });
  const page = await ledger.rootPage();
  const merged = (await page.waitForConflictResolution()) === "conflicts-resolved";
  const state = await shownBy(page.snapshot());
  await ledger.close();
  return { state, merged };
}

/** Steps 3 and 4 of five are made together: the writer begins with either both or none. */
async function nextWhole(path, shown) {
  if (shown % 5 !== 3) return shown;
  const ledger = await openLedger(path, { name: "kills" });
  const page = await ledger.rootPage();
  for (const [key, value] of stepOf(shown + 1).changes) await page.put(key, value);
  await ledger.close();
  return shown + 1;
}
