/** A damaged database: what can be read is shown, and what cannot is named. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { database } from "../../../../test/browser/compare.mjs";
import { pick, settled, textOf, visit } from "../support/pages.mjs";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
const OFFICE = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";

/** The tables of State, Delta and Group, with places in their data and, negative, in their ends. */
const DATA = [
  ["000016.sst", 300],
  ["000018.sst", 20_000],
  ["000023.sst", 5_000],
];
const ENDS = [
  ["000016.sst", -3],
  ["000020.sst", -3],
];

/** Runs with a copy of node-a of which bytes are flipped. */
async function withDamage(page, places, run) {
  const folder = mkdtempSync(join(tmpdir(), "merostore-damage-"));
  try {
    const path = join(folder, "node-a");
    cpSync(database("core-0.11/node-a"), path, { recursive: true });
    for (const [file, place] of places) {
      const bytes = readFileSync(join(path, file));
      bytes[place < 0 ? bytes.length + place : place] ^= 1;
      writeFileSync(join(path, file), bytes);
    }
    await pick(page, path);
    await run();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs with the way to a copy of node-a whose write-ahead log is missing. */
async function withoutLog(run) {
  const folder = mkdtempSync(join(tmpdir(), "merostore-logs-"));
  try {
    const path = join(folder, "node-a");
    cpSync(database("core-0.11/node-a"), path, { recursive: true });
    for (const name of readdirSync(path)) if (name.endsWith(".log")) rmSync(join(path, name));
    await run(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Chooses a folder, and answers the question about its logs. */
async function answerLoss(page, path, answer) {
  const input = await page.waitForSelector("input[type=file]");
  await input.uploadFile(path);
  await page.waitForSelector("dialog");
  const asked = await page.$eval("dialog", ({ textContent }) => textContent);
  await (await page.waitForSelector(`dialog ::-p-text(${answer})`)).click();
  return asked;
}

export const checks = [
  {
    what: "a database without its write-ahead logs opens once the loss is accepted, and the page says so",
    address: "#/open",
    run: (page, { ok }) =>
      withoutLog(async (path) => {
        const asked = await answerLoss(page, path, "Open without the missing logs");
        ok(/write-ahead logs of .* are missing/.test(asked), asked);
        await page.waitForSelector(".view-head");
        await settled(page);
        const shown = await textOf(page, "#view");
        ok(/write-ahead logs of .* are missing/.test(shown), shown.slice(0, 500));
        // A verification opens the database again.
        await visit(page, "#/checks");
        await settled(page);
        const checked = await textOf(page, "#view");
        ok(!/could not|LOG_MISSING/.test(checked), checked.slice(0, 500));
      }),
  },
  {
    what: "a database without its write-ahead logs that is not opened",
    address: "#/open",
    run: (page, { ok }) =>
      withoutLog(async (path) => {
        await answerLoss(page, path, "Do not open");
        await page.waitForFunction(() => document.body.innerText.includes("could not be opened"));
        ok((await page.$("dialog")) === null);
      }),
  },
  {
    what: "three flipped bytes leave the tree, the histories and the rows, and every view names what is lost",
    address: "#/open",
    run: (page, { ok }) =>
      withDamage(page, DATA, async () => {
        for (const [hash, least, of] of [
          ["#/overview", 12, ".tree-table tbody tr"],
          [`#/groups/${OFFICE}`, 2, ".members tbody tr"],
          [`#/history/context/${LOBBY}`, 20, ".history-graph [role=option]"],
          [`#/history/namespace/${OFFICE}`, 10, ".history-graph [role=option]"],
          ["#/rows/ContextDagDelta", 15, ".grid tbody tr[aria-rowindex]"],
          [`#/state/${LOBBY}`, 10, "table.stt tbody tr"],
        ]) {
          await visit(page, hash);
          await page.waitForSelector("#view .damage", {});
          await settled(page);
          const lines = await page.$$eval(of, (all) => all.length);
          ok(lines >= least, `${hash}: ${lines}`);
          const note = await page.$$eval("#view .note.error", (all) => all.map((one) => one.textContent));
          ok(
            note.length === 1 && note[0].includes("Rows of State, Delta and Group are missing"),
            note.join(),
          );
          ok(note[0].includes("merostore recover node-a NEW"), note[0]);
          for (const [file] of DATA) ok(note[0].includes(`node-a/${file}`), note[0]);
        }
        await visit(page, "#/checks");
        ok(/\d+ errors?/.test(await textOf(page, "h1")), await textOf(page, "h1"));
      }),
  },
  {
    what: "two tables of one size that were exchanged are named as damage",
    address: "#/open",
    async run(page, { ok }) {
      const folder = mkdtempSync(join(tmpdir(), "merostore-exchanged-"));
      try {
        const path = join(folder, "tables");
        cpSync(database("core-0.11/tables"), path, { recursive: true });
        const [first, second] = ["000024.sst", "000025.sst"].map((name) => join(path, name));
        const [a, b] = [readFileSync(first), readFileSync(second)];
        ok(a.length === b.length && !a.equals(b));
        writeFileSync(first, b);
        writeFileSync(second, a);
        await pick(page, path);
        await visit(page, "#/overview");
        await page.waitForSelector("#view .damage");
        const note = await page.$eval("#view .note.error", (one) => one.textContent);
        for (const name of ["000024.sst", "000025.sst"]) ok(note.includes(`tables/${name}`), note);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  },
  {
    what: "tables without their ends leave what is in the others",
    address: "#/open",
    run: (page, { ok, equal }) =>
      withDamage(page, ENDS, async () => {
        await visit(page, "#/overview");
        await page.waitForSelector("#view .damage");
        equal(await page.$$eval(".tree-table tbody tr", (all) => all.length), 15);
        const note = await page.$eval("#view .note.error", (one) => one.textContent);
        ok(note.includes("Rows of State and Application are missing"), note);
        await visit(page, `#/history/context/${LOBBY}`);
        ok((await textOf(page)).includes("155 deltas"));
      }),
  },
];
