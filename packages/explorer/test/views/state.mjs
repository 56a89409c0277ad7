/** The view State, compared with the state that an independent program read from the fixtures, and with the library. */
import { readdirSync, readFileSync } from "node:fs";
import { stateJson, stateOf } from "../../../../dist/state/index.js";
import { allOf, compareTexts, ofNode, ofStore } from "../support/answers.mjs";
import { settled, visit } from "../support/pages.mjs";

const fixtures = new URL("../../../../fixtures/", import.meta.url);
const abi = new URL("abi/", fixtures);
const manifests = JSON.parse(readFileSync(new URL("contexts.json", abi), "utf8"));

const NESTED = "a2a4613d4d3275b06fd985d16c509bf51522a8a4e9465d256b30726f9a28cb64";
const PRIVATE = "321161a6684de1003629590eb6043bc6bffda5423c9cb4c4436f3f4fce172450";
const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
/** The place of `sorted_scores.s1` of NESTED. */
const SCORE = "ed3b542456c792a22f24d3ae41c07703e77715e49405025911f965e6ec6d56c6";

/** Gives the view a file of fixtures/abi. */
async function give(page, name) {
  const input = await page.$("input.manifest-file");
  await input.uploadFile(new URL(name, abi).pathname);
  await settled(page);
}

/** Reveals or hides secrets. */
async function reveal(page) {
  await page.click(".side-foot [role=switch]");
  const isAsked = await page.$(".dialog .btn.primary, .dialog .btn.danger");
  await isAsked?.click();
  await settled(page);
}

/** Goes through the table with the keyboard, opens what opens, and returns the rows as a person reads them. */
async function readAll(page) {
  await page.focus("table.stt");
  await page.keyboard.press("Home");
  const rows = [];
  for (let step = 0; step < 2_000; step++) {
    await page.waitForFunction(() => {
      const table = document.querySelector("table.stt");
      return document.getElementById(table.getAttribute("aria-activedescendant")) !== null;
    });
    const row = await page.evaluate(() => {
      const table = document.querySelector("table.stt");
      const line = document.getElementById(table.getAttribute("aria-activedescendant"));
      const { cells } = line;
      return {
        id: line.id,
        isRow: line.hasAttribute("aria-selected") && cells.length > 7,
        depth: Number(line.getAttribute("aria-level")) - 1,
        open: line.getAttribute("aria-expanded"),
        name: cells[0].querySelector("b, code")?.textContent ?? "",
        words: cells[0].textContent,
        value: cells[1].textContent,
        entity: line.querySelector("a.id")?.title,
        count: Number(table.getAttribute("aria-rowcount")),
      };
    });
    if (row.open === "false") {
      await page.keyboard.press("ArrowRight");
      await settled(page);
      continue;
    }
    if (/^Show [\d,]+ more/.test(row.words)) {
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await settled(page);
      continue;
    }
    rows.push(row);
    await page.keyboard.press("ArrowDown");
    const now = await page.$eval("table.stt", (table) => table.getAttribute("aria-activedescendant"));
    if (now === row.id) break;
  }
  return rows;
}

/** The lines that a state in JSON must be shown as: fields in their order, keys in the order of their bytes. */
function linesOf(json, depth = 0) {
  const names = Array.isArray(json) ? json.map((_, at) => String(at)) : Object.keys(json);
  if (depth > 0 && !Array.isArray(json)) names.sort(compareTexts);
  return names.flatMap((name) => {
    const value = json[name];
    const isTree = typeof value === "object" && value !== null;
    const text = isTree ? undefined : value === null ? "none" : String(value);
    return [
      {
        ...{ depth, name, text, count: isTree ? Object.keys(value).length : undefined },
        ...{ isItem: Array.isArray(json), isText: typeof value === "string" },
      },
      ...(isTree ? linesOf(value, depth + 1) : []),
    ];
  });
}

/** Compares rows with a state in JSON. Items of sets have no name in the table, and are their own value. */
function compare(rows, json, { equal }) {
  const expected = linesOf(json);
  const shown = rows
    .filter(({ isRow }) => isRow)
    .map(({ depth, name, value }, at) => {
      const { isItem, count, isText, name: number } = expected[at] ?? {};
      const amount = /^([\d,]+) [a-z ]+$/.exec(value)?.[1].replaceAll(",", "");
      return {
        depth,
        name: isItem && name === "" ? number : name,
        text: count !== undefined ? undefined : isText ? value.replace(/^“(.*)”$/s, "$1") : value,
        count: count === undefined ? undefined : Number(amount),
      };
    });
  equal(
    shown,
    expected.map(({ depth, name, text, count }) => ({ depth, name, text, count })),
  );
}

/** The whole id of a context, and its expected state. */
function expectedOf(fixture, digits) {
  const folder = new URL(`expected/${fixture}/`, abi);
  const file = readdirSync(folder).find((name) => name.startsWith(digits));
  return { id: file.slice(0, 64), json: JSON.parse(readFileSync(new URL(file, folder), "utf8")) };
}

/** Text of a value that the tree cuts. */
function isShort(json) {
  return typeof json !== "object" || json === null
    ? String(json).length <= 200
    : Object.values(json).every(isShort);
}

const stateChecks = ["core-0.11/node-a", "core-0.10/node-a"].flatMap((fixture) =>
  Object.entries(manifests[fixture]).map(([digits, files]) => {
    const { id, json } = expectedOf(fixture, digits);
    const [manifest, privateTypes] = files.split(" + ").map((file) => `${fixture.slice(0, 9)}/${file}`);
    return {
      what: `the state of ${digits} in ${fixture} is what an independent program read`,
      database: fixture,
      address: `#/state/${id}`,
      async run(page, t) {
        t.ok(isShort(json.state), "the fixture has no value that is cut");
        await give(page, manifest);
        if (privateTypes !== undefined) await give(page, privateTypes);
        const rows = await readAll(page);
        const end = rows.findIndex(({ words }) => /^(Private to|Entities that)/.test(words));
        compare(end < 0 ? rows : rows.slice(0, end), json.state, t);
        const text = await page.$eval("#view", (view) => view.innerText);
        t.ok(!text.includes("cannot be shown"), "every part is shown");
      },
    };
  }),
);

export const checks = [
  {
    what: "names and values are found in all of a state, and lead to their entities",
    database: "core-0.11/node-a",
    address: `#/state/${LOBBY}`,
    async run(page, { equal, ok }) {
      const find = async (words) => {
        await page.click("#view form.field input", { count: 3 });
        await page.keyboard.type(words);
        await page.keyboard.press("Enter");
        await settled(page);
        return page.$$eval(".state-hits tbody tr", (rows) => rows.map(({ innerText }) => innerText));
      };
      equal(await find("FIRST 25"), ['items["a25"]\t“first 25”']);
      const { json } = await ofStore((store) =>
        stateOf(store, Buffer.from(LOBBY, "hex")).then((state) => stateJson(state)),
      );
      const wanted = Object.entries(json.state.items).filter((entry) => entry.join("\n").includes("a1"));
      equal((await find("a1")).length, wanted.length);
      equal(await find("nothing is called so"), []);
      await find("a25");
      await page.click(".state-hits a");
      await page.waitForSelector(".detail .kv");
      ok((await page.$eval(".detail", ({ innerText }) => innerText)).includes("first 25"));
    },
  },
  ...stateChecks,
  {
    what: "without a context the one that changed last is shown, and each tab has the number of its entities",
    database: "core-0.11/node-a",
    address: "#/state",
    async run(page, { equal }) {
      equal(await page.$eval("h1", (heading) => heading.innerText), "lobby");
      const tabs = await page.$$eval("nav.seg a", (links) => links.map((link) => link.textContent));
      equal(tabs, ["lobby154", "private4", "nested28", "user12", "shared10", "sorted27", "old3"]);
    },
  },
  {
    what: "a context is called by its name or by the first digits of its id, and the sentence counts its entries",
    database: "core-0.11/node-a",
    address: "#/state/lobby",
    async run(page, { equal, ok }) {
      equal(await page.$eval("h1", (heading) => heading.innerText), "lobby");
      ok(/148 entries in 154 entities/.test(await page.$eval(".answer", (one) => one.innerText)));
      await visit(page, `#/state/${NESTED.slice(0, 8)}`);
      equal(await page.$eval("h1", (heading) => heading.innerText), "nested");
      await visit(page, `#/state/${NESTED.slice(0, 3)}`);
      ok((await page.$eval("#view", (view) => view.innerText)).includes("No context has this id."));
    },
  },
  {
    what: "an entity in the address is chosen, with its hashes, and the deltas that changed it as the history has them",
    database: "core-0.11/node-a",
    address: `#/state/${NESTED}?entity=${SCORE}`,
    async run(page, { equal, ok }) {
      const selected = await page.$$eval("tr[aria-selected=true]", (rows) =>
        rows.map((row) => row.innerText),
      );
      equal(selected.length, 1);
      ok(/s1\s+10\s+LwwRegister<u64>\s+ed3b5424/.test(selected[0]), selected[0]);
      const hashes = await page.$eval(".detail .kv", ({ innerText }) => innerText);
      ok(/Full hash\s+579359ef/.test(hashes), hashes);
      const deltas = await ofNode((node) => allOf(node.deltas(NESTED)));
      const expected = deltas
        .filter(({ actions }) => actions?.some(({ entity }) => entity === SCORE))
        .map(({ id }) => id);
      ok(expected.length > 1, "several deltas changed it");
      const links = await page.$$eval(".detail .plainlist a.id", (all) => all.map(({ title }) => title));
      equal(links, expected);
      const rows = await page.$$eval(".st-buttons a", (all) => all.map(({ hash }) => hash));
      equal(rows.length, 2);
      for (const hash of rows)
        ok(hash.startsWith(`#/rows/ContextState?contextId=${NESTED}&key=${NESTED}`), hash);
      await page.keyboard.press("Escape");
      await settled(page);
      equal(await page.$(".detail"), null);
    },
  },
  {
    what: "the entities that a delta changed are listed above the tree",
    database: "core-0.11/node-a",
    address: `#/state/${NESTED}?delta=6d4f4f3b1429a89e11d7b311a8fb57b9e3ccc41045eb7d82c4f9d58a2059f6b2`,
    async run(page, { equal, ok }) {
      const rows = await page.$$eval(".st-changes tr", (all) =>
        all.map((row) => row.innerText.replace(/\s+/g, " ")),
      );
      ok(
        rows.some((row) => row.includes("sorted_scores")),
        rows.join("\n"),
      );
      const link = await page.$eval(".panel-head a.id", ({ hash }) => hash);
      equal(
        link,
        `#/history/context/${NESTED}/6d4f4f3b1429a89e11d7b311a8fb57b9e3ccc41045eb7d82c4f9d58a2059f6b2`,
      );
    },
  },
  {
    what: "private data is redacted until secrets are revealed, and is then what an independent program read",
    database: "core-0.11/node-a",
    address: `#/state/${PRIVATE}`,
    async run(page, { equal, ok }) {
      await give(page, "core-0.11/private_data.json");
      await give(page, "core-0.11/private_data.private.json");
      const { json } = expectedOf("core-0.11/node-a", PRIVATE.slice(0, 8));
      const secret = Object.values(Object.values(json.private)[0].secrets)[0];
      const hidden = await page.$eval("body", (body) => body.innerText);
      ok(hidden.includes("redacted"), "the secret is redacted");
      ok(!hidden.includes(secret), "the secret is not shown");
      await reveal(page);
      const rows = await readAll(page);
      const from = rows.findIndex(({ words }) => words.startsWith("Private to this node"));
      ok(from >= 0, "private data has a heading");
      compare(rows.slice(from), Object.values(json.private)[0], { equal });
      await reveal(page);
      ok(!(await page.$eval("body", (body) => body.innerText)).includes(secret), "it is redacted again");
    },
  },
  {
    what: "a row of private data is chosen without a word of it in the address",
    database: "core-0.11/node-a",
    address: `#/state/${PRIVATE}`,
    async run(page, { equal, ok }) {
      await give(page, "core-0.11/private_data.json");
      await give(page, "core-0.11/private_data.private.json");
      await reveal(page);
      const rows = await readAll(page);
      const at = rows.findIndex(({ words }) => words.startsWith("Private to this node"));
      const last = rows.slice(at).findLast(({ isRow }) => isRow);
      await page.click(`#${last.id}`);
      await page.waitForSelector(".detail .kv");
      await settled(page);
      ok((await page.$eval(".detail", (one) => one.innerText)).includes(last.value), "the detail has it");
      equal(await page.evaluate(() => location.hash), `#/state/${PRIVATE}`);
      equal((await page.$$("tr[aria-selected=true]")).length, 1);
      await page.keyboard.press("Escape");
      await settled(page);
      equal(await page.$(".detail"), null);
      equal(await page.evaluate(() => location.hash), `#/state/${PRIVATE}`);
    },
  },
  {
    what: "Esc leaves the search field or a dialog first, then closes the detail, and only then goes back",
    database: "core-0.11/node-a",
    address: `#/state/${NESTED}`,
    async run(page, { equal, ok }) {
      await visit(page, `#/state/${NESTED}?entity=${SCORE}`);
      await page.focus("#search");
      await page.keyboard.press("Escape");
      await settled(page);
      ok((await page.$(".detail")) !== null, "the detail stays while Esc leaves the field");
      await page.keyboard.press("?");
      await page.waitForSelector("dialog[open]");
      await page.keyboard.press("Escape");
      await page.waitForFunction(() => document.querySelector("dialog[open]") === null);
      await settled(page);
      ok((await page.$(".detail")) !== null, "the detail stays while Esc closes the dialog");
      await page.keyboard.press("Escape");
      await settled(page);
      equal(await page.$(".detail"), null);
      await page.waitForFunction((list) => location.hash === list, {}, `#/state/${NESTED}`);
    },
  },
  {
    what: "after a change every open part is asked for once, and its rows stay meanwhile",
    database: "core-0.11/node-a",
    address: `#/state/${LOBBY}`,
    async run(page, { equal, ok }) {
      const manifest = manifests["core-0.11/node-a"][LOBBY.slice(0, 8)].split(" + ")[0];
      await give(page, `core-0.11/${manifest}`);
      await page.evaluate(() => {
        window.asked = [];
        window.flashed = false;
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (message, ...rest) {
          const [, question, , , path] = (message.argumentList ?? []).map(({ value }) => value);
          if (question === "stateChildren") window.asked.push(path);
          return postMessage.call(this, message, ...rest);
        };
        new MutationObserver(() => {
          if (document.querySelector("table.stt")?.innerText.includes("Reading the entries"))
            window.flashed = true;
        }).observe(document.body, { childList: true, subtree: true });
      });
      await give(page, `core-0.11/${manifest}`);
      const { asked, flashed } = await page.evaluate(() => ({
        asked: window.asked,
        flashed: window.flashed,
      }));
      ok(asked.length > 0, "open parts are asked for");
      equal(asked.toSorted(), [...new Set(asked)].toSorted());
      equal(flashed, false);
    },
  },
  {
    what: "a file that is no manifest changes nothing, and says so",
    database: "core-0.11/node-a",
    address: `#/state/${LOBBY}`,
    async run(page, { ok }) {
      await give(page, "zoo/rows.txt");
      ok(
        (await page.$eval(".note.error", (note) => note.innerText)).includes("is not a manifest"),
        "a note says so",
      );
      ok(
        (await page.$eval("table.stt", (table) => table.innerText)).includes("items"),
        "the state is still there",
      );
    },
  },
  {
    what: "ids of nothing, in the address, are sentences",
    database: "core-0.11/node-a",
    address: `#/state/${"0".repeat(64)}`,
    async run(page, { ok, equal }) {
      ok(
        (await page.$eval("#view", (view) => view.innerText)).includes("No context has this id."),
        "a sentence",
      );
      for (const [options, words] of [
        [`entity=${"1".repeat(64)}`, "No entity has this id"],
        ["entity=xyz", "No entity has this id"],
        ["delta=xyz", "What this delta changed is not known."],
        ["at=items%5B%22nobody%22%5D", "No entity has this id"],
        ["at=%5B%5B", "could not be read"],
      ]) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, `#/state/${LOBBY}?${options}`);
        await settled(page);
        const text = await page.$eval("#view", (view) => view.innerText);
        ok(text.includes(words), `${options}: ${text}`);
      }
      equal(page.noise ?? [], []);
    },
  },
];
