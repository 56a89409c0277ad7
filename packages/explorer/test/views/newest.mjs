/** A database of core-1.0, compressed as a node compresses it: its state, history and members, and every view without an error. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../../dist/index.js";
import { copyDatabase } from "../../../../dist/transfer/index.js";
import { database } from "../../../../test/browser/compare.mjs";
import { texts } from "../support/answers.mjs";
import { pick, settled, textOf, visit } from "../support/pages.mjs";

const NAME = "core-1.0/every-kind";
const state = new URL("../../../../fixtures/core-1.0/state/", import.meta.url);
const { context, rootHash } = JSON.parse(readFileSync(new URL("about.json", state), "utf8"));
const rows = readFileSync(new URL("../every-kind/rows.jsonl", state), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
const operation = rows.find(({ kind }) => kind === "NamespaceGovOp");
const namespace = operation.key.slice(2, 66);

const VIEWS = ["overview", "groups", "history", "state", "rows", "checks", "compare", "search?for=notes"];

/** A copy in which the namespace of the operations has a name and two members. */
async function withMembers(path) {
  await copyDatabase(database(NAME), path);
  const store = await openStore(path, { writable: true });
  const { key: GroupMeta } = store.schema.row("GroupMeta");
  const { key: GroupMember } = store.schema.row("GroupMember");
  const meta = rows.find(({ kind }) => kind === "GroupMeta");
  const groupId = Buffer.from(namespace, "hex");
  const write = (key, value) => ({
    type: "put",
    column: "Group",
    key: key.bytes,
    value: Buffer.from(value, "hex"),
  });
  const member = (byte) => new GroupMember({ groupId, account: Buffer.alloc(32, byte) });
  // The first byte is the role: an administrator, and a relay.
  const rest = rows.find(({ kind }) => kind === "GroupMember").value.slice(2);
  await store.raw.write([
    write(new GroupMeta({ groupId }), meta.value),
    write(member(0xa1), `00${rest}`),
    write(member(0xb2), `04${rest}`),
  ]);
  await store.close();
}

export const checks = [
  {
    what: "core-1.0: every view opens without an error",
    database: NAME,
    address: "#/overview",
    async run(page, { ok, equal }) {
      for (const view of VIEWS) {
        await visit(page, `#/${view}`);
        equal(
          await page.$$eval("#view .note.error, dialog[open], .dialog", (all) =>
            all.map((one) => one.textContent).join(),
          ),
          "",
          view,
        );
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
  {
    what: "core-1.0: the members and the history of a namespace are shown",
    address: "#/open",
    async run(page, { equal, ok }) {
      const folder = mkdtempSync(join(tmpdir(), "merostore-newest-"));
      try {
        const path = join(folder, "db");
        await withMembers(path);
        await pick(page, path);
        await visit(page, `#/groups/${namespace}`);
        ok((await page.$(".members tbody tr")) !== null, (await textOf(page)).slice(0, 300));
        const found = await texts(page, ".members tbody tr");
        equal(found.map((text) => /a1a1a1a1|b2b2b2b2/.exec(text)?.[0]).toSorted(), ["a1a1a1a1", "b2b2b2b2"]);
        await visit(page, `#/history/namespace/${namespace}`);
        const text = await textOf(page);
        ok(text.includes(operation.key.slice(66, 74)), text.slice(0, 600));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
];
