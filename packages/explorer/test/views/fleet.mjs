// Nodes side by side: what the matrix shows beside what the library answers, by pointer and by keyboard.
import { openStore } from "../../../../dist/index.js";
import { CalimeroNode } from "../../../../dist/node/index.js";
import { rootHashes, whyDiffer } from "../../../../dist/why/index.js";
import { database } from "../../../../test/browser/compare.mjs";
import { settled, textOf, visit } from "../support/pages.mjs";

const NAMES = ["core-0.11/node-a", "core-0.11/node-b", "core-0.11/node-c"];
const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

/** The root hashes of all contexts, by node, and why the nodes differ in the lobby. */
async function answers(labels) {
  const stores = await Promise.all(NAMES.map((name) => openStore(database(name))));
  try {
    const hashes = new Map();
    for await (const { context, nodes } of rootHashes(
      stores.map((store, at) => ({ name: labels[at], store })),
    ))
      hashes.set(context, new Map(nodes.map(({ node, rootHash }) => [node, rootHash])));
    const sources = stores.map((store, at) => ({
      name: labels[at],
      reader: store,
      node: new CalimeroNode(store),
    }));
    const [{ pairs }] = await whyDiffer(sources, { context: LOBBY });
    return { hashes, sentence: pairs[1].sentence };
  } finally {
    for (const store of stores) await store.close();
  }
}

/** Adds the other nodes. */
async function add(page) {
  for (const name of NAMES.slice(1)) {
    const input = await page.waitForSelector("#view input[type=file]");
    await input.uploadFile(database(name));
    await settled(page);
  }
  await page.waitForSelector(".matrix");
  await settled(page);
}

const labelsOf = (page) =>
  page.$$eval(".matrix thead th b", (names) => names.map(({ textContent }) => textContent));

export const checks = [
  {
    what: "fleet",
    database: NAMES[0],
    address: "#/fleet",
    async run(page, { ok, equal }) {
      await add(page);
      const labels = await labelsOf(page);
      equal(labels.length, 3);
      const { hashes, sentence } = await answers(labels);
      const shown = await page.$$eval(".matrix tbody tr:not(.ns)", (rows) =>
        rows.map((row) => [
          row.querySelector("th code").textContent,
          [...row.cells].slice(1).map((cell) => cell.querySelector("code")?.title ?? null),
        ]),
      );
      const expected = [...hashes].map(([context, nodes]) => [
        context.slice(0, 8),
        labels.map((label) => nodes.get(label) ?? null),
      ]);
      const rankOf = ([, cells]) => {
        const having = cells.filter((hash) => hash !== null);
        return new Set(having).size > 1 ? 0 : having.length > 1 ? 1 : 2;
      };
      const ranks = shown.map(rankOf);
      equal(ranks, ranks.toSorted());
      const byId = ([a], [b]) => (a < b ? -1 : 1);
      equal(shown.toSorted(byId), expected.toSorted(byId));
      const problems = await textOf(page, ".probs");
      ok(problems.includes(sentence), problems);
      const behind = await page.$eval(".matrix td.s-other", ({ innerText }) => innerText);
      ok(behind.includes("103 behind"), behind);
      const said = await textOf(page, ".answer");
      ok(said.includes("No state contradicts another."));
      ok(said.includes(`of lobby, ${labels[2]} is 103 deltas behind, for a reason that is known.`), said);
    },
  },
  {
    what: "a cell of the fleet is chosen, and Enter tells why",
    database: NAMES[0],
    address: "#/fleet",
    async run(page, { ok, equal }) {
      await add(page);
      const [, b, c] = await labelsOf(page);
      await page.click(".matrix td.s-other button");
      await settled(page);
      equal(await page.evaluate("location.hash"), `#/fleet/context/${LOBBY}?a=0&b=2`);
      const other = await page.$$(".matrix td.pb ~ td button, .matrix td.pa + td button");
      await page.keyboard.down("Shift");
      await other[0].click();
      await page.keyboard.up("Shift");
      await settled(page);
      equal(await page.evaluate("location.hash"), `#/fleet/context/${LOBBY}?a=0&b=1`);
      ok((await textOf(page, ".fleet .panel:has(.matrix) .panel-head")).includes(b));
      await page.focus(".matrix td.s-other button");
      await page.keyboard.press("ArrowLeft");
      const label = await page.evaluate("document.activeElement.title");
      ok(label.startsWith(`${b}:`), label);
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".why .said");
      await settled(page);
      equal(await page.evaluate("location.hash"), `#/compare/context/${LOBBY}?with=db+%283%29`);
      const said = await textOf(page, ".why .said");
      ok(said.includes("lacks the last 103 deltas"), said);
      ok(c !== undefined);
      await visit(page, "#/fleet");
      ok((await page.$(".matrix")) !== null);
      ok(!(await textOf(page)).includes("since the nodes were read"), "nothing was written meanwhile");
    },
  },
];
