// The comparison: what the page shows beside what the library answers, by pointer and by keyboard.
import { diffDatabases, rowsOfStore, sentencesOf } from "../../../dist/diff/index.js";
import { openStore } from "../../../dist/index.js";
import { openNode } from "../../../dist/node/index.js";
import { database } from "../../browser/compare.mjs";

const [A, B] = ["fixtures/core-0.11/node-a/db", "fixtures/core-0.11/node-b/db"];
const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

/** What the library finds. */
async function differences() {
  const [a, b] = [await openStore(A), await openStore(B)];
  try {
    const rows = [];
    const found = await diffDatabases(rowsOfStore(a), rowsOfStore(b), {
      onDifference: (row) => rows.push(row),
    });
    return { ...found, rows };
  } finally {
    await a.close();
    await b.close();
  }
}

/** The ids of a context's deltas. */
async function deltaIds(path) {
  const node = await openNode(path);
  try {
    const ids = [];
    for await (const { id } of node.deltas(LOBBY)) ids.push(id);
    return ids;
  } finally {
    await node[Symbol.asyncDispose]();
  }
}

/** Picks the second database, and waits for what the comparison came to. */
async function pickSecond(page, name = "core-0.11/node-b") {
  const input = await page.waitForSelector("#view input[type=file]");
  await input.uploadFile(database(name));
  await page.waitForSelector(".compare .facts");
}

const figures = (page) =>
  page.$$eval(".facts dd", (values) => values.map(({ firstChild }) => firstChild.textContent));

const text = (page, selector) => page.$eval(selector, (element) => element.textContent);

export const checks = [
  {
    what: "two nodes are compared: the verdict and the figures",
    database: "core-0.11/node-a",
    address: "#/compare",
    async run(page, { equal, ok }) {
      ok(/Drop another node’s folder here/.test(await text(page, "#view")), "the way to open the second one");
      await pickSecond(page);
      const { summary } = (await differences()).byContext;
      const { a, onlyInA, onlyInB, different, benign } = summary;
      equal(await figures(page), [onlyInA, onlyInB, different, a - onlyInA - different, benign].map(String));
      const answer = await text(page, ".answer");
      ok(
        answer.includes("they agree: the two contexts they share have the same state and the same heads"),
        answer,
      );
      ok(answer.includes("Five contexts are only on A."), answer);
      ok(answer.includes("Of lobby, B lacks 30 older deltas"), answer);
      const command = await text(page, ".cmd code");
      ok(/merostore diff \S+ \S+ --by context$/.test(command), command);
    },
  },
  {
    what: "contexts of both nodes in words",
    database: "core-0.11/node-a",
    address: "#/compare",
    async run(page, { equal }) {
      await pickSecond(page);
      const shown = await page.$$eval(".cmp-contexts tbody tr", (rows) =>
        rows.map((row) => [row.querySelector("code").textContent, row.cells[1].textContent]),
      );
      const { contexts } = (await differences()).byContext;
      const said = contexts.map((context) => {
        const sentences = sentencesOf({ ...context, benign: 0 });
        const isShared = context.a !== undefined && context.b !== undefined;
        return [context.contextId.slice(0, 8), isShared ? sentences.join("; ") : sentences[0]];
      });
      equal(new Map(shown.sort()), new Map(said.sort()));
    },
  },
  {
    what: "both histories in one graph, with what only one node has",
    database: "core-0.11/node-a",
    address: `#/compare/context/${LOBBY}`,
    async run(page, { equal, ok }) {
      await pickSecond(page);
      await page.waitForSelector(".history-list .oid");
      const [inA, inB] = [await deltaIds(A), await deltaIds(B)];
      const onlyInA = inA.filter((id) => !inB.includes(id));
      const legend = await page.$$eval(".legend .lg", (parts) => parts.map(({ textContent }) => textContent));
      equal(legend, [
        `${inA.length - onlyInA.length} on both`,
        `${onlyInA.length} only on A`,
        "1 pending on B",
      ]);
      await page.focus(".history-list");
      await page.keyboard.press("End");
      await page.waitForFunction(() => location.hash.includes("row="));
      await page.waitForFunction(() => document.querySelector(".history-list .sel .tag.a") !== null);
      const selected = await text(page, ".history-list .sel .oid");
      ok(
        onlyInA.some((id) => id.startsWith(selected)),
        `${selected} is only on A`,
      );
      const id = await page.evaluate(() => new URLSearchParams(location.hash.split("?")[1]).get("row"));
      await page.keyboard.press("Enter");
      await page.waitForFunction((row) => location.hash.endsWith(row), {}, id);
      ok(
        (await page.evaluate(() => location.hash)).startsWith("#/history/context/"),
        "Enter leads to the history",
      );
    },
  },
  {
    what: "differing rows open by kind, and expected ones can be left out",
    database: "core-0.11/node-a",
    address: "#/compare",
    async run(page, { equal, ok }) {
      await pickSecond(page);
      const { rows } = await differences();
      await page.focus(".dif-list");
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowRight");
      await page.waitForSelector(".dif-line.is-row");
      const [first] = rows;
      const count = rows.filter(({ kind }) => kind === first.kind).length;
      equal((await page.$$(".dif-line.is-row")).length, count);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => location.hash.startsWith("#/rows/"));
      const hash = await page.evaluate(() => location.hash);
      ok(hash.includes(first.kind) && hash.includes(first.key), hash);
      await page.goBack();
      await page.waitForSelector(".expected-switch button");
      await page.click(".expected-switch button");
      await page.waitForFunction(() => location.hash.includes("expected=hide"));
      const unexpected = rows.filter(({ benign }) => benign === undefined);
      const number = (of) => String(unexpected.filter(({ difference }) => difference === of).length);
      equal((await figures(page)).slice(0, 3), [
        number("only in a"),
        number("only in b"),
        number("different"),
      ]);
      const kinds = await page.$$eval(".dif-line.is-kind .kind", (names) =>
        names.map(({ textContent }) => textContent),
      );
      equal(kinds.sort(), [...new Set(unexpected.map(({ kind }) => kind))].sort());
    },
  },
  {
    what: "a node and itself are the same, and the second one can be closed",
    database: "core-0.10/node-b",
    address: "#/compare",
    async run(page, { ok }) {
      await pickSecond(page, "core-0.10/node-b");
      const answer = await text(page, ".answer");
      ok(answer.startsWith("Both are the same: all 371 rows are equal."), answer);
      await page.click(".close-second");
      await page.waitForSelector("#view input[type=file]");
      ok((await page.$(".facts")) === null, "the figures are gone");
    },
  },
];
