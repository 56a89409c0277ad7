/** Addresses: Esc, other tabs, and ids of nothing. */
import { database } from "../../../../test/browser/compare.mjs";
import { ofNode, texts } from "../support/answers.mjs";
import { explore } from "../support/explore.mjs";
import { settled, textOf, visit } from "../support/pages.mjs";

const NODE_A = "core-0.11/node-a";
const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
const NOBODY = "0".repeat(64);

const escapes = (what, list, shown) => ({
  what: `Esc closes ${what}, and never opens it again`,
  database: NODE_A,
  address: "#/overview",
  async run(page, { ok, equal }) {
    await visit(page, list);
    const address = await shown(page);
    await visit(page, address);
    ok((await page.$(".detail")) !== null, "it is open");
    for (let press = 0; press < 3; press++) {
      await page.keyboard.press("Escape");
      await settled(page);
      equal(await page.$(".detail"), null);
    }
    await page.goForward();
    await settled(page);
    equal(await page.$(".detail"), null);
  },
});

/** Waits until the page is at an address: going back takes a while. */
const isAt = (page, address) =>
  page.waitForFunction((hash) => location.hash === hash, {}, address).then(() => settled(page));

/** A choice in a list is one step: after it is closed, the step back leaves the list. */
const closesOnce = (what, list, choose) => ({
  what: `closing ${what} leaves one entry of its list in the browser's history`,
  database: NODE_A,
  address: "#/overview",
  async run(page, { equal }) {
    await visit(page, list);
    await choose(page);
    await page.waitForSelector(".detail, .row-detail");
    await settled(page);
    const detail = await page.evaluate("location.hash");
    await page.keyboard.press("Escape");
    await isAt(page, list);
    equal(await page.$(".detail, .row-detail"), null);
    await page.goBack();
    await settled(page);
    equal(await page.evaluate("location.hash"), "#/overview");
    await visit(page, detail);
    await page.keyboard.press("Escape");
    await isAt(page, list);
    await page.goBack();
    await settled(page);
    equal(await page.evaluate("location.hash"), "#/overview");
  },
});

const sayings = [
  [`#/history/context/${NOBODY}`, "No context has this id."],
  [`#/history/namespace/${NOBODY}`, "No namespace has this id."],
  [`#/history/group/${NOBODY}`, "No group has this id."],
  ["#/rows/Nothing", 'has no kind of row "Nothing"'],
  ["#/checks/nothing", "No rule is called nothing."],
];

export const checks = [
  escapes("the detail of a delta", `#/history/context/${LOBBY}`, () =>
    ofNode(async (node) => {
      for await (const { id } of node.deltas(LOBBY, { limit: 1 })) return `#/history/context/${LOBBY}/${id}`;
    }),
  ),
  escapes("the detail of an entity", `#/state/${LOBBY}`, (page) =>
    page.$eval("table.stt a.id", (link) => link.getAttribute("href")),
  ),
  closesOnce("a delta", `#/history/context/${LOBBY}`, (page) => page.click(".history-list .sentence")),
  closesOnce("an entity", `#/state/${LOBBY}`, (page) => page.click("table.stt a.id")),
  closesOnce("a row", "#/rows/ContextMeta", async (page) => {
    await page.waitForSelector(".grid tr[aria-rowindex='1']");
    await page.click(".grid tr[aria-rowindex='1'] td:last-child");
    await page.evaluate(() => document.activeElement?.blur());
  }),
  {
    what: "ids, kinds and rules of nothing, in the address, are sentences",
    database: NODE_A,
    address: "#/overview",
    async run(page, { ok, equal }) {
      await visit(page, "#/rows/ContextMeta");
      const kinds = await texts(page, ".side-kinds a.item");
      for (const [hash, words] of sayings) {
        await visit(page, hash);
        const text = await textOf(page);
        ok(text.includes(words), `${hash}: ${text}`);
        ok(!text.includes("could not be read") && !text.includes("Reading"), `${hash}: ${text}`);
      }
      await visit(page, "#/rows/Nothing");
      equal(await texts(page, ".side-kinds a.item"), kinds);
    },
  },
  {
    what: "an address of a view without a database says why the page asks for one",
    address: "#/history",
    async run(page, { ok }) {
      const text = await textOf(page);
      ok(text.includes("none is open in this tab"), text);
      ok(text.includes("open the address that it printed"), text);
      await visit(page, "#/open");
      ok(!(await textOf(page)).includes("none is open in this tab"));
    },
  },
  {
    what: "another tab of merostore explore opens a copied address",
    address: "#/open",
    async run(page, { ok, equal }) {
      const server = await explore(database(NODE_A));
      const browser = page.browser();
      const [first, second] = [await browser.newPage(), await browser.newPage()];
      try {
        await first.goto(server.address);
        await first.waitForSelector(".shell");
        const { origin } = new URL(server.address);
        const copied = `${origin}/#/groups`;
        await second.goto(copied);
        await second.waitForSelector(".shell");
        await second.waitForFunction(() => document.querySelector("#view").innerText.includes("office"));
        ok((await second.evaluate(() => location.hash)).startsWith("#/groups/"));
        // The token stays with the origin.
        equal(await page.evaluate(() => JSON.stringify({ ...localStorage }).includes("token")), false);
        ok(!(await second.evaluate(() => location.href + document.cookie + history.state)).includes("token"));
      } finally {
        await first.close();
        await second.close();
        await server.close();
      }
    },
  },
];
