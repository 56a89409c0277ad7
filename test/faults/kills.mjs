// Kills of a writer: what it had acknowledged is there afterwards, each batch whole or not at all.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openFilesEngine, openRocksEngine } from "../../dist/engines/index.js";
import { COUNT, FAMILIES, rowsAfter } from "../engines/files/batches.mjs";
import { writeAndKill } from "./write-and-kill.mjs";

const writer = fileURLToPath(new URL("killed-writer.mjs", import.meta.url));

/** Lives of one database before a new one is begun. */
const LIVES = 25;

/**
 * Kills a writer so many times, at random moments, and looks at the database after each kill: by its files, then with
 * RocksDB, which repairs it. Throws when a batch is missing, or is there in part.
 *
 * @param folder a folder for the databases, which may hold those of other runs
 * @param random gives numbers in [0, 1)
 * @param name the engine: rocksdb or files. RocksDB then opens the database after some of the kills only, and `files` mends the rest
 * @returns what happened, counted
 */
export async function killWriters(folder, kills, random, name = "rocksdb") {
  const own = mkdtempSync(join(folder, `${name}-kills-`));
  const counts = { kills: 0, acknowledged: 0, unacknowledgedButThere: 0, tornLogs: 0, beforeOpen: 0 };
  let path;
  let known = 0;
  for (let kill = 0; kill < kills; kill++) {
    if (kill % LIVES === 0) {
      if (path !== undefined) rmSync(path, { recursive: true, force: true });
      path = join(own, `db-${kill}`);
      known = 0;
    }
    // Some are killed before their first batch; how many the others acknowledge does not depend on the speed of the machine.
    const soonest = random() < 0.1 ? 0 : 1 + Math.floor(random() * 10);
    const acknowledged = await writeAndKill(writer, path, known, random, 25, soonest, name);
    counts.kills++;
    if (acknowledged === undefined) {
      counts.beforeOpen++;
      if (known === 0) {
        rmSync(path, { recursive: true, force: true }); // it may be half made: nothing was promised
        continue;
      }
    }
    const least = Math.max(known, acknowledged ?? 0);
    const files = await openFilesEngine(path);
    const shown = await batchesIn(files);
    if (files.warnings.length > 0) counts.tornLogs++;
    await files.close();
    if (shown < least)
      throw new Error(`kill ${kill}: batch ${least} was acknowledged, and ${shown} are there`);
    const open = name === "files" && random() < 0.7 ? openFilesEngine : openRocksEngine;
    const engine = await open(path, { writable: true, acceptLogLoss: true });
    const after = await batchesIn(engine);
    await engine.close();
    if (after !== shown)
      throw new Error(`kill ${kill}: the files show ${shown} batches, the next writer ${after}`);
    counts.acknowledged += Math.max(0, least - known);
    counts.unacknowledgedButThere += shown - least;
    known = shown;
  }
  return counts;
}

/** The number of batches that a reader shows, after checking that it shows exactly these. */
async function batchesIn(reader) {
  const count = await reader.get(FAMILIES[0], COUNT);
  const number = count === undefined ? 0 : Buffer.from(count).readUInt32BE();
  for (const column of FAMILIES) {
    const expected = rowsAfter(number, column);
    let at = 0;
    for await (const { key, value } of reader.scan(column)) {
      const row = expected[at++];
      if (row === undefined || Buffer.compare(key, row.key) !== 0 || Buffer.compare(value, row.value) !== 0)
        throw new Error(
          `after batch ${number}, row ${at} of ${column} is ${described(key, value)}, not ${row && described(row.key, row.value)}`,
        );
    }
    if (at !== expected.length)
      throw new Error(`after batch ${number}, ${column} has ${at} rows, not ${expected.length}`);
  }
  return number;
}

/** A row: its key, and the batch that wrote it. */
function described(key, value) {
  return `"${Buffer.from(key)}" of batch ${Buffer.from(value).readUInt32BE()}`;
}
