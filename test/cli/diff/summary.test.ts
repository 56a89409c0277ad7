/** `diff` of two databases: a verdict for each context. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { fromHex } from "../../../src/bytes/hex.js";
import { openStore } from "../../../src/store/index.js";
import { copyOfDatabase, fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { changeDatabase } from "../../support/transfer.js";
import { cli, intoPipe, linesOf, played } from "../run.js";

const at = (name: string): string => fixturePath(`core-0.11/${name}`, "db");
const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
const [A, B, C] = [at("node-a"), at("node-b"), at("node-c")];

it("has a verdict for each context, and what else differs", async () => {
  const { status, stdout } = await played(120, "diff", A, C, "--utc");
  expect(status).toBe(1);
  const lines = linesOf(stdout).map((line) => line.replace(/ {2,}/, "  "));
  expect(lines[0]).toBe("the nodes differ in 6 of 7 contexts, in 5 groups and other rows");
  expect(lines).toEqual(
    expect.arrayContaining([
      "context old (8d587abf)  same",
      "context nested (a2a4613d)  only in node-a",
      "context lobby / Lobby 6 (b875f1c0)  node-a is ahead (103 deltas, since 2026-11-21 05:51:47 UTC)",
      "group sorted_kv_store (bf377558)  only in node-a",
    ]),
  );
  expect(lines.some((line) => line.startsWith("group Money"))).toBe(false);
});

it("says who is behind from the side of the first database", async () => {
  const { status, stdout } = await cli("diff", C, B, "--context", "Lobby 6", "--utc");
  expect(status).toBe(1);
  expect(stdout).toContain("node-c is behind (103 deltas, since 2026-11-21 05:51:47 UTC)");
});

it("ends with status 0 where nodes differ only as correct nodes do, unless rows are asked for", async () => {
  const words = ["diff", A, B, "--context", "lobby"];
  expect(await cli(...words)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("agree on the context"),
  });
  expect((await cli(...words, "--rows")).status).toBe(1);
  expect(await cli("diff", A, A)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/equal: 1,011 rows\n$/),
  });
  expect((await cli("diff", A, B)).status).toBe(1);
});

it("has the same as JSON", async () => {
  const lines = linesOf((await intoPipe("diff", A, C, "--json")).stdout).map((line) => JSON.parse(line));
  expect(lines.slice(0, -1).map(({ verdict }) => verdict)).toEqual([
    "absent",
    "equal",
    "absent",
    "ahead",
    "absent",
    "absent",
    "absent",
  ]);
  const last = lines.at(-1);
  expect(last).toMatchObject({
    agree: false,
    sides: ["node-a", "node-c"],
    other: { ApplicationMeta: { onlyInA: 5 } },
  });
  expect(last.groups.filter(({ agree }: { agree: boolean }) => !agree)).toHaveLength(5);
});

it("an export is compared like a database", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "c.ndjson");
  await cli("export", C, "--without-secrets", "-o", file);
  expect((await cli("diff", A, file, "--utc")).stdout).toContain("node-a is ahead (103 deltas, since");
});

it("names the deltas that one of two nodes with the same state lost", async () => {
  using copy = copyOfDatabase("core-0.11/node-a");
  const key = fromHex(`${LOBBY}cc7c40a4dbe85138c0d8978b29705b657f76a8198b9e7f99352e2b0eaced6f1c`);
  {
    await using store = await openStore(copy.path, { writable: true });
    await store.raw.write([{ type: "delete", column: "Delta", key }]);
  }
  const { status, stdout } = await cli("diff", A, copy.path, "--context", LOBBY);
  expect(status).toBe(1);
  expect(stdout).toMatch(/the same data; 1 delta is missing on \S+\n/);
});

it("names the side whose row of a context does not decode", async () => {
  using copy = copyOfDatabase("core-0.11/node-a");
  await changeDatabase(copy.path, [{ column: "Meta", key: LOBBY, value: "ff" }]);
  const { status, stdout } = await cli("diff", A, copy.path, "--context", LOBBY);
  expect(status).toBe(3);
  expect(stdout).toMatch(/ {2}unknown: \S+'s row of ContextMeta does not decode\n/);
  const both = await cli("diff", copy.path, copy.path, "--context", LOBBY);
  expect(both.stdout).toMatch(
    / {2}unknown: A's row of ContextMeta and B's row of ContextMeta do not decode\n/,
  );
});

it("--group alone compares the group", async () => {
  const [alone, by] = [
    await cli("diff", A, B, "--group", "office"),
    await cli("diff", A, B, "--group", "office", "--by", "group"),
  ];
  expect(alone).toEqual(by);
  expect(alone.status).toBe(0);
});

it("options that select rows go with --rows", async () => {
  for (const option of [
    ["--column", "State"],
    ["--member", "38ec7407"],
    ["--group", "office", "-o", "csv"],
  ]) {
    const { status, stderr } = await cli("diff", A, B, ...option);
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining("--rows") });
  }
});
