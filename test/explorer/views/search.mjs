/** Search: what the library finds. */
import { openNode } from "../../../dist/node/index.js";
import { database } from "../../browser/compare.mjs";
import { settled, textOf } from "../support/pages.mjs";

async function foundBy(name, text) {
  const node = await openNode(database(name));
  const kinds = {};
  for await (const { column, row } of node.find(text)) {
    const kind = node.store?.schema.identify(column, row.key)?.kind ?? column;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  await node[Symbol.asyncDispose]();
  return Object.values(kinds).reduce((sum, count) => sum + count, 0);
}

async function done(page) {
  await settled(page);
  await page.waitForFunction(() => document.querySelector("[role=status] .btn") === null);
  await settled(page);
}

export const checks = ["lobby", "fa3977a2", "late10", "no such text anywhere"].map((text) => ({
  what: `the rows that have ${text} are counted`,
  database: "core-0.11/node-a",
  address: `#/search?for=${encodeURIComponent(text)}`,
  async run(page, { equal }) {
    await done(page);
    const shown = await textOf(page);
    const count = Number(/([\d,]+) rows? of/.exec(shown)?.[1]?.replaceAll(",", "") ?? 0);
    equal(count, await foundBy("core-0.11/node-a", text));
  },
}));

checks.push({
  what: "/ searches, and a name leads to its views",
  database: "core-0.11/node-a",
  address: "#/overview",
  async run(page, { ok }) {
    await page.keyboard.press("/");
    await page.keyboard.type("lobby");
    await page.keyboard.press("Enter");
    await done(page);
    const text = await textOf(page);
    ok(
      text.includes("It is a context, lobby") &&
        text.includes("DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp"),
      text,
    );
    const [history] = await page.$$eval(".best a.btn", (links) => links.map((link) => link.hash));
    ok(
      history === "#/history/context/b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443",
      history,
    );
  },
});
