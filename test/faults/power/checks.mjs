// The facts that must be true of a folder after a power cut. Each check throws an error whose text begins with what
// was broken.
import { existsSync } from "node:fs";
import { openEngine, openFilesEngine, openRocksEngine } from "../../../dist/engines/index.js";
import { openLedger } from "../../../packages/ledger/dist/index.js";
import { stateAfter } from "../../../packages/ledger/test/faults/ledger-steps.mjs";
import { batchesIn, engines } from "./engines.mjs";

async function opened(what, open) {
  try {
    return await open();
  } catch (error) {
    throw new Error(`does not open (${what}): ${error.code} ${error.message}`);
  }
}

/** The database of writer.mjs has all that was acknowledged, and shows the same in every way of reading. */
export async function checkBatches(name, path, acknowledged) {
  if (acknowledged.length === 0) return; // it may be half made: nothing was promised
  const least = Math.max(...acknowledged.map(Number));
  const readers = {
    rocksdb: [() => openFilesEngine(path), () => openRocksEngine(path), () => engines.rocksdb.open(path)],
    files: [() => openFilesEngine(path), () => engines.files.open(path), () => engines.rocksdb.open(path)],
    leveldb: [() => engines.leveldb.open(path), () => engines.leveldb.open(path)],
  }[name];
  let before;
  for (const open of readers) {
    let engine;
    try {
      engine = await opened(name, open);
    } catch (error) {
      // RocksDB refuses its own MANIFEST if one sector of a record that was not synced is on the disk and another is not.
      // Nothing is lost then: merostore has just shown all that was acknowledged.
      if (name === "rocksdb" && before !== undefined && isTornManifest(error)) return;
      throw error;
    }
    try {
      const shown = await batchesIn(name, engine);
      if (shown < least) throw new Error(`lost: batch ${least} was acknowledged, and ${shown} are there`);
      if (before !== undefined && shown !== before)
        throw new Error(`differs: ${before} batches are shown, then ${shown}`);
      before = shown;
    } finally {
      await engine.close();
    }
  }
}

function isTornManifest({ message }) {
  return /DATABASE_DAMAGED opening failed: .*MANIFEST-\d+ is damaged \(checksum mismatch/.test(message);
}

const SECOND = new Uint8Array(16).fill(7);

/** The ledger of ledger-writer.mjs opens and shows the acknowledged step, or the next one. */
export async function checkLedger(engine, path, acknowledged) {
  const steps = acknowledged.filter((line) => /^\d+$/.test(line)).map(Number);
  const ledger = await opened("ledger", () => openLedger(path, { name: "power", engine }));
  try {
    const pages = (await ledger.pages()).map((id) => Buffer.from(id).toString("hex"));
    const page = await opened("page", () => ledger.rootPage());
    await page.waitForConflictResolution();
    const snapshot = await page.snapshot();
    const state = new Map();
    for await (const { key, value } of snapshot.entries())
      state.set(Buffer.from(key).toString(), value && Buffer.from(value).toString());
    await snapshot.close();
    if (steps.length === 0 && state.size > 0) throw new Error("half a batch: a step before the first");
    const least = Math.max(0, ...steps);
    if (![least, least + 1].some((number) => equal(stateAfter(number), state)))
      throw new Error(`lost: after step ${least} the page shows neither it nor the next one`);
    const there = pages.includes("07".repeat(16));
    const isMade = acknowledged.includes("made");
    if (acknowledged.includes("deleted") && there) throw new Error("lost: a deleted page is there again");
    if (!there) return; // not made yet, being deleted, or deleted
    const second = await opened("second page", () => ledger.page(SECOND, { create: false }));
    if (isMade && (await valueAt(second, "key")) !== "value")
      throw new Error("lost: the row of the second page");
  } finally {
    await ledger.close();
  }
}

async function valueAt(page, key) {
  const snapshot = await page.snapshot();
  const entry = await snapshot.get(key);
  await snapshot.close();
  return entry && Buffer.from(entry).toString();
}

function equal(a, b) {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

/** A folder with the target's name is complete, and it is there once that was acknowledged. */
export async function checkTarget(path, expected, acknowledged) {
  if (!existsSync(path)) {
    if (acknowledged.length > 0) throw new Error("lost: the acknowledged database is not there");
    return;
  }
  const rows = await rowsOf(await opened("target", () => openEngine(path)));
  if (rows !== expected) throw new Error("incomplete: the database has its name and not all its rows");
  await (await opened("for writing", () => openRocksEngine(path, { writable: true }))).close();
}

/** An import into a database leaves one that opens, with all rows once that was acknowledged. */
export async function checkInto(path, { before, after }, acknowledged) {
  const rows = await rowsOf(await opened("target", () => openEngine(path)));
  if (acknowledged.length > 0 ? rows !== after : rows.length < before.length)
    throw new Error("lost: rows of an import are missing");
  const engine = await opened("for writing", () =>
    openRocksEngine(path, { writable: true, acceptLogLoss: true }),
  );
  await engine.close();
}

/** All rows of a database as text; closes it. */
export async function rowsOf(engine) {
  let rows = "";
  try {
    for (const column of [...engine.columns].sort())
      for await (const { key, value } of engine.scan(column))
        rows += `${column} ${Buffer.from(key).toString("hex")} ${Buffer.from(value).toString("base64")}\n`;
  } finally {
    await engine.close();
  }
  return rows;
}
