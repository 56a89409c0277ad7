/** Rows: what is shown is what the library reads. */
import { openStore } from "../../../dist/index.js";
import { database } from "../../browser/compare.mjs";
import { settled, textOf } from "../support/pages.mjs";

/** The keys of a kind, in their order, as hex. */
async function keysOf(name, kind, leading = {}) {
  const store = await openStore(database(name));
  const keys = [];
  for await (const { key } of store.scan(store.range(kind, leading), { keysOnly: true }))
    keys.push(Buffer.from(key.bytes).toString("hex"));
  await store.close();
  return keys;
}

const gridRows = (page) => page.$$eval(".grid tbody tr[aria-rowindex]", (rows) => rows.length);

export const checks = [
  {
    what: "the kinds of a database have their counts",
    database: "core-0.11/node-a",
    address: "#/rows/ContextDagDelta",
    async run(page, { equal }) {
      await page.waitForSelector(".side-kinds .item");
      const shown = await page.$$eval(".side-kinds .item", (items) =>
        Object.fromEntries(
          items.map((item) => [
            item.querySelector(".kind").textContent,
            Number(item.querySelector(".num").textContent.replaceAll(",", "")),
          ]),
        ),
      );
      const store = await openStore(database("core-0.11/node-a"));
      const counted = {};
      for (const { kind, key } of store.schema.rows) {
        const rows = await store.count(key);
        if (rows > 0) counted[kind] = rows;
      }
      await store.close();
      equal(shown, counted);
    },
  },
  {
    what: "rows are filtered by a name, and selected with the keyboard",
    database: "core-0.11/node-a",
    address: "#/rows/ContextDagDelta?contextId=lobby",
    async run(page, { ok }) {
      const text = await textOf(page);
      ok(text.includes("155 rows with contextId=lobby"), text.slice(0, 300));
      await page.focus(".grid-scroll");
      for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
      await settled(page);
      const expected = (await keysOf("core-0.11/node-a", "ContextDagDelta")).filter((key) =>
        key.startsWith("b875f1c0"),
      );
      const selected = new URLSearchParams((await page.evaluate("location.hash")).split("?")[1]).get("key");
      ok(selected === expected[2], `${selected} instead of ${expected[2]}`);
      const detail = await textOf(page, ".row-detail");
      ok(
        detail.includes("deltaSignature") && detail.includes(expected[2].slice(64, 72)),
        detail.slice(0, 300),
      );
    },
  },
  {
    what: "End goes to the last row, and only rows in sight are in the page",
    database: "core-0.11/node-a",
    address: "#/rows/ContextState",
    async run(page, { ok, equal }) {
      await page.focus(".grid-scroll");
      await page.keyboard.press("End");
      await settled(page);
      const keys = await keysOf("core-0.11/node-a", "ContextState");
      const last = await page.$$eval(".grid tbody tr[aria-rowindex]", (rows) =>
        rows.at(-1).getAttribute("aria-rowindex"),
      );
      equal(Number(last), keys.length);
      const drawn = await gridRows(page);
      ok(drawn < 60, `${drawn} rows are in the page`);
      await page.keyboard.press("Enter");
      await settled(page);
      ok((await page.evaluate("location.hash")).includes(keys.at(-1)), await page.evaluate("location.hash"));
    },
  },
  {
    what: "a key is jumped to by its first digits",
    database: "core-0.10/node-a",
    address: "#/rows/ContextState",
    async run(page, { ok }) {
      const keys = await keysOf("core-0.10/node-a", "ContextState");
      const middle = keys[Math.floor(keys.length / 2)];
      await page.type(".field.jump input", middle.slice(0, 80));
      await page.keyboard.press("Enter");
      await settled(page);
      await page.focus(".grid-scroll");
      await page.keyboard.press("Enter");
      await settled(page);
      ok((await page.evaluate("location.hash")).includes(middle), await page.evaluate("location.hash"));
    },
  },
  {
    what: "secrets are redacted until they are revealed, after a question",
    database: "core-0.11/node-a",
    address: "#/rows/NodeIdentity",
    async run(page, { ok }) {
      await page.focus(".grid-scroll");
      await page.keyboard.press("Enter");
      await settled(page);
      const key = (await keysOf("core-0.11/node-a", "NodeIdentity"))[0];
      const store = await openStore(database("core-0.11/node-a"));
      const value = Buffer.from(
        await store.raw.get(store.schema.row("NodeIdentity").column, Buffer.from(key, "hex")),
      );
      await store.close();
      const secret = value.toString("hex").slice(-64);
      const pairs = secret.match(/../g).slice(0, 8).join(" ");
      const flat = async () => (await page.evaluate("document.body.innerText")).replaceAll(/\s+/g, " ");
      const before = await flat();
      ok(
        before.includes("redacted") && !before.includes(secret) && !before.includes(pairs),
        "a secret was shown",
      );
      await page.click(".switch");
      await page.waitForSelector("dialog[open]");
      await page.click("dialog .danger");
      await settled(page);
      ok(!(await textOf(page, ".row-detail")).includes("redacted"), "still redacted");
    },
  },
];
