import { join } from "node:path";
import { expect, it } from "vitest";
import { openEngine } from "../../../src/engines/index.js";
import { openStore } from "../../../src/index.js";
import { filesOf } from "../../support/files.js";
import { copyOfDatabase, fixturePath } from "../../support/fixtures.js";
import { folderOfEachTest } from "../../support/folder-of-each-test.js";
import { cli } from "../run.js";

const plain = fixturePath("core-0.11/node-a", "db");
const compressed = fixturePath("core-0.11/node-a-compressed", "db");

const folder = folderOfEachTest();

const at = (name: string) => join(folder.path, name);

async function expectEqual(path: string): Promise<void> {
  expect(await cli("diff", "--rows", plain, path)).toMatchObject({
    status: 0,
    stdout: "equal: 1,011 rows\n",
  });
}

it("diff finds the same rows", () => expectEqual(compressed));

it.each(["verify", "groups", "du"])("%s prints what it prints of the plain database", async (command) => {
  const [expected, found] = await Promise.all([cli(command, plain), cli(command, compressed)]);
  expect({ ...found, stdout: found.stdout.replaceAll("node-a-compressed", "node-a") }).toEqual(expected);
});

it("status --files shows compression, filters and sizes of each family by level, and which families keep a log", async () => {
  const { stdout } = await cli("status", "--rows", compressed, "--files");
  const lines = stdout.trimEnd().split("\n");
  const size = expect.stringMatching(/^[\d,]+ (?:bytes|kB)$/);
  const cells = lines.map((line) => line.trim().split(/ {2,}/));
  expect(cells.filter(([family]) => family === "State").slice(-2)).toEqual([
    ["State", "0", "1", "LZ4", "1, 133 bytes", size, size],
    ["State", "6", "1", "ZSTD", "1, 16 kB", "1, 453 bytes", size, size],
  ]);
  expect(lines.at(-1)).toMatch(/^1 log, 43 kB: 000039\.log is kept for State, .*, UnifiedOp$/);
  const tablesOf = async (path: string) =>
    (
      JSON.parse((await cli("status", "--rows", path, "--files", "--json")).stdout) as {
        tables: readonly { level: number; files: number; compression: string[]; dictionaries: number }[];
      }
    ).tables;
  const tables = await tablesOf(compressed);
  const sum = (level: number, of: "files" | "dictionaries") =>
    tables.filter((one) => one.level === level).reduce((total, one) => total + one[of], 0);
  expect([0, 6].map((level) => [sum(level, "files"), sum(level, "dictionaries")])).toEqual([
    [9, 0],
    [15, 3],
  ]);
  for (const { level, compression } of tables) expect(compression).toEqual([level === 0 ? "LZ4" : "ZSTD"]);
  for (const { compression, dictionaries } of await tablesOf(plain))
    expect([compression, dictionaries]).toEqual([[], 0]);
});

it("backup copies it as it is, and copy, import and recover make plain ones", async () => {
  expect(await cli("backup", compressed, at("backup"))).toMatchObject({ status: 0 });
  expect(await cli("db", "copy", compressed, at("copy"))).toMatchObject({ status: 0 });
  expect(await cli("export", compressed, "--reveal-secrets", "-o", at("export.jsonl"))).toMatchObject({
    status: 0,
  });
  expect(await cli("import", at("export.jsonl"), at("imported"))).toMatchObject({ status: 0 });
  expect(await cli("recover", compressed, at("recovered"))).toMatchObject({ status: 0 });
  for (const name of ["backup", "copy", "imported", "recovered"]) await expectEqual(at(name));
  await using writable = await openStore(at("copy"), { writable: true });
  expect(writable.raw.capabilities.writable).toBe(true);
});

it("RocksDB says first that it cannot write, and offers copy; the files stay as they are until merostore itself writes", async () => {
  using copy = copyOfDatabase("core-0.11/node-a-compressed");
  const before = filesOf(copy.path);
  const refused = {
    code: "WRITING_UNSUPPORTED",
    message: expect.stringMatching(/compressed with (?:LZ4|ZSTD).*merostore db copy DB NEW/),
  };
  await expect(openStore(copy.path, { writable: true, engine: "rocksdb" })).rejects.toMatchObject(refused);
  await expect(
    openEngine(copy.path, { writable: true, acceptLogLoss: true, engine: "rocksdb" }),
  ).rejects.toMatchObject(refused);
  const lobby = "contextId=b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
  for (const words of [
    ["put", copy.path, "ContextMeta", lobby, "--value-hex", "00".repeat(69)],
    ["delete", copy.path, "ContextMeta", lobby],
  ]) {
    const { status, stderr } = await cli(...words, "--engine", "rocksdb");
    expect(stderr).toMatch(/^merostore: .* LZ4 not supported in this build\. The engine files may read it/);
    expect(status).toBe(3);
  }
  expect(filesOf(copy.path)).toEqual(before);
  expect(await cli("delete", copy.path, "ContextMeta", lobby, "--force")).toMatchObject({ status: 0 });
  expect((await cli("diff", "--rows", plain, copy.path)).stdout).toContain("1 row");
});
