// Rows: what the page shows beside what the library reads, by pointer and by keyboard.
import { rowToJson } from "../../../../dist/index.js";
import { database } from "../../../../test/browser/compare.mjs";
import { allOf, ofNode, ofStore, texts } from "../support/answers.mjs";
import { pick, settled, visit } from "../support/pages.mjs";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

/** The keys of a kind, in hex, in their order. */
const keysOf = (kind) =>
  ofStore(async (store) =>
    (await allOf(store.table(kind).scan())).map(({ key }) => Buffer.from(key.bytes).toString("hex")),
  );

/** The key of the selected row, as the address has it. */
const selectedKey = (page) =>
  page.evaluate(() => new URLSearchParams(location.hash.split("?")[1]).get("key"));

const waitForRow = (page, number) =>
  page.waitForSelector(`.grid tr[aria-rowindex="${number}"]:not([aria-busy])`);

/** Moves the focus with Tab until an element has it. */
async function tabTo(page, selector, most = 12) {
  for (let at = 0; at < most; at++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return true;
  }
  return false;
}

export const checks = [
  {
    what: "the kinds that have rows are listed with their counts",
    database: "core-0.11/node-a",
    address: "#/rows/ContextMeta",
    async run(page, { equal }) {
      await page.waitForSelector(".side-kinds a.item");
      const counts = await ofStore(async (store) => {
        const found = new Map();
        for (const column of store.columns)
          for await (const { key } of store.raw.scan(column, {}, { keysOnly: true })) {
            const kind = store.schema.identify(column, key)?.kind ?? `unknown, of ${column}`;
            found.set(kind, (found.get(kind) ?? 0) + 1);
          }
        return [...found].map(([kind, rows]) => `${kind}${rows.toLocaleString("en-US")}`);
      });
      equal((await texts(page, ".side-kinds a.item")).toSorted(), counts.toSorted());
    },
  },
  {
    what: "a grid has the parts of the key once and the fields of the value, and the selected row links where ids lead",
    database: "core-0.11/node-a",
    address: "#/rows/ContextDagDelta?contextId=lobby",
    async run(page, { equal, ok }) {
      await waitForRow(page, 1);
      const keys = (await keysOf("ContextDagDelta")).filter((key) => key.startsWith(LOBBY));
      const grid = await page.$eval(".grid", (one) => one.getAttribute("aria-rowcount"));
      equal(grid, `${keys.length}`);
      const heads = await texts(page, ".grid thead tr:last-child th");
      equal(heads.slice(0, 5), ["contextId", "deltaId", "hlc.time, UTC", "in words", "authorId"]);
      ok(!heads.includes("value.deltaId") && heads.includes("parents"), heads.join());
      const ids = await page.$$eval(".grid tbody tr[aria-rowindex] td:nth-child(2) .id", (all) =>
        all.map((one) => one.title),
      );
      equal(
        ids,
        keys.slice(0, ids.length).map((key) => key.slice(64)),
      );
      const [named] = await page.$$eval(".grid tbody tr[aria-rowindex] td:first-child .id", (all) =>
        all.map((one) => `${one.innerText} ${one.title}`),
      );
      equal(named, `lobby lobby ${LOBBY}`);
      equal(await page.$(".grid tbody a"), null);
      await page.click(".grid tbody tr[aria-rowindex='1'] td:first-child");
      await page.waitForSelector(".row-detail .fields");
      await settled(page);
      const [context] = await page.$$eval(".row-detail .fields a", (all) =>
        all.map((one) => `${one.textContent} ${one.getAttribute("href")}`),
      );
      equal(context, `lobby${LOBBY.slice(0, 8)} #/history/context/${LOBBY}`);
    },
  },
  {
    what: "a column sorts as people count, both ways and back; a filter leaves rows out; the address has both",
    database: "core-0.11/node-a",
    address: "#/rows/ContextDagDelta?contextId=lobby",
    async run(page, { equal, ok }) {
      await waitForRow(page, 1);
      const times = async () => {
        await settled(page);
        const at = (await texts(page, ".grid thead tr:last-child th")).indexOf("hlc.time, UTC");
        const all = await page.$$eval(
          ".grid tbody tr[aria-rowindex]",
          (rows, cell) => rows.map((row) => row.cells[cell].textContent),
          at,
        );
        return all;
      };
      const sorted = (all, sign) =>
        all.every((one, at) => at === 0 || sign * one.localeCompare(all[at - 1]) >= 0);
      const head = "::-p-xpath(//th[.='hlc.time, UTC']/button)";
      equal(sorted(await times(), 1), false);
      await (await page.waitForSelector(head)).click();
      const up = await times();
      ok(up.length > 10 && sorted(up, 1), `${up}`);
      await (await page.waitForSelector(head)).click();
      const down = await times();
      ok(sorted(down, -1) && down[0] > up[0], `${down}`);
      ok((await page.evaluate(() => location.hash)).includes("sort=-hlc.time"));
      await (await page.waitForSelector(head)).click();
      equal(sorted(await times(), 1), false);
      await page.type(".field.where input", `hlc.time > ${up[3]} and deltaId != 0000 and lobby`);
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => location.hash.includes("where="));
      await settled(page);
      const keys = (await keysOf("ContextDagDelta")).filter((key) => key.startsWith(LOBBY));
      equal(await page.$eval(".grid", (one) => one.getAttribute("aria-rowcount")), `${keys.length - 4}`);
      const written = async (where) => {
        await visit(page, `#/rows/ContextDagDelta?contextId=lobby&where=${encodeURIComponent(where)}`);
        return page.$eval(".grid", (one) => Number(one.getAttribute("aria-rowcount")));
      };
      const deltas = await ofNode((node) => allOf(node.deltas(LOBBY)));
      const by = (digits) => deltas.filter(({ author }) => author?.id.startsWith(digits)).length;
      equal(await written("authorId = Zoë"), by("e8e04d8c"));
      equal(await written("authorId = 38ec7407"), by("38ec7407"));
      equal(await written("authorId = this node"), by("de2a2d20"));
      ok(by("e8e04d8c") > 0 && by("38ec7407") > 0, "the accounts wrote some");
      await visit(page, "#/rows/ContextDagDelta?where=nope%20%3D%201");
      ok((await page.$eval("#view", (one) => one.innerText)).includes("There is no column nope."));
      await visit(page, "#/rows/NodeIdentity?where=redacted");
      equal(await texts(page, ".grid"), []);
    },
  },
  {
    what: "the selected row stands beside the grid, which fills the page, and its edge moves by keys",
    database: "core-0.11/node-a",
    address: "#/rows/ContextState",
    async run(page, { ok }) {
      await page.setViewport({ width: 1440, height: 900 });
      await waitForRow(page, 1);
      const whole = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
      ok(whole <= 0, `the page is ${whole} pixels too high`);
      const grid = () => page.$eval(".grid-scroll", (one) => one.getBoundingClientRect().toJSON());
      ok((await grid()).height > 500, JSON.stringify(await grid()));
      await page.click(".grid tr[aria-rowindex='2'] td:last-child");
      await page.waitForSelector(".inspector .hex");
      const inspector = () => page.$eval(".inspector", (one) => one.getBoundingClientRect().toJSON());
      const before = await inspector();
      ok(before.left >= (await grid()).right, "it is at the right");
      await page.focus(".splitter");
      await page.keyboard.press("ArrowLeft");
      await page.waitForFunction(
        (width) => document.querySelector(".inspector").offsetWidth > width,
        {},
        before.width,
      );
    },
  },
  {
    what: "keys lead from the kinds over the filters, the grid and the fields to the bytes, and move in each",
    database: "core-0.11/node-a",
    address: "#/rows/ContextDagDelta",
    async run(page, { equal, ok }) {
      await waitForRow(page, 1);
      const keys = await keysOf("ContextDagDelta");
      await page.focus(".side-kinds a.item[aria-current]");
      ok(await tabTo(page, ".field.part input", 2), "the filters come after the kinds");
      ok(await tabTo(page, ".grid", 4), "the grid comes after the filters");
      const active = () => page.$eval(".grid", (one) => one.getAttribute("aria-activedescendant"));
      equal(await active(), "row-0");
      await page.keyboard.press("End");
      await waitForRow(page, keys.length);
      equal(await active(), `row-${keys.length - 1}`);
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".row-detail");
      equal(await selectedKey(page), keys.at(-2));
      await page.keyboard.press("Home");
      await waitForRow(page, 1);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForFunction((key) => location.hash.includes(key), {}, keys[1]);
      await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
      ok(await tabTo(page, ".mark-field"), "the fields come after the grid");
      await page.keyboard.press("ArrowDown");
      equal(await texts(page, ".fields tr.sel .mark-field"), ["parents"]);
      ok(await tabTo(page, ".hex", 4), "the bytes come after the fields");
      await page.keyboard.press("Home");
      equal(await texts(page, ".fields tr.sel .mark-field"), ["deltaId"]);
      equal(await page.$eval(".grid-scroll", (one) => one.scrollTop), 0);
    },
  },
  {
    what: "a field marks its bytes, a byte its field, and the command prints the row",
    database: "core-0.11/node-a",
    address: "#/rows/ContextDagDelta",
    async run(page, { equal, ok }) {
      const [key] = await keysOf("ContextDagDelta");
      await page.evaluate((hex) => {
        location.hash = `#/rows/ContextDagDelta?key=${hex}`;
      }, key);
      await page.waitForSelector(".row-detail .hex mark");
      const hexOf = async () => (await texts(page, ".hex mark")).join("").replaceAll(/\s/g, "");
      equal(await hexOf(), key.slice(64));
      const value = await ofStore((store) => store.raw.get("Delta", Buffer.from(key, "hex")));
      await settled(page);
      // The line of the command covers what is at the lower edge.
      await page.$eval(".hex [data-at='33']", (byte) => byte.scrollIntoView({ block: "center" }));
      await page.click(".hex [data-at='33']");
      await settled(page);
      equal(await texts(page, ".fields tr.sel .mark-field"), ["count"]);
      equal(await hexOf(), Buffer.from(value.subarray(32, 36)).toString("hex"));
      const command = await page.$eval(".cmd code", (one) => one.textContent);
      ok(command.endsWith(`ContextDagDelta contextId=${key.slice(0, 64)} deltaId=${key.slice(64)}`), command);
      const [json] = await page.$$(".row-detail .seg button:nth-child(2)");
      await json.click();
      await settled(page);
      const shown = JSON.parse(await page.$eval(".json", (one) => one.textContent));
      equal([shown.key, shown.kind], [key, "ContextDagDelta"]);
    },
  },
  {
    what: "secrets are neither in the grid, nor in fields, bytes or JSON, until they are revealed",
    database: "core-0.11/node-a",
    address: "#/rows/NodeIdentity",
    async run(page, { equal, ok }) {
      await waitForRow(page, 1);
      const [row] = await ofStore(async (store) => {
        const rows = [];
        for await (const { key, bytes } of store.table("NodeIdentity").scan())
          rows.push(
            rowToJson(store.schema, "Group", { key: key.bytes, value: bytes }, { revealSecrets: true }),
          );
        return rows;
      });
      const secret =
        row.decoded.privateKey ?? Object.values(row.decoded).find((one) => /^[0-9a-f]{64}$/.test(one));
      await page.evaluate((hex) => {
        location.hash = `#/rows/NodeIdentity?key=${hex}`;
      }, row.key);
      await page.waitForSelector(".row-detail .hex .mask");
      const bytes = () => page.$$eval(".hex [data-at]", (all) => all.map((one) => one.textContent).join(""));
      const html = await page.evaluate(() => document.body.innerHTML);
      ok(!html.includes(secret.slice(0, 8)), "the secret is in the page");
      ok(!(await bytes()).includes(secret), "the secret is among the bytes");
      await page.click("[role=switch]");
      await page.click("dialog .danger");
      await page.waitForFunction(() => document.querySelector(".hex .mask") === null);
      ok((await bytes()).includes(secret), "revealed, the secret is among the bytes");
      equal(await page.$$eval(".row-detail .redacted", (all) => all.length), 0);
    },
  },
  {
    what: "hidden secrets leave the grid before the worker answers",
    database: "core-0.11/node-a",
    address: "#/rows/NodeIdentity",
    async run(page, { ok }) {
      await waitForRow(page, 1);
      await page.click("[role=switch]");
      await page.click("dialog .danger");
      await page.waitForFunction(() => document.querySelector(".grid .redacted") === null);
      await waitForRow(page, 1);
      const [secret] = await ofStore(async (store) =>
        (await allOf(store.table("NodeIdentity").scan())).map(({ value }) =>
          Buffer.from(value.privateKey).toString("hex"),
        ),
      );
      const grid = () => page.$eval(".grid", (one) => one.outerHTML);
      ok((await grid()).includes(secret.slice(0, 16)), "revealed, the secret is in the grid");
      await page.evaluate(() => {
        Worker.prototype.postMessage = () => undefined;
      });
      await page.click("[role=switch]");
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
      ok(!(await grid()).includes(secret.slice(0, 16)), "hidden, the secret is in the grid");
    },
  },
  {
    what: "secrets are hidden again when another database is opened",
    database: "core-0.11/node-a",
    address: "#/rows/NodeIdentity",
    async run(page, { equal, ok }) {
      const revealed = () => page.$eval("[role=switch]", (one) => one.ariaChecked);
      await page.click("[role=switch]");
      await page.click("dialog .danger");
      await settled(page);
      equal(await revealed(), "true");
      await visit(page, "#/open");
      await pick(page, database("core-0.10/node-a"));
      await visit(page, "#/rows/ContextIdentity");
      equal(await revealed(), "false");
      ok((await page.$$(".grid .redacted")).length > 0, "the keys are redacted");
    },
  },
  {
    what: "Esc closes the selected row, and the rows stay",
    database: "core-0.11/node-a",
    address: "#/rows/ContextMeta",
    async run(page, { equal }) {
      await waitForRow(page, 1);
      await page.click(".grid tr[aria-rowindex='1'] td:last-child");
      await page.waitForSelector(".row-detail");
      await page.click("h1");
      await page.keyboard.press("Escape");
      await settled(page);
      equal(await page.$(".row-detail"), null);
      await page.waitForFunction(() => location.hash === "#/rows/ContextMeta");
    },
  },
  {
    what: "a key that cannot be looked for is announced in a sentence",
    database: "core-0.11/node-a",
    address: "#/rows/ContextState?contextId=nobody",
    async run(page, { equal, ok }) {
      await page.waitForSelector(".note.error");
      equal(await page.$eval(".field.part input", (one) => one.value), "nobody");
      await page.type(".field.jump input", "00");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() =>
        /nothing is called/.test(document.querySelector(".toast")?.textContent),
      );
      const words = await page.$eval(".toast", (one) => one.textContent);
      ok(!/Error:/.test(words), words);
    },
  },
  {
    what: "a key is jumped to by its first digits, and a part that means nothing is a sentence",
    database: "core-0.11/node-a",
    address: "#/rows/ContextState",
    async run(page, { equal, ok }) {
      await waitForRow(page, 1);
      const keys = await keysOf("ContextState");
      const wanted = keys[300];
      await page.type(".field.jump input", wanted.slice(0, 80));
      await page.keyboard.press("Enter");
      await waitForRow(page, 301);
      equal(await page.$eval(".grid", (one) => one.getAttribute("aria-activedescendant")), "row-300");
      await page.type(".field.part input", "nobody is called so");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".note.error");
      ok(/nothing is called/.test(await page.$eval(".note.error", (one) => one.textContent)), "a sentence");
    },
  },
];
