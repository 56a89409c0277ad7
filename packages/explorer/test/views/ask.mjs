// Questions in SQL: asked of the server of the page, by pointer and by keyboard.
import { settled, textOf, unnamedLandmarks, visit } from "../support/pages.mjs";

const STATEMENT = "select count(*) as contexts from ContextMeta";

const type = async (page, statement) => {
  await page.click(".sql textarea");
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type(statement);
};

const run = async (page) => {
  await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Control");
  await settled(page);
};

const cells = (page) =>
  page.$$eval(".ask .panel .tbl tbody td", (all) => all.map(({ innerText }) => innerText));

export const checks = [
  {
    what: "ask: a page without a server says what is needed",
    database: "core-0.11/node-a",
    address: "#/ask",
    async run(page, { ok }) {
      ok((await textOf(page)).includes("Questions in SQL need merostore explore."));
    },
  },
];

/** Checks of what a server serves. */
export const served = [
  {
    what: "ask: a typed question, its picture, its error, and a link",
    databases: ["core-0.11/node-a"],
    address: "#/ask",
    async run(page, { ok, equal }) {
      equal(await page.$eval(".askl .tb .item", ({ innerText }) => innerText.trim()), "groups");
      // All deltas are of one hour: the picture has an author at each place, and the table each with the own colour.
      equal(await page.$$eval(".chart rect", (all) => all.length), 4);
      const people = await page.$$eval(".ask .tbl .author", (all) => all.map(({ innerText }) => innerText));
      equal(people, ["38ec7407", "Zoë", "this node"]);
      equal(await unnamedLandmarks(page), []);
      equal(await page.$eval(".ask .tbl", ({ parentElement }) => parentElement.tabIndex), 0);
      await type(page, STATEMENT);
      await run(page);
      equal(await cells(page), ["7"]);
      ok((await page.evaluate("location.hash")).includes("sql=select"));
      await (await page.waitForSelector("::-p-text(Bytes by context)")).click();
      await settled(page);
      const bars = await page.$$eval(".chart rect", (all) => all.length);
      equal(bars, 7);
      await type(page, "select nothing from nowhere");
      await run(page);
      const failure = await textOf(page, ".note.error");
      ok(/nowhere/.test(failure), failure);
      ok((await page.$(".panel.old .tbl")) !== null);
      await visit(page, `#/ask?sql=${encodeURIComponent("select 42 as answer")}`);
      ok((await textOf(page)).includes("was not asked yet"));
      ok(!(await cells(page)).includes("42"));
      await (await page.waitForSelector("::-p-text(Run)")).click();
      await settled(page);
      equal(await cells(page), ["42"]);
    },
  },
];
