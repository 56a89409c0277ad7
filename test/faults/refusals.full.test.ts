/** Calls that the system refuses: each becomes a named error, and no acknowledged write is lost. */

import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openFilesEngine, openRocksEngine } from "../../src/engines/index.js";
import { COUNT, FAMILIES } from "../engines/files/batches.mjs";
import { countRows } from "../engines/rocksdb/helpers.js";
import { copyOfDatabase, fixturePath, temporaryFolder } from "../support/fixtures.js";
import { boundByModes, onFullDisk } from "../support/refused.js";
import { rejection } from "../support/rejection.js";

const writer = join(import.meta.dirname, "killed-writer.mjs");
const main = join(import.meta.dirname, "../../dist/cli/merostore.js");

it("a full disk is an error, and earlier acknowledged writes are present", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "db");
  const { status, stdout, stderr } = onFullDisk(30, writer, path, "1");
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/ENGINE_FAILED/);
  const acknowledged = Math.max(
    ...stdout
      .split("\n")
      .filter((line) => /^\d+$/.test(line))
      .map(Number),
  );
  expect(acknowledged).toBeGreaterThan(20);
  await using engine = await openFilesEngine(path);
  const count = Buffer.from((await engine.get(FAMILIES[0] as string, COUNT)) as Uint8Array).readUInt32BE();
  expect(count).toBeGreaterThanOrEqual(acknowledged);
});

it.skipIf(spawnSync("prlimit", ["--version"]).status !== 0).each(["leveldb", "rocksdb"])(
  "a ledger on %s says to open it again after a full disk, and has lost nothing then",
  (engine) => {
    using folder = temporaryFolder();
    const program = join(import.meta.dirname, "../../packages/ledger/test/faults/full-disk.mjs");
    const { stdout, stderr } = spawnSync(process.execPath, [program, engine, folder.path], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    const { full, after, closing, entries, lost } = JSON.parse(stdout) as Record<string, string[]>;
    expect(closing).toEqual([]);
    expect(full).toHaveLength(5);
    for (const message of [...(full as string[]), ...(after as string[])])
      expect(message).toMatch(
        /^ENGINE_FAILED .*Close the database and open it again before you write to it$/,
      );
    expect(entries).toBeGreaterThan(20);
    expect(lost).toEqual([]);
  },
);

it("an import or a backup that does not fit leaves nothing", () => {
  using folder = temporaryFolder();
  const database = fixturePath("core-0.11", "node-a", "db");
  const file = join(folder.path, "node.ndjson");
  expect(spawnSync(process.execPath, [main, "export", database, "--reveal-secrets", "-o", file]).status).toBe(
    0,
  );
  for (const words of [
    ["import", file, join(folder.path, "imported")],
    ["backup", database, join(folder.path, "copied")],
    ["export", database, "-o", join(folder.path, "again.ndjson")],
  ]) {
    const { status, stderr } = onFullDisk(4, main, ...words);
    expect(status, words[0]).toBe(3);
    expect(stderr).toMatch(/^merostore: .*(too large|space|failed|written)/im);
    expect(readdirSync(folder.path)).toEqual(["node.ndjson"]);
  }
});

it("a folder without write permission can be read, and writing reports an error", () => {
  using copy = copyOfDatabase("core-0.11/node-a");
  chmodSync(copy.path, 0o555);
  const run = (...words: readonly string[]) => boundByModes(process.execPath, [main, ...words]);
  const before = readdirSync(copy.path);
  const read = run("status", "--rows", copy.path, "--json");
  expect([read.status, read.stderr]).toEqual([0, ""]);
  const alias = [
    "put",
    copy.path,
    "GroupDefaultCaps",
    `groupId=${"5a".repeat(32)}`,
    "--value",
    '{"capabilities":1}',
  ];
  const written = run(...alias);
  expect(written.status).toBe(3);
  expect(written.stderr).toMatch(/permission|denied|read-only/i);
  expect(readdirSync(copy.path)).toEqual(before);
  chmodSync(copy.path, 0o755);
});

it("an output in a folder without write permission is refused before the work", () => {
  using copy = copyOfDatabase("core-0.11/node-c");
  using folder = temporaryFolder();
  const [locked, made] = [join(folder.path, "locked"), join(folder.path, "new")];
  mkdirSync(locked, { mode: 0o555 });
  const words = ["recover", copy.path, made, "--report", join(locked, "report")];
  const { status, stderr } = boundByModes(process.execPath, [main, ...words]);
  expect([status, stderr]).toEqual([3, expect.stringMatching(/report cannot be written: EACCES/)]);
  expect(readdirSync(folder.path)).toEqual(["locked"]);
});

it.each(["a table", "the folder"])("%s that may not be read is PERMISSION_DENIED by its path", (what) => {
  using copy = copyOfDatabase("core-0.11/node-a");
  const table = readdirSync(copy.path).find((name) => name.endsWith(".sst")) as string;
  const closed = what === "a table" ? join(copy.path, table) : copy.path;
  chmodSync(closed, 0o000);
  const program = `
    import { openStore } from ${JSON.stringify(new URL("../../dist/index.js", import.meta.url).href)};
    openStore(process.argv[1]).catch(({ code, message }) => console.log(code, message));`;
  const { stdout } = boundByModes(process.execPath, ["--input-type=module", "--eval", program, copy.path]);
  expect(stdout).toMatch(/^PERMISSION_DENIED .*permission denied/);
  expect(stdout).toContain(closed);
  chmodSync(closed, 0o755);
});

it("a folder that is removed or moved while it is open can still be read to the end", async () => {
  for (const remove of [
    (path: string) => rmSync(path, { recursive: true }),
    (path: string) => renameSync(path, `${path}-elsewhere`),
  ]) {
    using copy = copyOfDatabase("core-0.11/node-a");
    await using engine = await openFilesEngine(copy.path);
    remove(copy.path);
    expect(await countRows(engine)).toBe(1011);
    await rejection(engine.refresh(), "DATABASE_DAMAGED");
    expect(await countRows(engine)).toBe(1011);
  }
});

it("of two writers the second is refused, and readers are not", async () => {
  using copy = copyOfDatabase("core-0.11/node-a");
  await using first = await openRocksEngine(copy.path, { writable: true });
  await rejection(openRocksEngine(copy.path, { writable: true }), "DATABASE_LOCKED");
  const other = spawn(process.execPath, [writer, copy.path, "1"], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  other.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  await new Promise((resolve) => other.on("close", resolve));
  expect(said).toContain("DATABASE_LOCKED");
  await using reader = await openFilesEngine(copy.path);
  expect(await countRows(reader)).toBe(await countRows(first));
});

it("a place that is a file, or below one, is refused", async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "other"));
  const file = fixturePath("core-0.11", "node-a", "rows.jsonl");
  await rejection(openFilesEngine(file), "NOT_A_DATABASE");
  await rejection(openFilesEngine(join(file, "below")), "NOT_A_DATABASE");
  await rejection(openFilesEngine(join(folder.path, "other")), "NOT_A_DATABASE");
  await rejection(openFilesEngine(join(folder.path, "nowhere")), "DATABASE_NOT_FOUND");
  mkdirSync(join(folder.path, "home", "data"), { recursive: true });
  writeFileSync(join(folder.path, "home", "data", "CURRENT"), "");
  await rejection(
    openFilesEngine(join(folder.path, "home")),
    "NOT_A_DATABASE",
    `did you mean ${join(folder.path, "home", "data")}?`,
  );
  const backups = join(folder.path, "backups");
  for (const name of ["meta", "private", "shared_checksum"])
    mkdirSync(join(backups, name), { recursive: true });
  await rejection(openFilesEngine(backups), "NOT_A_DATABASE", `ldb restore --backup_dir=${backups} --db=NEW`);
});
