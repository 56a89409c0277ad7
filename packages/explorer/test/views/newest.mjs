/** A database of core-1.0, compressed as a node compresses it: its state, and every view without an error. */
import { readFileSync } from "node:fs";
import { texts } from "../support/answers.mjs";
import { settled, textOf, visit } from "../support/pages.mjs";

const NAME = "core-1.0/every-kind";
const state = new URL("../../../../fixtures/core-1.0/state/", import.meta.url);
const { context, rootHash } = JSON.parse(readFileSync(new URL("about.json", state), "utf8"));
const VIEWS = ["overview", "groups", "history", "state", "rows", "checks", "compare", "search?for=notes"];

export const checks = [
  {
    what: "core-1.0: every view opens without an error",
    database: NAME,
    address: "#/overview",
    async run(page, { ok, equal }) {
      for (const view of VIEWS) {
        await visit(page, `#/${view}`);
        equal(await page.$$eval("#view .note.error, dialog[open], .dialog", (all) => all.length), 0);
        ok((await textOf(page)).length > 40, view);
      }
      await visit(page, "#/overview");
      ok((await textOf(page)).includes("13,748"), await textOf(page));
    },
  },
  {
    what: "core-1.0: the state is shown under its root hash",
    database: NAME,
    address: `#/state/${context}`,
    async run(page, { ok }) {
      const input = await page.$("input.manifest-file");
      await input.uploadFile(new URL("abi.json", state).pathname);
      await settled(page);
      const text = await textOf(page);
      ok(text.includes("a context with every kind of collection"), text.slice(0, 600));
      ok(text.includes(rootHash.slice(0, 8)), text.slice(0, 600));
      const names = await texts(page, "table.stt tbody tr td:first-child");
      for (const name of ["items", "essay", "names"])
        ok(
          names.some((one) => one.includes(name)),
          names.join(),
        );
    },
  },
];
