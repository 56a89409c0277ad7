// The history: what the page shows beside what the library answers, by pointer and by keyboard.
import { allOf, ofNode } from "../support/answers.mjs";
import { settled, visit } from "../support/pages.mjs";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
const OFFICE = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";

/** The library's list about a node. */
const listed = (items) => ofNode((node) => allOf(items(node)));

/** The ids of the rows in sight, from the top on; folds are left out. */
const shownIds = (page) =>
  page.$$eval(".history-list [role=option]", (rows) =>
    rows
      .map((row) => ({
        at: Number(row.getAttribute("aria-posinset")),
        id: row.querySelector(".oid")?.textContent,
      }))
      .sort((a, b) => a.at - b.at)
      .flatMap(({ id }) => (id ? [id] : [])),
  );

/** Waits until the rows in sight have their words. */
const words = (page) => page.waitForFunction(() => document.querySelector(".history-list .oid") !== null);

const selectedId = (page) => page.evaluate(() => decodeURIComponent(location.hash).split("/")[4] ?? "");

/** Waits until the address has another row than one, and the list shows it as selected: keys begin from there. */
const movedFrom = (page, id) =>
  page.waitForFunction(
    (before) => {
      const now = location.hash.split("/")[4] ?? "";
      const selected = document.querySelector(".history-list [aria-selected=true]");
      if (now === "") return before !== "" && selected === null;
      return now !== before && selected?.querySelector(".oid")?.textContent === now.slice(0, 8);
    },
    {},
    id,
  );

export const checks = [
  {
    what: "a context's deltas stand newest first, with a fold of the long run",
    database: "core-0.11/node-a",
    address: `#/history/context/${LOBBY}`,
    async run(page, { equal, ok }) {
      await words(page);
      const deltas = await listed((node) => node.deltas(LOBBY));
      const ids = await shownIds(page);
      equal(
        ids.slice(0, 5),
        deltas.slice(0, 5).map(({ id }) => id.slice(0, 8)),
      );
      const fold = await page.$eval(".history-list .fold", (element) => element.textContent);
      ok(/^95 more by 38ec7407 in one line/.test(fold), fold);
      const sentence = await page.$eval(".answer", (element) => element.textContent);
      ok(sentence.startsWith(`${deltas.length} deltas by three accounts`), sentence);
      ok(sentence.includes("one head, and nothing is pending"), sentence);
    },
  },
  {
    what: "a fold opens by a click and by Enter",
    database: "core-0.11/node-a",
    address: `#/history/context/${LOBBY}`,
    async run(page, { equal }) {
      await words(page);
      const lines = () =>
        page.$eval(".history-list [role=option]", (row) => Number(row.getAttribute("aria-setsize")));
      const before = await lines();
      await page.click(".history-list .fold");
      await page.waitForFunction(
        (count) =>
          Number(document.querySelector(".history-list [role=option]").getAttribute("aria-setsize")) !==
          count,
        {},
        before,
      );
      equal((await lines()) - before, 94);
      // A list that is shown anew has its folds again.
      await visit(page, "#/overview");
      await visit(page, `#/history/context/${LOBBY}`);
      await words(page);
      equal(await lines(), before);
      await page.focus(".history-list");
      for (let step = 0; step < before; step++) {
        await page.keyboard.press("ArrowDown");
        await settled(page);
        const isFold = await page.$eval(".history-list", (list) =>
          document.getElementById(list.getAttribute("aria-activedescendant")).matches(".fold"),
        );
        if (isFold) break;
      }
      await page.keyboard.press("Enter");
      await settled(page);
      equal((await lines()) - before, 94);
    },
  },
  {
    what: "a click selects a delta: its detail names parents, followers and the row, and the address has it",
    database: "core-0.11/node-a",
    address: `#/history/context/${LOBBY}/9295d9fe0e02d6ba22201be33d183fec0393dd8294a4a88d6f18f36a85ba1cba`,
    async run(page, { equal, ok }) {
      await page.waitForSelector(".detail .kv");
      const [delta] = (await listed((node) => node.deltas(LOBBY))).filter(({ id }) =>
        id.startsWith("9295d9fe"),
      );
      const text = await page.$eval(".detail", (element) => element.textContent);
      ok(text.includes("2026-11-21 05:51:29.618 UTC"), text);
      ok(text.includes("Merges 2 parents") && text.includes("3 actions"), text);
      for (const parent of delta.parents) ok(text.includes(parent.slice(0, 8)), parent);
      const row = await page.$eval('.detail a[href^="#/rows/"]', (link) => link.getAttribute("href"));
      equal(row, `#/rows/ContextDagDelta?key=${LOBBY}${delta.id}`);
      await page.click('.detail .plainlist a[href^="#/history/"]');
      await movedFrom(page, delta.id);
      equal(await selectedId(page), delta.parents[0]);
      await page.goBack();
      await movedFrom(page, delta.parents[0]);
      equal(await selectedId(page), delta.id);
    },
  },
  {
    what: "keys move through a history: arrows, Home, End, p and c, and Esc ends the selection",
    database: "core-0.11/node-a",
    address: `#/history/context/${LOBBY}`,
    async run(page, { equal }) {
      await words(page);
      const deltas = await listed((node) => node.deltas(LOBBY));
      await page.focus(".history-list");
      await page.keyboard.press("ArrowDown");
      await movedFrom(page, "");
      equal(await selectedId(page), deltas[0].id);
      await page.keyboard.press("ArrowDown");
      await movedFrom(page, deltas[0].id);
      equal(await selectedId(page), deltas[1].id);
      await page.keyboard.press("p");
      await movedFrom(page, deltas[1].id);
      equal(await selectedId(page), deltas[1].parents[0]);
      await page.keyboard.press("c");
      await movedFrom(page, deltas[1].parents[0]);
      equal(await selectedId(page), deltas[1].id);
      await page.keyboard.press("End");
      await movedFrom(page, deltas[1].id);
      equal(await selectedId(page), deltas.at(-1).id);
      await page.keyboard.press("Home");
      await movedFrom(page, deltas.at(-1).id);
      equal(await selectedId(page), deltas[0].id);
      await page.keyboard.press("Escape");
      await movedFrom(page, deltas[0].id);
      equal(await selectedId(page), "");
    },
  },
  {
    what: "the log of a namespace is listed in the library's sentences",
    database: "core-0.11/node-a",
    address: `#/history/namespace/${OFFICE}`,
    async run(page, { equal }) {
      await words(page);
      const operations = await listed((node) => node.history(OFFICE));
      equal(
        await shownIds(page),
        operations.slice(0, (await shownIds(page)).length).map(({ id }) => id.slice(0, 8)),
      );
      const first = await page.$eval(".history-list .sentence", (element) => element.textContent);
      const expected = operations[0].sentence
        .map((part) => (typeof part === "string" ? part : (part.name ?? part.id.slice(0, 8))))
        .join("");
      equal(first, expected);
    },
  },
  {
    what: "without a thing in the address the first context with deltas is shown, of the older revision, too",
    database: "core-0.10/node-a",
    address: "#/history",
    async run(page, { ok }) {
      await words(page);
      const hash = await page.evaluate(() => location.hash);
      ok(/^#\/history\/context\/[0-9a-f]{64}$/.test(hash), hash);
    },
  },
  {
    what: "an id that a history does not have gets a note",
    database: "core-0.11/node-a",
    address: `#/history/context/${LOBBY}/ffffffff`,
    async run(page, { ok }) {
      await page.waitForSelector(".detail .note");
      ok(
        (await page.$eval(".detail", (element) => element.textContent)).includes("nothing with the id"),
        "a note",
      );
    },
  },
];
