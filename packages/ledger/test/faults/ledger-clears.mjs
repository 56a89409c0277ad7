// Kills of a program that clears a great page: nothing acknowledged is lost, and nothing that was cleared stays for good.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeAndKill } from "../../../../test/faults/write-and-kill.mjs";
import { openLedger } from "../../dist/index.js";
import { collectGarbage } from "./ledger-rows.mjs";
import { equal, shownBy } from "./shown.mjs";

const writer = fileURLToPath(new URL("ledger-clearer.mjs", import.meta.url));

/** Lives of one ledger before a new one is begun. */
const LIVES = 10;
const ENTRIES = 600;

/** All entries of the page after so many steps. */
export function entriesAfter(number) {
  const entries = new Map();
  if (number % 2 === 1)
    for (let at = 0; at < ENTRIES; at++) entries.set(`key${at}`, `step ${number} entry ${at} `.repeat(4));
  if (number > 0) entries.set("number", `${number} `.repeat(20_000));
  return entries;
}

/**
 * Kills a writer so many times, at random moments, and looks at its page after each kill. Throws when a step is missing or
 * there in part, and when a row is left that nothing needs.
 *
 * @param random gives numbers in [0, 1)
 * @returns what happened, counted
 */
export async function killLedgerClearers(folder, kills, random) {
  const counts = { kills: 0, acknowledged: 0, withRowsToRemove: 0, removedRows: 0 };
  let path;
  let known = 0;
  for (let kill = 0; kill < kills; kill++) {
    if (kill % LIVES === 0) {
      if (path !== undefined) rmSync(path, { recursive: true, force: true });
      path = join(folder, `clears-${kill}`);
      known = 0;
    }
    const acknowledged = await writeAndKill(writer, path, known, random, 3_000);
    counts.kills++;
    const least = Math.max(known, acknowledged ?? 0);
    const removed = await collectGarbage(path);
    if (removed > 0) counts.withRowsToRemove++;
    counts.removedRows += removed;
    const state = await stateOf(path);
    // One step may be done and not acknowledged.
    const shown = [least, least + 1].find((number) => equal(entriesAfter(number), state));
    if (shown === undefined)
      throw new Error(`kill ${kill}: after step ${least} the page shows neither it nor the next one`);
    counts.acknowledged += least - known;
    known = shown;
  }
  return counts;
}

async function stateOf(path) {
  const ledger = await openLedger(path, { name: "kills" });
  const page = await ledger.rootPage();
  const state = await shownBy(page.snapshot());
  await ledger.close();
  return state;
}
