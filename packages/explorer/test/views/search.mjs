// Search: what the page finds beside what the library finds.
import { allOf, ofNode, texts } from "../support/answers.mjs";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

/** Waits until a search is done: then there is nothing to stop. */
const done = (page) =>
  page.waitForFunction(
    () =>
      document.querySelector(".sea, .empty") !== null &&
      ![...document.querySelectorAll("#view button")].some((one) => one.textContent === "Stop"),
  );

/** The number of rows that the library finds. */
const countOf = (text) => ofNode(async (node) => (await allOf(node.find(text))).length);

export const checks = [
  {
    what: "the first digits of an id find the thing, with its whole id and its views, and every row that has it",
    database: "core-0.11/node-a",
    address: "#/search?for=b875f1c0",
    async run(page, { equal, ok }) {
      await done(page);
      const rows = await countOf("b875f1c0");
      ok((await page.$eval(".answer", (one) => one.textContent)).includes(`${rows} rows of`), `${rows}`);
      equal(await texts(page, ".best .best-name"), ["lobby"]);
      equal(await texts(page, ".best code"), [LOBBY, "DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp"]);
      equal(await texts(page, ".best a.btn"), ["History", "State", "Rows"]);
      const counts = (await texts(page, ".sea tr.group .num")).map((text) =>
        Number(text.replaceAll(",", "")),
      );
      equal(
        counts,
        counts.toSorted((a, b) => a - b),
      );
      equal(
        counts.reduce((sum, one) => sum + one, 0),
        rows,
      );
      const marked = await texts(page, ".sea tbody tr:not(.group) mark");
      const repeated = await page.$$eval(
        ".sea tbody tr:not(.group) td.cut",
        (cells) =>
          cells.filter((cell) => {
            const marks = [...cell.querySelectorAll("mark")].map((one) => one.textContent);
            return new Set(marks).size < marks.length;
          }).length,
      );
      equal(repeated, 0);
      ok((await page.$eval(".best", (one) => one.innerText)).includes("in office, runs kv_store.wasm"));
      ok(marked.length > 0 && marked.every((one) => one.includes("b875f1c0")), marked.join());
      await page.focus(".sea a.hit");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => location.hash.startsWith("#/rows/"));
    },
  },
  {
    what: "a long kind leads to its rows, those that begin with the id",
    database: "core-0.11/node-a",
    address: "#/search?for=b875f1c0",
    async run(page, { equal }) {
      await done(page);
      const more = () =>
        page.$$eval("#view button", (all) => all.filter((one) => /^Show/.test(one.textContent)));
      for (let left = (await more()).length; left > 0; left--)
        await page.evaluate(() =>
          [...document.querySelectorAll("#view button")]
            .find((one) => /^Show/.test(one.textContent))
            ?.click(),
        );
      await page.waitForFunction(
        (id) => document.querySelector(`a[href="#/rows/ContextState?contextId=${id}"]`),
        {},
        LOBBY,
      );
      await page.evaluate(
        (id) => document.querySelector(`.sea a[href="#/rows/ContextState?contextId=${id}"]`).click(),
        LOBBY,
      );
      await page.waitForSelector(".grid tr[aria-rowindex]:not([aria-busy])");
      const rows = await ofNode(async (node) => {
        let found = 0;
        for await (const hit of node.find(LOBBY)) if (hit.column === "State" && hit.in !== "value") found++;
        return found;
      });
      equal(await page.$eval(".grid", (one) => one.getAttribute("aria-rowcount")), `${rows}`);
    },
  },
  {
    what: "a text that nothing has says how many rows were searched",
    database: "core-0.11/node-a",
    address: "#/search?for=nobody%20wrote%20this",
    async run(page, { equal, ok }) {
      await done(page);
      equal(await countOf("nobody wrote this"), 0);
      const text = await page.$eval(".empty", (one) => one.textContent);
      ok(/^No row has it\.1,011 rows were searched/.test(text), text);
    },
  },
  {
    what: "a name of several things lists each of them",
    database: "core-0.10/node-a",
    address: "#/search?for=this%20node",
    async run(page, { equal }) {
      await done(page);
      const { ids } = await ofNode((node) => node.searchedFor("this node"), "core-0.10/node-a");
      equal(ids.length, 4);
      equal(await page.$$eval(".candidates a", (all) => all.map((one) => one.title.slice(-64))), ids);
    },
  },
  {
    what: "after a new search only what it finds is shown",
    database: "core-0.11/node-a",
    address: "#/search?for=office",
    async run(page, { ok }) {
      await page.evaluate(() => {
        location.hash = "#/search?for=lobby";
      });
      await page.waitForFunction(() => document.querySelector(".best-name")?.textContent === "lobby");
      await done(page);
      const rows = await countOf("lobby");
      ok((await page.$eval(".answer", (one) => one.textContent)).includes(`${rows} rows`), `${rows}`);
    },
  },
];
