// A program on a disk that is full for a while: `node full-disk.mjs leveldb|rocksdb FOLDER`. Prints a line of JSON: the
// messages of the errors while it was full, those after it had room again, those of closing on a full disk, and the entries that were lost in the end.
import { spawnSync } from "node:child_process";
import { openLedger } from "../../dist/index.js";

const [engine, folder] = process.argv.slice(2);
const name = "full";
const entries = new Set();
const errors = { full: [], after: [], closing: [] };
let ledger = await openLedger(folder, { name, engine });
let page = await ledger.rootPage();

/** No file may be longer: writing beyond that fails as on a full disk. */
function limitFiles(bytes) {
  const { status } = spawnSync("prlimit", ["--pid", `${process.pid}`, `--fsize=${bytes}:`]);
  if (status !== 0) throw new Error("prlimit has failed");
}

async function put(at, messages) {
  try {
    await page.put(`key${at}`, `${at} `.repeat(300));
    entries.add(`key${at}`);
  } catch (error) {
    messages?.push(`${error.code} ${error.message}`);
    if (messages === undefined) throw error;
  }
}

for (let at = 0; at < 10; at++) await put(at);
limitFiles(60 * 1024);
for (let at = 10; at < 500 && errors.full.length < 5; at++) await put(at, errors.full);
limitFiles("unlimited");
for (let at = 500; at < 505; at++) await put(at, errors.after);
await ledger.close().catch((error) => errors.after.push(`${error.code} ${error.message}`));

// Closing on a full disk leaves a page that is whole.
ledger = await openLedger(folder, { name, engine });
page = await ledger.rootPage();
limitFiles(0);
await put(550).catch(() => undefined);
await page.close().catch((error) => errors.closing.push(`${error.code} ${error.message}`));
await ledger.close().catch((error) => errors.closing.push(`${error.code} ${error.message}`));
limitFiles("unlimited");

ledger = await openLedger(folder, { name, engine });
page = await ledger.rootPage();
for (let at = 600; at < 610; at++) await put(at);
const snapshot = await page.snapshot();
const lost = [];
for (const key of entries) if ((await snapshot.get(key)) === undefined) lost.push(key);
await snapshot.close();
await ledger.close();
console.log(JSON.stringify({ ...errors, entries: entries.size, lost }));
