/** The text of the checks while they run, and after further rows were written. */
import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromHex, openStore } from "../../../../dist/index.js";
import { CalimeroNode } from "../../../../dist/node/index.js";
import { database } from "../../../../test/browser/compare.mjs";
import { allOf } from "../support/answers.mjs";
import { explore } from "../support/explore.mjs";
import { settled, textOf } from "../support/pages.mjs";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

/** Runs with a copy of node-a, of which the rows of a kind that `isDeleted` are deleted. */
async function withCopy(run) {
  const folder = mkdtempSync(join(tmpdir(), "merostore-live-"));
  try {
    const path = join(folder, "node-a");
    cpSync(database("core-0.11/node-a"), path, { recursive: true });
    await run(path);
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 10 });
  }
}

/** Everything that a page with `merostore explore` says of the checks while they run and after, each once. */
async function withServed(browser, path, run) {
  const server = await explore(path);
  const page = await browser.newPage();
  try {
    await page.evaluateOnNewDocument(() => {
      window.openQuestions = () => 0;
      window.said = [];
      new MutationObserver(() => {
        const text = (of) => document.querySelector(of)?.innerText;
        const isRunning = document.querySelector(".checks-progress") !== null;
        const marks = document.querySelectorAll(".severities .sev.ok").length;
        const now = JSON.stringify({ h1: text("h1"), answer: text(".answer"), isRunning, marks });
        if (window.said.at(-1) !== now) window.said.push(now);
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await page.goto(server.address);
    await page.waitForSelector(".shell");
    await run(page);
  } finally {
    await page.close();
    await server.close();
  }
}

const go = async (page, hash) => {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await settled(page);
};

const said = async (page) => (await page.evaluate(() => window.said)).map((text) => JSON.parse(text));

/** The newest delta of a context, its row, and the words of its changes. */
async function newestDelta(path, context) {
  const store = await openStore(path, { writable: true });
  const node = new CalimeroNode(store);
  const [{ id }] = await allOf(node.deltas(context, { limit: 1 }));
  const { key } = store.schema.row("ContextDagDelta");
  const row = await store.get(new key({ contextId: fromHex(context), deltaId: fromHex(id) }));
  return { store, row, key: new key({ contextId: fromHex(context), deltaId: fromHex(id) }), id };
}

export const checks = [
  {
    what: "a new delta is a line with its author, and each entry from what to what; the filter and a pause hold it",
    address: "#/open",
    run: (page, { ok, equal }) =>
      withCopy(async (path) => {
        const { store, key, row } = await newestDelta(path, LOBBY);
        await store.delete(key);
        await withServed(page.browser(), path, async (own) => {
          await go(own, "#/live");
          ok(
            (await own.$eval(".empty", (one) => one.innerText)).includes(
              "The newest change is of 2026-11-21",
            ),
          );
          equal((await own.$$(".rate, .live-bar input")).length, 0);
          // Nothing says when following has begun: the row is written until it is noticed.
          let line;
          for (let written = 0; line === undefined && written < 20; written++) {
            await store.put(key, row);
            line = await own
              .waitForSelector(".feed .did", { timeout: 3_000 })
              .then((found) => found.evaluate((one) => one.closest("li").innerText.replace(/\s+/g, " ")))
              .catch(() => undefined);
            if (line === undefined) await store.delete(key);
          }
          ok(/(set|deleted) items\["\w+"\] .* → /.test(line), line);
          ok(line.endsWith("lobby"), line);
          // Paused, the list stays as it is, however often the row was written before it was noticed.
          await own.keyboard.press("Space");
          await own.waitForSelector("::-p-text(Go on)");
          const lines = () => own.$$eval(".feed > li:not(.line, .sep)", (all) => all.length);
          const all = await lines();
          ok(all > 0);
          await own.type(".live-bar input", "nothing is called so");
          equal(await lines(), 0);
          await own.click(".live-bar input", { count: 3 });
          await own.keyboard.press("Backspace");
          equal(await lines(), all);
          await store.delete(key);
          await own.waitForSelector("::-p-text(newer row)");
          equal(await lines(), all);
        });
        await store.close();
      }),
  },
  {
    what: "every view says that the files of the database are gone or replaced, and keeps its content",
    address: "#/open",
    run: (page, { ok }) =>
      withCopy(async (path) => {
        const ends = async (words, change) =>
          withServed(page.browser(), path, async (own) => {
            await settled(own);
            change();
            await own.waitForFunction(
              (wanted) => document.querySelector(".note.error")?.innerText.includes(wanted),
              {},
              words,
            );
            await go(own, "#/groups");
            ok((await textOf(own)).includes(words), words);
            await go(own, "#/overview");
            // The overview was read before.
            await own.waitForFunction(() =>
              /A node in .* contexts/.test(document.querySelector(".answer")?.innerText),
            );
          });
        await ends("Another database is in its place", () => {
          renameSync(path, `${path}-before`);
          cpSync(database("core-0.11/node-c"), path, { recursive: true });
        });
        await ends("Its files are gone", () => rmSync(path, { recursive: true }));
      }),
  },
  {
    what: "while checks run, nothing says that there is no error",
    address: "#/open",
    run: (page, { ok }) =>
      withCopy(async (path) => {
        const store = await openStore(path, { writable: true });
        const [, second] = await allOf(store.table("ContextDagDelta").scan({ limit: 2 }));
        await store.delete(second.key);
        await store.close();
        await withServed(page.browser(), path, async (own) => {
          await own.evaluate(() => {
            location.hash = "#/checks";
          });
          await own.waitForFunction(() => document.querySelector(".severities .sev.ok, .find") !== null);
          await own.waitForFunction(() => document.querySelector(".checks-progress") === null);
          const running = (await said(own)).filter(({ isRunning }) => isRunning);
          ok(running.length > 0, "the checks were seen while they ran");
          const early = running.filter(
            ({ h1, answer, marks }) =>
              marks > 0 || /no (?:error|warning)|nothing is/i.test(`${h1} ${answer}`),
          );
          ok(early.length === 0, JSON.stringify(early[0]));
        });
      }),
  },
  {
    what: "a verdict names the rows that were written since",
    address: "#/open",
    run: (page, { ok }) =>
      withCopy((path) =>
        withServed(page.browser(), path, async (own) => {
          await own.waitForFunction(() => document.body.innerText.includes("The checks are done"));
          const store = await openStore(path, { writable: true });
          const { key: Alias } = store.schema.row("Alias");
          const [{ key, value }] = await allOf(store.table(Alias).scan({ limit: 1 }));
          // Nothing says when following has begun: rows are written until one is noticed.
          let isNoticed = false;
          for (let written = 1; !isNoticed && written < 20; written++) {
            const name = `written-${written}`;
            await store.put(new Alias({ aliasKind: key.aliasKind, scope: key.scope, name }), value);
            isNoticed = await own
              .waitForFunction(
                () => window.said.some((text) => text.includes("It was checked before the last")),
                { timeout: 3_000 },
              )
              .then(
                () => true,
                () => false,
              );
          }
          ok(isNoticed, await textOf(own));
          await store.close();
          // It takes less than a second: it is checked again by itself.
          await own.waitForFunction(() => document.body.innerText.includes("The checks are done"));
          const both = (await said(own)).filter(
            ({ answer = "" }) => answer.includes("The checks are done") && answer.includes("before the last"),
          );
          ok(both.length === 0, JSON.stringify(both[0]));
        }),
      ),
  },
];
