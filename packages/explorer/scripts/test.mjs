// `npm run test:explorer`: the explorer in Chromium, with databases of both revisions, a hostile one and one that changes.
// Needs Chromium, but no network. Prints totals at the end.
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { openStore } from "../../../dist/index.js";
import { database } from "../../../test/browser/compare.mjs";
import { allOf } from "../test/support/answers.mjs";
import { findChromium, launch } from "../test/support/chromium.mjs";
import { expectedWords, historyWords } from "../test/support/expected.mjs";
import { explore } from "../test/support/explore.mjs";
import { hostileDatabase, hostileNames } from "../test/support/hostile.mjs";
import { drop, newPage, pick, settled, textOf, visit } from "../test/support/pages.mjs";
import { servePage } from "../test/support/serve-page.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "merostore-explorer-"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const wanted = process.argv.slice(2);
let passed = 0;
let failed = 0;

function report(what, ok, detail = "") {
  if (ok) passed++;
  else failed++;
  console.log(`${ok ? "ok  " : "FAIL"} ${what}${detail === "" || ok ? "" : `: ${detail}`}`);
}

/** Every view of a database, in the words of its address. */
const VIEWS = [
  "overview",
  "groups",
  "history",
  "state",
  "time",
  "rows",
  "checks",
  "compare",
  "fleet",
  "search?for=lobby",
];

/** Views that need a server. */
const SERVED_VIEWS = ["ask", "live"];

/** The reports that a check of a view can make. */
function reporter(what) {
  return {
    ok: (condition, detail = "") => report(what, Boolean(condition), detail),
    equal: (actual, expected) =>
      report(
        what,
        isDeepStrictEqual(actual, expected),
        `${JSON.stringify(actual)?.slice(0, 300)} instead of ${JSON.stringify(expected)?.slice(0, 300)}`,
      ),
  };
}

/** A page with a picked folder. What it must not do is a failure when the check is done. */
async function withPage(browser, address, source, what, run, options) {
  const page = await newPage(browser, address, options);
  try {
    if (source !== undefined) await pick(page, source);
    await run(page);
  } catch (error) {
    report(what, false, error.stack);
  } finally {
    report(`${what}: no errors, no requests elsewhere`, page.noise.length === 0, page.noise.join("; "));
    await page.close();
  }
}

const viewFolder = join(root, "packages/explorer/test/views");
/** The views that have checks of their own. */
const viewNames = readdirSync(viewFolder).map((file) => file.replace(".mjs", ""));

/** Returns whether the words of the command ask for something; without words, for all. */
const isWanted = (name) => wanted.length === 0 || wanted.includes(name);

/** The checks that each view has of its own. */
async function viewChecks(browser, address) {
  for (const name of viewNames) {
    if (!isWanted(name) && !wanted.includes("viewChecks")) continue;
    const { checks, served: ofServer = [] } = await import(
      pathToFileURL(join(viewFolder, `${name}.mjs`)).href
    );
    for (const { what, databases, address: hash, run } of ofServer) {
      const server = await explore(...databases.map(database));
      await withPage(browser, server.address, undefined, what, async (page) => {
        await page.waitForSelector(".shell");
        await visit(page, hash);
        await run(page, reporter(what));
      });
      await server.close();
    }
    for (const { what, database: opened, address: hash, run } of checks)
      await withPage(browser, address, opened && database(opened), what, async (page) => {
        await visit(page, hash);
        await run(page, reporter(what));
      });
  }
}

/** No view may have a fault that axe finds, or scroll sideways. */
async function accessibility(browser, address) {
  const server = await explore(database("core-0.11/node-a"));
  for (const scheme of ["light", "dark"])
    for (const width of [360, 1280, 2560]) {
      const look = `${scheme}, ${width} px`;
      const options = { scheme, width };
      await withPage(
        browser,
        address,
        database("core-0.11/node-a"),
        `axe, ${look}`,
        (page) => faults(page, VIEWS, look),
        options,
      );
      await withPage(
        browser,
        server.address,
        undefined,
        `axe, served, ${look}`,
        async (page) => {
          await page.waitForSelector(".shell");
          await faults(page, SERVED_VIEWS, look);
        },
        options,
      );
    }
  await server.close();
}

async function faults(page, views, look) {
  for (const view of views) {
    await visit(page, `#/${view}`);
    await page.evaluate(axe);
    const { violations } = await page.evaluate("axe.run()");
    const found = violations.map(({ id, nodes }) => `${id} at ${nodes[0].target} (${nodes.length})`);
    report(`axe finds nothing in ${view}, ${look}`, found.length === 0, found.join("; "));
    const wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    report(`${view} does not scroll sideways, ${look}`, wide <= 0, `${wide} px`);
  }
}

/** Every view of every node's database opens without an error. */
async function everyView(browser, address) {
  for (const name of [
    "core-0.11/node-b",
    "core-0.10/node-a",
    "core-0.11/log-and-tables",
    "documented/tables",
  ])
    await withPage(browser, address, database(name), name, async (page) => {
      await saysWhatTheLibraryDoes(page, name);
    });
}

/** Every view of a database says what the library answers, without an error. */
async function saysWhatTheLibraryDoes(page, name) {
  const expected = await expectedWords(name);
  for (const view of VIEWS) {
    await visit(page, `#/${view}`);
    const text = await textOf(page);
    const [, context] = /history\/context\/(\w+)/.exec(await page.evaluate("location.hash")) ?? [];
    const words = view === "history" ? await historyWords(name, context) : expected[view];
    const missing = words.filter((one) => !text.includes(one));
    report(
      `${name}: ${view} says what the library does`,
      words.length > 0 && missing.length === 0,
      `“${missing.join("”, “")}” not in ${text.slice(0, 600)}`,
    );
    report(`${name}: ${view} has no error`, (await page.$("#view .note.error")) === null, text.slice(0, 300));
  }
}

/** Names with markup, escapes, direction marks and a megabyte are text. */
async function hostile(browser, address) {
  const path = await hostileDatabase(database("core-0.11/node-a"), folder);
  await withPage(browser, address, path, "hostile names", async (page) => {
    for (const view of VIEWS) {
      await visit(page, `#/${view}`);
      const { scripts, images, title, bytes, raw } = await page.evaluate(() => ({
        scripts: document.querySelectorAll("main script").length,
        images: document.querySelectorAll("main img").length,
        title: document.title,
        bytes: document.body.innerHTML.length,
        raw: /[\p{Bidi_Control}]/u.test(document.body.innerText),
      }));
      const ok = scripts + images === 0 && !/^(?:markup|script)$/.test(title) && bytes < 2_000_000 && !raw;
      report(`hostile names are text in ${view}`, ok, JSON.stringify({ scripts, images, title, bytes, raw }));
    }
    await visit(page, "#/overview");
    const text = await textOf(page);
    for (const { shown } of hostileNames)
      report(`the name ${shown.slice(0, 30)} is shown`, text.includes(shown), text.slice(0, 400));
  });
}

/** A file that changes under the page makes a sentence, and the page goes on. */
async function changed(browser, address) {
  const path = join(folder, "changing");
  cpSync(database("core-0.11/node-a"), path, { recursive: true });
  const page = await newPage(browser, address);
  await pick(page, path);
  for (const file of readdirSync(path)) if (file.endsWith(".sst")) appendFileSync(join(path, file), "x");
  await visit(page, "#/rows/ContextDagDelta");
  const text = await textOf(page);
  report("a changed file is a sentence", /cannot be read|changed/.test(text), text.slice(0, 300));
  await visit(page, "#/open");
  await pick(page, database("core-0.11/node-a"));
  await visit(page, "#/rows/ContextDagDelta");
  report("the page goes on", (await textOf(page)).includes("ContextDagDelta"));
  await page.close();
}

/** Dropped, as a demonstration, and as one saved file. */
async function waysToOpen(browser, address) {
  const saved = pathToFileURL(join(root, "dist/explorer/explorer.html")).href;
  for (const [what, from] of [
    ["dropped", address],
    ["dropped on the saved file", saved],
  ])
    await withPage(browser, from, undefined, what, async (page) => {
      for (const [name, words] of [
        ["nothing", "That was no folder with files."],
        ["note.txt", "note.txt holds no RocksDB database: it has no file CURRENT"],
      ]) {
        const path = join(folder, name);
        if (name === "nothing") mkdirSync(path, { recursive: true });
        else writeFileSync(path, "words");
        await drop(page, path);
        const note = await page.waitForSelector(`.note.error ::-p-text(${words})`);
        report(`${what}: the page says that ${name} has no database`, note !== null);
      }
      await drop(page, database("core-0.10/node-a"));
      await page.waitForSelector(".shell");
      report(`a folder opens, ${what}`, (await textOf(page, ".side")).includes("Overview"));
    });
  for (const [what, from] of [
    ["the demonstration", address],
    ["the saved file", saved],
  ])
    await withPage(browser, from, undefined, what, async (page) => {
      const button = await page.waitForSelector("::-p-text(Look at a demonstration)");
      await button.click();
      await page.waitForSelector(".shell");
      await visit(page, "#/overview");
      const text = await textOf(page);
      report(`${what} opens`, text.includes("6 namespaces") && text.includes("lobby"), text.slice(0, 200));
    });
}

/** A worker that fails is replaced: the page goes on with the same database. */
async function failures(browser, address) {
  const page = await newPage(browser, address);
  await pick(page, database("core-0.11/node-a"));
  await visit(page, "#/overview");
  const [worker] = page.workers();
  const failed = new Promise((resolve) => page.once("workerdestroyed", resolve));
  await worker.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error("broken");
      }),
  );
  await failed;
  await visit(page, "#/rows/ContextMeta");
  const rows = await page.$$eval(".grid tbody tr[aria-rowindex]", (all) => all.length);
  report("the page goes on after its worker failed", rows > 0, await textOf(page));
  await page.close();
}

/** The address of `merostore explore`: a database that is written to meanwhile, and two at once. */
async function served(browser) {
  const path = join(folder, "live");
  cpSync(database("core-0.11/node-a"), path, { recursive: true });
  const server = await explore(path);
  await withPage(browser, server.address, undefined, "served", async (page) => {
    await page.waitForSelector(".shell");
    await settled(page);
    const hash = await page.evaluate("location.hash");
    report("the token leaves the address", hash === "#/overview", hash);
    await saysWhatTheLibraryDoes(page, "core-0.11/node-a");
    await visit(page, "#/live");
    const store = await openStore(path, { writable: true });
    const { key: Alias } = store.schema.row("Alias");
    const [{ key, value }] = await allOf(store.table(Alias).scan({ limit: 1 }));
    // Nothing says when following has begun: rows are written until one of them appears.
    let written = 0;
    const appears = async () => {
      const name = `written-now-${++written}`;
      await store.put(new Alias({ aliasKind: key.aliasKind, scope: key.scope, name }), value);
      return page
        .waitForFunction((text) => document.body.innerText.includes(text), { timeout: 3_000 }, name)
        .then(
          () => true,
          () => false,
        );
    };
    let hasAppeared = false;
    while (!hasAppeared && written < 20) hasAppeared = await appears();
    report("a row that is written appears", hasAppeared, await textOf(page));
    const listed = await page.$$eval(".feed > li:not(.line, .sep)", (rows) => rows.length);
    const text = await textOf(page);
    report("rows that were written are counted", text.includes(`${listed} row`), text);
    await store.close();
    await visit(page, "#/rows/Alias");
    await page.waitForFunction(
      (name) => document.body.innerText.includes(name),
      {},
      `written-now-${written}`,
    );
    await visit(page, "#/live");
    await (await page.waitForSelector("::-p-text(Stop following)")).click();
    await page.reload();
    await page.waitForSelector(".shell");
    report("the page can be loaded again", (await textOf(page, ".side")).includes("Live"));
  });
  report("Ctrl-C ends the command", [0, 130].includes(await server.close()));
}

/** The picture in the README. */
async function picture(browser, address) {
  const path = join(folder, "node-a");
  cpSync(database("core-0.11/node-a"), path, { recursive: true });
  await withPage(browser, address, path, "picture", async (page) => {
    await visit(page, "#/overview");
    await settled(page);
    await page.screenshot({ path: join(root, "docs/images/explorer-overview.webp"), quality: 80 });
  });
}

const suites = { viewChecks, accessibility, everyView, hostile, changed, waysToOpen, failures, served };
/** Tasks that run only if they are named: they write files of the repository. */
const tasks = { picture };

const known = [...Object.keys(suites), ...Object.keys(tasks), ...viewNames];
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`Nothing is called ${unknown.join(", ")}. There are: ${known.join(", ")}.`);
  process.exit(2);
}

const chromium = findChromium();
if (chromium === undefined) {
  console.log("not run: no Chromium on PATH, and CHROMIUM_PATH is not set");
  process.exit(0);
}
const server = await servePage();
const browser = await launch(chromium, join(folder, "profile"));
try {
  for (const [name, run] of Object.entries(suites))
    if (name === "viewChecks" || isWanted(name)) await run(browser, server.address);
  for (const [name, run] of Object.entries(tasks))
    if (wanted.includes(name)) await run(browser, server.address);
} catch (error) {
  report("test:explorer", false, error.stack);
} finally {
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
