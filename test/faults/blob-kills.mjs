// Kills of a program that adds and deletes blobs: no row is ever without its file, and what was acknowledged is whole.
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { blobFolder, checkBlobs, collectBlobs, putBlob, readBlobTable } from "../../dist/blobs/index.js";
import { openStore } from "../../dist/store/index.js";
import { contentOf } from "./blob-steps.mjs";
import { writeAndKill } from "./write-and-kill.mjs";

const writer = fileURLToPath(new URL("blob-writer.mjs", import.meta.url));
const fixture = fileURLToPath(new URL("../../fixtures/core-0.11/log", import.meta.url));

/** Lives of one node before a new one is begun. */
const LIVES = 10;
/** States that a kill may leave: files without rows. */
const HARMLESS = ["file-without-row", "file-unfinished"];

/**
 * Kills a writer so many times, at random moments, and checks every row and file after each kill.
 *
 * @param random gives numbers in [0, 1)
 * @returns what happened, counted
 */
export async function killBlobWriters(folder, kills, random) {
  const counts = { kills: 0, beforeOpen: 0, acknowledged: 0, filesWithoutRow: 0, unfinished: 0 };
  let home;
  let known = 0;
  let expected;
  for (let kill = 0; kill < kills; kill++) {
    if (kill % LIVES === 0) {
      if (home !== undefined) rmSync(home, { recursive: true, force: true });
      home = join(folder, `node-${kill}`);
      mkdirSync(home);
      cpSync(join(fixture, "db"), join(home, "data"), { recursive: true });
      cpSync(join(fixture, "blobs"), join(home, "blobs"), { recursive: true });
      known = 0;
      expected = await findingsOf(home);
    }
    const done = await writeAndKill(writer, home, known, random, 80, 1);
    counts.kills++;
    if (done === undefined) counts.beforeOpen++;
    counts.acknowledged += (done ?? known) - known;
    const last = done ?? known;
    const findings = (await findingsOf(home)).filter((found) => !expected.includes(found));
    for (const found of findings) {
      const [state] = found.split(" ");
      if (!HARMLESS.includes(state) && state !== "blob-unnamed") throw new Error(`kill ${kill}: ${found}`);
      if (state === "file-without-row") counts.filesWithoutRow++;
      if (state === "file-unfinished") counts.unfinished++;
    }
    known = await stepsDone(home, known, last, kill);
  }
  return counts;
}

/** The findings of a check. */
async function findingsOf(home) {
  const store = await openStore(join(home, "data"));
  const found = [];
  for await (const { state, blobId, file } of checkBlobs(store, await blobFolder(join(home, "blobs"))))
    found.push(`${state} ${blobId ?? file}`);
  await store.close();
  return found;
}

/** Checks that the blobs of all steps are there, cleans up, and returns the number of the last step that was begun. */
async function stepsDone(home, known, last, kill) {
  const store = await openStore(join(home, "data"), { writable: true, acceptLogLoss: true });
  const folder = await blobFolder(join(home, "blobs"));
  const { rows } = await readBlobTable(store);
  let begun = last;
  for (let number = known + 1; number <= last + 1; number++) {
    const { blobId } = await putBlob(store, folder, contentOf(number), { dryRun: true });
    // Every third blob is added and deleted again.
    const isThere = rows.has(blobId);
    if (number <= last && isThere !== (number % 3 !== 0))
      throw new Error(`kill ${kill}: step ${number} is not done`);
    if (number > last && isThere) begun = number;
  }
  await collectBlobs(store, folder, { unnamed: true }); // the next check is as fast as the first one
  await store.close();
  return begun;
}
