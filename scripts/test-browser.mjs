// `npm run test:browser`: a page in Chromium opens databases by their files, and all rows are compared with the rows
// that Rust read; a worker in it writes one, which RocksDB then opens. Needs Chromium, but no network. Prints totals at the end.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { backupDatabase } from "../dist/engines/index.js";
import { core010, core011, documented, toHex } from "../dist/index.js";
import {
  dropFolder,
  findChromium,
  launch,
  openUrl,
  pickFiles,
  pickFolder,
  pickRaw,
} from "../packages/explorer/test/support/chromium.mjs";
import { bundle, entryPoints, ofNode, refusal } from "../test/browser/bundle.mjs";
import { compare, database, different, failureOf, linesOf } from "../test/browser/compare.mjs";
import { writeInOrigin } from "../test/browser/origin.mjs";
import { reloadWhileWriting } from "../test/browser/reloads.mjs";
import { serve } from "../test/engines/files/http/serve.mjs";
import { samplePath, sampleRows, samples } from "../test/support/samples.mjs";

/** Entry points that need Node because they open folders. */
const NEED_NODE = ["transfer", "sql"].map((name) => `merostore/${name}`);

const folder = mkdtempSync(join(tmpdir(), "merostore-browser-"));
let passed = 0;
let failed = 0;

function report(what, ok, detail = "") {
  if (ok) passed++;
  else failed++;
  console.log(`${ok ? "ok  " : "FAIL"} ${what}${detail === "" ? "" : `: ${detail}`}`);
}

/** Compares the page's answer about the database of a fixture with the expected rows. */
function check(fixture, schema, how, answer) {
  for (const { what, ok, detail } of compare(fixture, schema, answer))
    report(`${fixture}, ${how}: ${what}`, ok, detail);
}

/** A copy of a fixture's database that tests may damage. */
function copyOf(name, as) {
  const path = join(folder, as);
  cpSync(database(name), path, { recursive: true });
  return path;
}

/**
 * A damaged table makes its column family unreadable with an error that names the file; other families stay readable.
 */
async function damagedTable(browser, code, name) {
  const path = copyOf(name, "damaged");
  const file = readdirSync(path).find((one) => one.endsWith(".sst"));
  const bytes = readFileSync(join(path, file));
  bytes[5] ^= 1; // in the first block
  writeFileSync(join(path, file), bytes);
  const answer = await pickFolder(browser, code, path);
  const what = `${name} with a flipped byte in ${file}`;
  if (answer.error) return report(what, false, failureOf(answer));
  const damaged = answer.columns.filter(({ error }) => error !== undefined);
  const [first] = damaged;
  report(
    `${what}: DATABASE_DAMAGED`,
    damaged.length === 1 && first.error.code === "DATABASE_DAMAGED" && first.error.message.includes(file),
    damaged.map(({ error }) => error.message).join("; "),
  );
  const others = linesOf(name).filter((line) => JSON.parse(line).column !== first?.name);
  const found = answer.columns.flatMap(({ revealed }) => revealed);
  const wrong = different(found, others);
  report(`${what}: the other column families`, wrong === 0, `rows ${others.length}, different ${wrong}`);
}

/** Folders without a database, with several, or with files that change. */
async function refused(browser, code) {
  const without = copyOf("core-0.11/log-and-tables", "without-current");
  rmSync(join(without, "CURRENT"));
  const nothing = await pickFolder(browser, code, without);
  report("without CURRENT: NOT_A_DATABASE", nothing.error?.code === "NOT_A_DATABASE", failureOf(nothing));
  report("errors keep their names", nothing.error?.name === "MerostoreError", nothing.error?.name);

  copyOf("core-0.10/tables", "nodes/a");
  copyOf("core-0.11/log", "nodes/b");
  const two = await pickFolder(browser, code, join(folder, "nodes"));
  report("two databases: INVALID_ARGUMENT", two.error?.code === "INVALID_ARGUMENT", failureOf(two));

  const live = copyOf("core-0.11/log", "live");
  const log = join(
    live,
    readdirSync(live).find((file) => file.endsWith(".log")),
  );
  const { again, ...before } = await pickFolder(browser, code, live, () => {
    writeFileSync(log, readFileSync(log).subarray(0, -1));
    utimesSync(log, 1, 1); // a different time, even if the file system has a coarse clock
  });
  report(
    "a file that changed after it was picked: ENGINE_FAILED",
    failureOf(before) === undefined && again.error?.code === "ENGINE_FAILED",
    failureOf(before) ?? failureOf(again),
  );
}

/** Databases with a node's options of core-1.0: tables that are compressed with LZ4 and Zstandard, with dictionaries. */
async function compressed(browser, code) {
  for (const { name } of samples) {
    const { rows = [], noise, ...answer } = await pickRaw(browser, code, samplePath(name));
    const lines = sampleRows(name).map(({ column, key, value }) => `${column} ${toHex(key)} ${toHex(value)}`);
    const wrong = different(rows.toSorted(), lines.toSorted());
    const ok = wrong === 0 && noise.length === 0;
    report(
      `${name}: rows`,
      ok,
      failureOf(answer) ?? [`rows ${rows.length}, different ${wrong}`, ...noise].join("; "),
    );
  }
}

/** A backup on a web server of another origin: with all headers exposed, with none, and one that pages may not read. */
async function onServer(browser, code) {
  const backup = join(folder, "backup");
  await backupDatabase(database("core-0.11/log-and-tables"), backup);
  const server = await serve(backup);
  try {
    for (const how of ["cors", "cors-without-headers"])
      check(
        "core-0.11/log-and-tables",
        core011,
        `from a web server, ${how}`,
        await openUrl(browser, code, server.url(how)),
      );
    const hidden = await openUrl(browser, code, server.url("plain"));
    report(
      "a server that allows no other origin: NETWORK_ERROR",
      hidden.error?.code === "NETWORK_ERROR",
      failureOf(hidden),
    );
  } finally {
    server.close();
  }
}

async function inChromium(code) {
  const chromium = findChromium();
  if (chromium === undefined) {
    throw new Error(
      "Chromium was not found: install it (Debian: apt install chromium), or set CHROMIUM_PATH to the program",
    );
  }
  const browser = await launch(chromium, join(folder, "profile"));
  try {
    console.log(`${await browser.version()}, ${chromium}`);
    const folders = [
      ["core-0.11/node-a", core011],
      ["core-0.11/log", core011],
      ["core-0.11/log-and-tables", core011],
      ["core-0.11/every-kind-tables", core011],
      ["core-0.10/tables", core010],
      ["documented/log-and-tables", documented],
    ];
    for (const [name, schema] of folders)
      check(name, schema, "picked", await pickFolder(browser, code, database(name)));
    const path = database("core-0.11/tables");
    const files = readdirSync(path).map((file) => join(path, file));
    check("core-0.11/tables", core011, "as single files", await pickFiles(browser, code, files));
    const dropped = database("core-0.10/node-a");
    check("core-0.10/node-a", core010, "dropped", await dropFolder(browser, code, dropped));
    const outer = copyOf("core-0.11/node-c", "outer");
    copyOf("core-0.11/node-b", "outer/backup");
    check("core-0.11/node-c", core011, "with another inside", await pickFolder(browser, code, outer));
    await damagedTable(browser, code, "core-0.11/log-and-tables");
    await refused(browser, code);
    await compressed(browser, code);
    await onServer(browser, code);
    await writeInOrigin(browser, folder, report);
    await reloadWhileWriting(browser, folder, report);
  } finally {
    await browser.close();
  }
}

try {
  for (const entryPoint of entryPoints()) {
    const found = await refusal(entryPoint);
    if (NEED_NODE.includes(entryPoint)) report(`${entryPoint} needs Node`, found !== undefined, found);
    else report(`${entryPoint} runs in a page`, found === undefined, found);
  }
  const page = await bundle("test/browser/page.mjs");
  const found = ofNode(page);
  const bytes = Buffer.byteLength(page.code);
  report(
    "the page contains no Node modules",
    found.length === 0,
    [...found, `${bytes} bytes, ${gzipSync(page.code).length} compressed`].join("; "),
  );
  await inChromium(page.code);
} catch (error) {
  report("test:browser", false, error.stack);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
