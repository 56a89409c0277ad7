/** The text of the checks while they run, and after further rows were written. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../../dist/index.js";
import { database } from "../../../../test/browser/compare.mjs";
import { allOf } from "../support/answers.mjs";
import { explore } from "../support/explore.mjs";
import { settled, textOf } from "../support/pages.mjs";

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

export const checks = [
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
          await go(own, "#/live");
          await (await own.waitForSelector("::-p-text(Follow the database)")).click();
          await go(own, "#/overview");
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
