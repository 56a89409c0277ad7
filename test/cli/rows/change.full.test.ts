/** The output of put and delete: the row before and after, and the command that undoes the change. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { parseKey } from "../../../src/cli/arguments/parts.js";
import { openStore } from "../../../src/store/index.js";
import { filesOf } from "../../support/files.js";
import { copyOfDatabase, type FixtureRow, fixtureRows } from "../../support/fixtures.js";
import { intoPipe, linesOf, rowsOf, wordsOf } from "../run.js";

const name = "core-0.11/node-a";
const rows = fixtureRows(name);
const rowOf = (kind: string) => rows.find((row) => row.kind === kind) as FixtureRow;

/** The words of a command line, as a shell reads them. */
function shellWords(line: string): readonly string[] {
  const { stdout } = spawnSync("bash", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
  return stdout.split("\0").slice(0, -1);
}

const undoOf = (stdout: string): readonly string[] =>
  shellWords(/^undo: merostore (.*)$/m.exec(stdout)?.[1] ?? "");

async function storedValue(path: string, row: FixtureRow): Promise<string | undefined> {
  const words = ["show", path, ...wordsOf(row), "--json", "--reveal-secrets"];
  return rowsOf(await intoPipe(...words))[0]?.value;
}

it("the undo of a deletion, of a change and of a new row restores each byte", async () => {
  using copy = copyOfDatabase(name);
  for (const kind of ["Alias", "GroupMember", "ContextMeta", "GroupOpLog", "BlobMeta"]) {
    const row = rowOf(kind);
    const deleted = await intoPipe("delete", copy.path, ...wordsOf(row), "--force");
    expect(deleted.stdout, kind).toMatch(/^ {2}now +no row$/m);
    expect(await storedValue(copy.path, row), kind).toBeUndefined();
    const back = await intoPipe(...undoOf(deleted.stdout));
    expect(back.stdout, kind).toMatch(/^ {2}before +no row$/m);
    expect(await storedValue(copy.path, row), kind).toBe(row.value);
    await intoPipe(...undoOf(back.stdout));
    expect(await storedValue(copy.path, row), kind).toBeUndefined();
    await intoPipe(...undoOf(deleted.stdout));
  }
  const alias = rowOf("Alias");
  const put = await intoPipe("put", copy.path, ...wordsOf(alias), "--value", JSON.stringify("ab".repeat(32)));
  expect(put.stdout).toContain("ab".repeat(32));
  await intoPipe(...undoOf(put.stdout));
  expect(await storedValue(copy.path, alias)).toBe(alias.value);
});

it("an undo opens the database as the change did", async () => {
  using copy = copyOfDatabase(name);
  const alias = rowOf("Alias");
  const given = [
    "--revision",
    "core-0.11",
    "--thorough",
    "--engine",
    "files",
    "--node-is-stopped",
    "--accept-log-loss",
  ];
  for (const words of [
    ["put", copy.path, ...wordsOf(alias), "--value", JSON.stringify("ab".repeat(32)), ...given],
    ["delete", copy.path, ...wordsOf(alias), ...given],
  ]) {
    const before = await storedValue(copy.path, alias);
    const undo = undoOf((await intoPipe(...words)).stdout);
    expect(undo).toEqual(expect.arrayContaining(given));
    expect((await intoPipe(...undo)).status).toBe(0);
    expect(await storedValue(copy.path, alias)).toBe(before);
  }
});

it("--dry-run shows the change and changes no file", async () => {
  using copy = copyOfDatabase(name);
  const before = filesOf(copy.path);
  const words = wordsOf(rowOf("Alias"));
  const put = await intoPipe(
    "put",
    copy.path,
    ...words,
    "--value",
    JSON.stringify("ab".repeat(32)),
    "--dry-run",
  );
  const deleted = await intoPipe("delete", copy.path, ...words, "--dry-run", "--json");
  expect(put.stdout).toMatch(/would change\n/);
  expect(put.stderr).toBe("merostore: nothing was written: this was a --dry-run\n");
  expect(JSON.parse(deleted.stdout)).toMatchObject({
    kind: "Alias",
    before: { value: rowOf("Alias").value },
    after: null,
    changed: false,
    undo: expect.stringMatching(/^merostore put /),
  });
  expect(filesOf(copy.path)).toEqual(before);
});

it("a row that the node does not read has no undo: put refuses its key", async () => {
  using copy = copyOfDatabase(name);
  const words = ["aliasKind=context", "scope=none", "name=bäume"];
  {
    await using store = await openStore(copy.path, { writable: true });
    const { bytes: key } = parseKey(store.schema.row("Alias").key, words);
    await store.raw.write([{ type: "put", column: "Alias", key, value: new Uint8Array(32) }]);
  }
  const { status, stdout } = await intoPipe("delete", copy.path, "Alias", ...words, "--dry-run");
  expect({ status, undo: /^.*undo.*$/m.exec(stdout)?.[0] }).toEqual({
    status: 0,
    undo: expect.stringContaining("put takes no key that the node does not read") as string,
  });
  const { stderr } = await intoPipe("delete", copy.path, "Alias", ...words, "--json");
  expect(linesOf(stderr)[0]).toMatch(/^merostore: no undo can be printed: put takes no key that the node/);
});

it("a row with a secret has no undo, and its secret is not shown", async () => {
  using copy = copyOfDatabase(name);
  const row = rowOf("GroupKeyEntry");
  const { groupKey } = row.decoded as { groupKey: string };
  for (const dry of [["--dry-run"], []]) {
    const { stderr } = await intoPipe("delete", copy.path, ...wordsOf(row), ...dry);
    expect(linesOf(stderr)[0]).toBe(
      `merostore: deleting this row loses secrets: the command that undoes it would contain them, and is not printed; to keep a copy first: merostore backup ${copy.path} FOLDER`,
    );
    expect(stderr).not.toContain(groupKey);
  }
  await intoPipe("put", copy.path, ...wordsOf(row), "--value-hex", row.value);
  const { stdout } = await intoPipe("delete", copy.path, ...wordsOf(row));
  expect(stdout).toContain("no undo can be printed: it would contain the secrets of the row");
  expect(stdout).toContain("merostore backup ");
  expect(stdout).not.toContain(groupKey);
});

it("a row that is put again with its value is unchanged", async () => {
  using copy = copyOfDatabase(name);
  const row = rowOf("Alias");
  const { stdout } = await intoPipe("put", copy.path, ...wordsOf(row), "--value-hex", row.value);
  expect(stdout).toMatch(/unchanged: the row already has this value\n/);
  expect(stdout).not.toContain("undo");
});
