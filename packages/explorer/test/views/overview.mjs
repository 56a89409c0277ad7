/** The overview shows the library's answers. */
import { dirname } from "node:path";
import { countRows, openStore } from "../../../../dist/index.js";
import { size as sizeOf } from "../../../../dist/internal.js";
import { openNode } from "../../../../dist/node/index.js";
import { verifyStore } from "../../../../dist/verify/index.js";
import { database } from "../../../../test/browser/compare.mjs";
import { allOf, byChange, number, ofStore } from "../support/answers.mjs";
import { pick, settled, visit } from "../support/pages.mjs";

/** The six figures by their labels. */
function facts(page) {
  return page.$$eval(".facts > div", (all) =>
    Object.fromEntries(
      all.map((one) => [
        one.querySelector("dt").textContent.replace(/,.*/, ""),
        one.querySelector("dd").textContent.trim(),
      ]),
    ),
  );
}

/** The lines of the tree, each as the texts of its cells. */
function tree(page) {
  return page.$$eval(".tree-table tbody tr", (rows) =>
    rows.map((row) => [
      row.querySelector(".id code").textContent,
      ...[...row.querySelectorAll("td.num")].map((cell) => cell.textContent),
    ]),
  );
}

/** The families of a database as the library counts them. */
async function counted(name) {
  const store = await openStore(database(name));
  const families = await allOf(countRows(store));
  await store.close();
  return families;
}

/** A size as columns have it. */
const size = (bytes) =>
  bytes >= 1_000 && bytes < 10_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : sizeOf(bytes).replace(/ bytes?$/, " B");

const sum = (families, of) => families.reduce((total, family) => total + family[of], 0);

const figures = (name) => ({
  what: `the figures of ${name} are those that the library counts`,
  database: name,
  address: "#/overview",
  async run(page, { equal, ok }) {
    const families = await counted(name);
    await page.waitForFunction(() =>
      /The checks are done/.test(document.querySelector(".answer").textContent),
    );
    const shown = await facts(page);
    const filled = families.filter(({ rows }) => rows > 0).length;
    equal(
      [shown.Rows, shown.Size, shown["Families with rows"], shown["Only in the log"]],
      [
        number(sum(families, "rows")),
        size(sum(families, "bytes")),
        `${filled} of ${families.length}`,
        `${number(sum(families, "unflushed"))} changes`,
      ],
    );
    const { errors, warnings } = await ofStore((store) => verifyStore(store).summary(), name);
    equal(errors, 0);
    equal(shown.Checks, warnings === 0 ? "nothing is wrong" : `${warnings} warnings`);
    ok(!(await page.$eval(".cmd code", (code) => code.textContent)).includes("--key-file"));
    ok((await page.$eval(".view-head", (head) => head.textContent)).includes("not encrypted"));
  },
});

export const checks = [
  {
    what: "overview: a revision that no row decides is named as assumed",
    address: "#/open",
    async run(page, { ok }) {
      await pick(page, dirname(database("core-1.0/samples/node-zstd-dictionary")));
      await visit(page, "#/overview");
      const notes = await page.$$eval("#view .note", (all) => all.map(({ innerText }) => innerText));
      ok(
        notes.some((note) => note.startsWith("Read as core-0.11: no row decides between")),
        notes.join("; "),
      );
    },
  },
  figures("core-0.11/node-a"),
  figures("core-0.10/node-a"),
  {
    what: "the tree has every group with its members, and every context with its sizes",
    database: "core-0.11/node-a",
    address: "#/overview",
    async run(page, { equal }) {
      const node = await openNode(database("core-0.11/node-a"));
      const contexts = new Map((await node.contexts()).map((one) => [one.context.id, one]));
      const namespaces = byChange(await node.namespaces(), [...contexts.values()]);
      await node.close();
      const contextLine = ({ id }) => {
        const { deltas, rows, bytes, changedAt } = contexts.get(id);
        const time = new Date(changedAt).toISOString().slice(0, 19).replace("T", " ");
        return [id.slice(0, 8), "", number(deltas), number(rows), size(bytes), time];
      };
      const lines = ({ group, members, contexts, children }) => [
        [group.id.slice(0, 8), `${members}`, "", "", "", ""],
        ...contexts.map(contextLine),
        ...children.flatMap(lines),
      ];
      const wanted = namespaces.flatMap(lines);
      equal(wanted.length, 15);
      equal(await tree(page), wanted);
    },
  },
  {
    what: "arrow keys move in the tree, close and open its lines, and the address keeps what is closed",
    database: "core-0.11/node-a",
    address: "#/overview",
    async run(page, { equal, ok }) {
      const focused = () =>
        page.$eval(".tree-table", (table) => {
          const row = document.getElementById(table.getAttribute("aria-activedescendant"));
          return `${row.querySelector(".id code").textContent} ${row.getAttribute("aria-expanded")}`;
        });
      const length = () => page.$$eval(".tree-table tbody tr", (rows) => rows.length);
      await page.focus(".tree-table");
      equal(await focused(), "fa3977a2 true");
      await page.keyboard.press("ArrowLeft");
      await settled(page);
      equal([await focused(), await length()], ["fa3977a2 false", 11]);
      ok((await page.evaluate(() => location.hash)).includes("closed=fa3977a2"));
      await page.reload();
      const input = await page.waitForSelector("input[type=file]");
      await input.uploadFile(database("core-0.11/node-a"));
      await page.waitForSelector(".tree-table");
      equal(await length(), 11);
      await page.focus(".tree-table");
      await page.keyboard.press("ArrowRight");
      await settled(page);
      await page.keyboard.press("ArrowRight");
      equal([await focused(), await length()], ["b875f1c0 null", 15]);
      await page.keyboard.press("End");
      equal(await focused(), "cf58de10 null");
      await page.keyboard.press("Enter");
      ok((await page.evaluate(() => location.hash)).startsWith("#/history/context/cf58de10"));
    },
  },
  {
    what: "secrets of this node are redacted until they are revealed, and after",
    database: "core-0.11/node-a",
    address: "#/overview",
    async run(page, { equal, ok }) {
      const store = await openStore(database("core-0.11/node-a"));
      const [identity] = await allOf(store.table("NodeIdentity").scan());
      await store.close();
      const secret = Buffer.from(identity.value.privateKey).toString("hex");
      const redacted = () => page.$$eval("#view .redacted", (all) => all.length);
      equal(await redacted(), 3);
      ok(!(await page.content()).includes(secret));
      await page.click("button.switch");
      const confirm = await page.waitForSelector("dialog .danger");
      await confirm.click();
      await page.waitForFunction((wanted) => document.body.innerText.includes(wanted), {}, secret);
      equal(await redacted(), 0);
      await page.click("button.switch");
      await page.waitForFunction(() => document.querySelectorAll("#view .redacted").length === 3);
      ok(!(await page.content()).includes(secret));
    },
  },
  {
    what: "what takes the space has every kind, as an area and with its numbers",
    database: "core-0.11/node-a",
    address: "#/overview?area=rows",
    async run(page, { equal }) {
      const families = await counted("core-0.11/node-a");
      const kinds = families.flatMap(({ kinds }) => [...kinds]);
      const wanted = kinds.map(([kind, { rows, bytes }]) => [kind, number(rows), size(bytes)]);
      const folds = await page.$$(".fold-button");
      for (const fold of folds) {
        await fold.focus();
        await page.keyboard.press("Enter");
      }
      const shown = await page.$$eval(".kind-row", (rows) =>
        rows.map((row) => [
          row.querySelector("a").textContent,
          ...[...row.querySelectorAll("td.num")].map((cell) => cell.textContent),
        ]),
      );
      equal(shown.toSorted(), wanted.toSorted());
      const areas = await page.$$eval(".treemap a", (all) => all.map((one) => one.getAttribute("href")));
      equal(areas.toSorted(), kinds.map(([kind]) => `#/rows/${kind}`).toSorted());
      equal(await page.$eval(".treemap a", (first) => first.getAttribute("href")), "#/rows/ContextState");
    },
  },
];
