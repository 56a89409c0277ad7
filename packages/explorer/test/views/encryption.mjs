/** An encrypted database opens with the key that is typed, or with that of `merostore explore`, and the key stays nowhere. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { database } from "../../../../test/browser/compare.mjs";
import { explore } from "../support/explore.mjs";
import { settled, textOf, visit } from "../support/pages.mjs";

const NAME = "core-0.11/encrypted";
const DIGITS = "42".repeat(48);

async function typeKey(page, digits) {
  // Before the dialog opens, its field takes no keys.
  await page.waitForSelector("dialog[open] input[type=password]");
  await page.type("dialog input[type=password]", digits);
  // A click could miss the button while the dialog moves.
  await page.keyboard.press("Enter");
}

/** The traces of the page that outlive it, and its text. */
const traces = (page) =>
  page.evaluate(() =>
    [
      location.href,
      JSON.stringify({ ...localStorage, ...sessionStorage, ...history.state }),
      document.documentElement.outerHTML,
      ...[...document.querySelectorAll("input")].map(({ value }) => value),
      ...performance.getEntriesByType("resource").map(({ name }) => name),
    ].join(" "),
  );

/** Shows decrypted rows, also in workers of their own. */
async function showsRows(page, { ok }) {
  await page.waitForSelector(".shell");
  await visit(page, "#/rows/ContextMeta");
  const rows = await page.$$eval(".grid tbody tr[aria-rowindex]", (all) => all.length);
  const text = await textOf(page);
  ok(rows > 0 && !text.includes("does not decode"), text.slice(0, 300));
  for (const view of ["overview", "history", "checks", "rows/ContextMeta"]) {
    await visit(page, `#/${view}`);
    const command = await page.$eval(".cmd code", (code) => code.textContent);
    ok(command.endsWith(" --key-file KEY_FILE"), command);
  }
  await visit(page, "#/overview");
  ok((await textOf(page, ".view-head")).includes("encrypted at rest"), "the tag");
  await visit(page, "#/checks");
  await page.waitForFunction(() => /\d errors?/.test(document.querySelector("#view").innerText));
  const checks = await textOf(page);
  ok(!/could not|does not decode|encrypted at rest/.test(checks), checks.slice(0, 300));
}

export const checks = [
  {
    what: "an encrypted database asks for its key",
    address: "#/open",
    async run(page, { ok, equal }) {
      const input = await page.waitForSelector("input[type=file]");
      await input.uploadFile(database(NAME));
      for (const [wrong, why] of [
        ["zz", "only the digits 0-9 and a-f"],
        ["2b".repeat(48), "encrypted with another key"],
      ]) {
        await typeKey(page, wrong);
        await page.waitForFunction(
          (said) => document.querySelector("dialog")?.innerText.includes(said),
          {},
          why,
        );
        equal(await page.$eval("dialog input", ({ value }) => value), "");
      }
      await typeKey(page, DIGITS);
      await showsRows(page, { ok });
      ok(!/(?:42){8}|(?:66,){8}|(?:2b){8}/.test(await traces(page)), "the key was kept");
    },
  },
  {
    what: "an encrypted database that is not opened",
    address: "#/open",
    async run(page, { ok }) {
      const input = await page.waitForSelector("input[type=file]");
      await input.uploadFile(database(NAME));
      await (await page.waitForSelector("::-p-text(Do not open)")).click();
      await page.waitForFunction(() => document.body.innerText.includes("could not be opened"));
      ok((await page.$("dialog")) === null);
    },
  },
  {
    what: "merostore explore with the key of a file",
    address: "#/open",
    async run(page, { ok }) {
      const folder = mkdtempSync(join(tmpdir(), "merostore-key-"));
      const file = join(folder, "key");
      writeFileSync(file, DIGITS);
      const server = await explore(database(NAME), "--key-file", file);
      // The page came from another server, and may not ask this one: a page of its own.
      const own = await page.browser().newPage();
      try {
        await own.evaluateOnNewDocument(() => {
          window.openQuestions = () => 0;
        });
        await own.goto(server.address);
        await own.waitForSelector(".shell");
        await settled(own);
        await own.waitForFunction(() => document.body.innerText.includes("core-0.11"));
        ok((await own.$("dialog")) === null);
        await own.evaluate(() => {
          location.hash = "#/rows/ContextMeta";
        });
        await own.waitForSelector(".grid tbody tr[aria-rowindex]");
        const text = await textOf(own);
        ok(!text.includes("does not decode"), text.slice(0, 300));
        ok(!/(?:42){8}|(?:66,){8}/.test(await traces(own)), "the key was kept");
      } finally {
        await own.close();
        await server.close();
        rmSync(folder, { recursive: true });
      }
    },
  },
];
