// The comparison: what the page shows beside what the library answers, by pointer and by keyboard.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { diffDatabases, rowsOfStore, sentencesOf } from "../../../../dist/diff/index.js";
import { openStore } from "../../../../dist/index.js";
import { CalimeroNode } from "../../../../dist/node/index.js";
import { stateJson, stateOf } from "../../../../dist/state/index.js";
import { whyDiffer } from "../../../../dist/why/index.js";
import { database } from "../../../../test/browser/compare.mjs";
import { allOf, ofNode, ofStore } from "../support/answers.mjs";
import { changedState } from "../support/changed-state.mjs";
import { settled, visit } from "../support/pages.mjs";

const [A, B] = ["core-0.11/node-a", "core-0.11/node-b"];
const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

/** The differences that the library finds. */
async function differences() {
  const [a, b] = [await openStore(database(A)), await openStore(database(B))];
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
const deltaIds = (name) =>
  ofNode(async (node) => (await allOf(node.deltas(LOBBY))).map(({ id }) => id), name);

/** Picks the second database, and waits for what the comparison came to. */
async function pickSecond(page, name = "core-0.11/node-b") {
  const input = await page.waitForSelector("#view input[type=file]");
  await input.uploadFile(database(name));
  await page.waitForSelector(".compare .facts");
}

const figures = (page) =>
  page.$$eval(".facts dd", (values) => values.map(({ firstChild }) => firstChild.textContent));

const text = (page, selector) => page.$eval(selector, (element) => element.textContent);

/** The entries of the lobby's map, by key. */
const itemsOf = (name) =>
  ofStore(async (store) => {
    const { json } = await stateJson(await stateOf(store, Buffer.from(LOBBY, "hex")));
    return new Map(Object.entries(json.state.items));
  }, name);

/** The table of both states: of each part its path, and what A and B have. */
const statesShown = (page) =>
  page.$$eval(".both-states tbody tr", (rows) =>
    rows.map((row) => [...row.cells].map(({ innerText }) => innerText.replace(/^[AB]: */, "").trim())),
  );

/** The library's answer to why two nodes differ in a thing. */
async function whyOf(a, b, thing, names = ["db (A)", "db (B)"]) {
  const stores = [await openStore(database(a)), await openStore(b.startsWith("/") ? b : database(b))];
  try {
    const sources = stores.map((store, at) => ({
      name: names[at],
      reader: store,
      node: new CalimeroNode(store),
    }));
    return (await whyDiffer(sources, thing))[0].pairs[0];
  } finally {
    for (const store of stores) await store.close();
  }
}

/** The panel that says why: the sentence, the mark beside the heading, and of each cause its words and its number of rows. */
const whyShown = async (page) => {
  await page.waitForSelector(".why .chain");
  return page.$eval(".why", (panel) => ({
    mark: panel.querySelector(".panel-head .sev").innerText,
    said: panel.querySelector(".said").innerText,
    causes: [...panel.querySelectorAll(".chain > li")].map((line) => [
      line.querySelector(".h").innerText,
      line.querySelector(".rt > :last-child").innerText,
    ]),
    cause: panel.querySelector(".chain .cause .h")?.innerText,
  }));
};

const rowsText = (number) => (number === 0 ? "" : `${number} row${number === 1 ? "" : "s"}`);

const causesOf = ({ causes, unexplainedCount }) => [
  ...causes.map(({ sentence, rowCount }) => [sentence, rowsText(rowCount)]),
  ["unexplained", rowsText(unexplainedCount) || "0"],
];

export const checks = [
  {
    what: "why two nodes differ in a context: the sentence, every cause with its rows, and what has none",
    database: "core-0.11/node-a",
    address: `#/compare/context/${LOBBY}`,
    async run(page, { equal, ok }) {
      await pickSecond(page, "core-0.11/node-c");
      const expected = await whyOf(A, "core-0.11/node-c", { context: LOBBY });
      const shown = await whyShown(page);
      equal(shown.said, `${expected.sentence}.`);
      equal(shown.mark, "expected");
      equal(shown.causes, causesOf(expected));
      equal(shown.cause, expected.causes[0].sentence);
      // Both have the operations; B has none of the deltas: its line is dashed from there on, and ends.
      const lanes = await page.$$eval(".chain > li", (lines) =>
        lines.map((line) => [
          line.querySelector(".where").innerText,
          line.querySelectorAll(".l.b.solid").length,
          line.querySelectorAll(".l.b.stop").length,
        ]),
      );
      const [left, changed, lacks] = expected.causes;
      equal([left.operations.length, changed.operations.length, lacks.deltas.length], [1, 1, 103]);
      equal(lanes.slice(0, 3), [
        ["on both", 1, 0],
        ["on both", 1, 0],
        ["A only", 0, 1],
      ]);
      const times = await page.$$eval(".chain .rt a", (all) => all.map(({ innerText }) => innerText));
      equal(times.at(-1), "05:51:47 to 05:51:50");
      const command = await text(page, ".cmd code");
      ok(new RegExp(`merostore why \\S+ \\S+ ${LOBBY}$`).test(command), command);
      const most = expected.causes.findIndex(({ rowCount }) => rowCount > 200);
      const buttons = await page.$$(`.chain > li:nth-child(${most + 1}) .rt button`);
      await buttons[0].click();
      const rows = await page.$$eval(".chain .rows-of li", (lines) =>
        lines.map(({ innerText }) => innerText),
      );
      equal(rows.length, 200);
      ok(
        rows.every((row, at) => row.startsWith(expected.causes[most].rows[at].kind)),
        rows[0],
      );
    },
  },
  {
    what: "why two nodes differ in a group",
    database: "core-0.11/node-a",
    address: "#/compare",
    async run(page, { equal }) {
      await pickSecond(page, "core-0.11/node-c");
      await page.click(".cmp-groups a.id");
      await page.waitForFunction(() => location.hash.startsWith("#/compare/group/"));
      const id = await page.evaluate(() => location.hash.split("/")[3]);
      const expected = await whyOf(A, "core-0.11/node-c", { group: id });
      const { said, causes } = await whyShown(page);
      equal(said, `${expected.sentence.replace(/^both /, "Both ")}.`);
      equal(causes, causesOf(expected));
      equal((await page.$$(".cmp-groups tr.sel")).length, 1);
    },
  },
  {
    what: "both states stand side by side: every entry that differs, with what A and what B has",
    database: "core-0.11/node-a",
    address: "#/compare",
    async run(page, { equal, ok }) {
      await pickSecond(page, "core-0.11/node-c");
      await visit(page, `#/compare/context/${LOBBY}`);
      const [inA, inB] = [await itemsOf("core-0.11/node-a"), await itemsOf("core-0.11/node-c")];
      const shown = (value) => (value === undefined ? "not there" : `“${value}”`);
      const expected = [...new Set([...inA.keys(), ...inB.keys()])]
        .filter((key) => inA.get(key) !== inB.get(key))
        .map((key) => [`items["${key}"]`, shown(inA.get(key)), shown(inB.get(key))]);
      ok(expected.length > 20, "there is more than the table shows at first");
      equal((await statesShown(page)).length, 20);
      await page.click(".both-states .panel-foot button");
      await settled(page);
      equal((await statesShown(page)).toSorted(), expected.toSorted());
      await page.click(".both-states tbody a");
      await page.waitForSelector(".detail .kv");
      const [path, value] = expected.toSorted()[0];
      const detail = await page.$eval(".detail", ({ innerText }) => innerText);
      ok(detail.includes(value.slice(1, -1)), `${path}: ${detail}`);
    },
  },
  {
    what: "values that differ stand side by side, and a hash that differs under the same value is said",
    database: "core-0.11/node-a",
    address: "#/compare",
    async run(page, { equal }) {
      const folder = mkdtempSync(join(tmpdir(), "merostore-changed-"));
      try {
        await changedState(folder, LOBBY, ["first 25", "fresh 25"], "first 26");
        const input = await page.waitForSelector("#view input[type=file]");
        await input.uploadFile(folder);
        await page.waitForSelector(".compare .facts");
        await visit(page, `#/compare/context/${LOBBY}`);
        const why = await whyOf(A, folder, { context: LOBBY }, ["db", basename(folder)]);
        const shown = await whyShown(page);
        equal([shown.mark, shown.said, shown.causes], ["not expected", `${why.sentence}.`, causesOf(why)]);
        equal(await statesShown(page), [
          ['items["a25"]', "“first 25”", "“fresh 25”"],
          ['items["a26"] same value, different hash', "“first 26”", "“first 26”"],
        ]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
  {
    what: "the same state on both nodes is said in a sentence",
    database: "core-0.11/node-a",
    address: "#/compare",
    async run(page, { equal }) {
      await pickSecond(page);
      await visit(page, `#/compare/context/${LOBBY}`);
      const root = await ofNode(async (node) => (await node.context(LOBBY)).rootHash);
      const said = await text(page, ".both-states .panel-body");
      equal(said, `Both are the same: the hash of the root is ${root.slice(0, 8)}.`);
    },
  },
  {
    what: "a folder that is no database is refused, and can be chosen again",
    database: "core-0.11/node-a",
    address: "#/compare",
    async run(page, { equal, ok }) {
      const input = await page.waitForSelector("#view input[type=file]");
      await input.uploadFile(fileURLToPath(new URL("../support", import.meta.url)));
      await page.waitForSelector("#view .note.error");
      ok(/could not be opened/.test(await text(page, "#view .note.error")), "a note");
      // A browser says nothing of a choice that is the same as before.
      equal(await page.$eval("#view input[type=file]", ({ value }) => value), "");
    },
  },
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
      ok(answer.includes("Of lobby, 30 older deltas lie below B’s snapshot."), answer);
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
      await page.click('[aria-label^="Close "]');
      await page.waitForSelector("#view input[type=file]");
      ok((await page.$(".facts")) === null, "the figures are gone");
    },
  },
];
/** Checks of what a server serves. */
export const served = [
  {
    what: "of several served nodes, another one is chosen by a click, and both change places",
    databases: ["core-0.11/node-a", "core-0.11/node-b", "core-0.11/node-c"],
    address: "#/compare",
    async run(page, { equal }) {
      const names = await page.$$eval("#view .panel .btn", (all) =>
        all.map(({ textContent }) => textContent),
      );
      equal(names, ["node-b", "node-c"]);
      await (await page.waitForSelector("::-p-text(node-c)")).click();
      await page.waitForSelector(".facts");
      equal(await text(page, "h1"), "node-a and node-c");
      await page.reload();
      await page.waitForSelector(".facts");
      equal(await text(page, "h1"), "node-a and node-c");
      await page.keyboard.press("x");
      await page.waitForSelector("::-p-text(node-c and node-a)");
      await page.waitForSelector(".facts");
      await page.reload();
      await page.waitForSelector(".facts");
      equal(await text(page, "h1"), "node-c and node-a");
      await page.click('[aria-label="Swap A and B"]');
      await page.waitForSelector("::-p-text(node-a and node-c)");
      equal(await page.evaluate(() => location.hash), "#/compare?with=node-c");
      await page.waitForSelector(".facts");
      await page.click('[aria-label^="Close "]');
      await page.waitForSelector("#view input[type=file]");
      equal(await page.evaluate(() => location.hash.includes("with=")), false);
    },
  },
];
