/** `restore --context`: the rows of one context as a backup has them. */
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { fromHex } from "../../../src/bytes/hex.js";
import { openRocksEngine } from "../../../src/engines/index.js";
import { openStore } from "../../../src/store/index.js";
import { copyOfDatabase, temporaryFolder } from "../../support/fixtures.js";
import { onFullDisk } from "../../support/refused.js";
import { cli, linesOf, main } from "../run.js";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

let db: string;
let backup: string;
let keep: string;

beforeEach(({ onTestFinished }) => {
  const folder = temporaryFolder();
  const copy = copyOfDatabase("core-0.11/node-a");
  onTestFinished(() => {
    folder[Symbol.dispose]();
    copy[Symbol.dispose]();
  });
  [db, backup, keep] = ["db", "backup", "kept"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  for (const to of [db, backup]) cpSync(copy.path, to, { recursive: true });
});

/** Makes the context differ from the backup: a row is lost, one is surplus, one has another value. */
async function damage(): Promise<void> {
  for (const words of [
    ["delete", db, "ContextMeta", `contextId=${LOBBY}`],
    ["delete", db, "ContextDagDelta", `contextId=${LOBBY}`, `deltaId=${await deltaId()}`],
    ["put", db, "ContextState", `contextId=${LOBBY}`, `stateKey=${"ab".repeat(32)}`, "--value-hex", "01"],
    [
      "put",
      db,
      "ContextConfig",
      `contextId=${LOBBY}`,
      "--value",
      '{"applicationRevision":"9","membersRevision":"9"}',
    ],
  ])
    expect(await cli(...words)).toMatchObject({ status: 0 });
}

async function deltaId(): Promise<string> {
  const { stdout } = await cli(
    "scan",
    backup,
    "ContextDagDelta",
    "--context",
    LOBBY,
    "--json",
    "--limit",
    "1",
  );
  return (JSON.parse(linesOf(stdout)[0] as string) as { parts: { deltaId: string } }).parts.deltaId;
}

const same = async (other: string) => (await cli("diff", db, other, "--rows")).status === 0;

it("replaces all rows of the context in one write, and its undo as printed brings back what was there", async () => {
  await damage();
  const damaged = join(db, "../damaged");
  cpSync(db, damaged, { recursive: true });
  expect(await same(backup)).toBe(false);
  const restored = await cli(
    "restore",
    "--context",
    "lobby",
    backup,
    db,
    "--force",
    "--engine",
    "files",
    "--node-is-stopped",
    "--json",
  );
  expect(restored.status).toBe(0);
  expect(JSON.parse(restored.stdout)).toEqual({
    context: LOBBY,
    rows: [
      { kind: "ContextMeta", added: 1, changed: 0, removed: 0 },
      { kind: "ContextConfig", added: 0, changed: 1, removed: 0 },
      { kind: "ContextState", added: 0, changed: 0, removed: 1 },
      { kind: "ContextDagDelta", added: 1, changed: 0, removed: 0 },
    ],
    changed: true,
    undo: `merostore restore --context ${LOBBY} ${db}.before-restore ${db} --force --engine files --node-is-stopped`,
  });
  expect(await same(backup)).toBe(true);
  const { undo } = JSON.parse(restored.stdout) as { readonly undo: string };
  const undone = await cli(...undo.split(" ").slice(1));
  expect(undone.status).toBe(0);
  expect(await same(damaged)).toBe(true);
  const again = /^undo: merostore (.*)$/m.exec(undone.stdout)?.[1] ?? "";
  expect(again).toContain(`${db}.before-restore-2 `);
  expect(await cli(...again.split(" "))).toMatchObject({ status: 0 });
  expect(await same(backup)).toBe(true);
  expect(existsSync(`${db}.before-restore-3`)).toBe(true);
});

it("copies the database to the folder that --keep names, from which its undo reads", async () => {
  await damage();
  const { stdout, stderr } = await cli("restore", "--context", LOBBY, backup, db, "--keep", keep, "--force");
  expect(stderr).toBe(`merostore: 2 rows added, 1 changed, 1 removed; the database as it was: ${keep}\n`);
  expect(stdout).toContain(`\nundo: merostore restore --context ${LOBBY} ${keep} ${db} --force\n`);
  expect(existsSync(keep)).toBe(true);
});

it("asks for --force, and --dry-run tells what it would do", async () => {
  await damage();
  const damaged = join(db, "../damaged");
  cpSync(db, damaged, { recursive: true });
  const words = ["restore", "--context", LOBBY.slice(0, 8), backup, db, "--keep", keep];
  const refused = await cli(...words);
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  expect(refused.stderr).toMatch(
    /^merostore: the database has \d+ rows of the context\. To replace them: --force\n$/,
  );
  const tried = await cli(...words, "--dry-run");
  expect(tried.status).toBe(2);
  expect(tried.stdout).toMatch(/ContextMeta +1 +0 +0\n/);
  expect(tried.stdout).not.toContain("undo");
  expect(tried.stderr).toContain(
    "nothing was written: this was a --dry-run. Without --force it will be refused",
  );
  expect(await cli(...words, "--dry-run", "--force")).toMatchObject({ status: 0 });
  const { stdout } = await cli(...words, "--dry-run", "--force", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ changed: false, undo: null });
  expect(await same(damaged)).toBe(true);
});

it("warns of a backup of another node", async () => {
  using other = copyOfDatabase("core-0.11/node-b");
  const words = ["restore", "--context", LOBBY, db, "--force", "--dry-run"];
  const warning = "merostore: the backup is of another node: ";
  expect((await cli(...words.toSpliced(3, 0, other.path))).stderr).toContain(warning);
  await damage();
  expect((await cli(...words.toSpliced(3, 0, backup))).stderr).not.toContain(warning);
});

it("leaves rows alone that follow from signed operations, and a database that has the same rows", async () => {
  expect(await cli("delete", db, "ContextGroupRef", `contextId=${LOBBY}`, "--force")).toMatchObject({
    status: 0,
  });
  expect(await cli("restore", "--context", LOBBY, backup, db)).toEqual({
    status: 0,
    stdout: "",
    stderr: "merostore: the database has the rows of the backup: nothing was written\n",
  });
});

it("names the command for a whole database, and refuses an export and another revision", async () => {
  expect((await cli("restore", backup, db)).stderr).toContain(
    `for a whole database: merostore db copy ${backup} NEW`,
  );
  expect((await cli("restore", "my backup", db)).stderr).toContain("merostore db copy 'my backup' NEW");
  const file = join(db, "../all.ndjson");
  await cli("export", db, "-o", file, "--reveal-secrets");
  expect(await cli("restore", "--context", LOBBY, file, db)).toMatchObject({ status: 2 });
  using other = copyOfDatabase("core-0.10/node-a");
  const refused = await cli("restore", "--context", LOBBY, other.path, db);
  expect(refused.stderr).toContain("the backup is of core-0.10, the database of core-0.11");
});

it("asks for --force if the backup is of another node, even if the database lacks the context", async () => {
  using other = copyOfDatabase("core-0.11/node-b");
  const lacking = join(db, "../lacking");
  for (const words of [
    ["export", db, "--column", "Group", "-o", `${lacking}.ndjson`, "--reveal-secrets"],
    ["import", `${lacking}.ndjson`, lacking],
  ])
    expect(await cli(...words)).toMatchObject({ status: 0 });
  const words = ["restore", "--context", LOBBY];
  const refused = await cli(...words, other.path, lacking);
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain("the backup is of another node. To restore it all the same: --force");
  expect(existsSync(`${lacking}.before-restore`)).toBe(false);
  expect(await cli(...words, other.path, lacking, "--dry-run")).toMatchObject({ status: 2 });
  expect(await cli(...words, backup, lacking)).toMatchObject({ status: 0 });
});

it("names the copy of the database if the write fails", async () => {
  const largest = Math.max(...readdirSync(db).map((name) => statSync(join(db, name)).size));
  await using store = await openStore(backup, { writable: true });
  await store
    .table("ContextState")
    .put({ contextId: fromHex(LOBBY), stateKey: fromHex("ab".repeat(32)) }, new Uint8Array(largest + 1024));
  await store.close();
  const words = ["restore", "--context", LOBBY, backup, db, "--keep", keep, "--force"];
  const { status, stderr } = onFullDisk(Math.ceil(largest / 1024), main, ...words);
  expect(status).toBe(3);
  expect(stderr).toMatch(new RegExp(`^merostore: the database as it was: ${keep}\nmerostore: .*EFBIG`, "m"));
  expect(await same(keep)).toBe(true);
});

it("reads a backup that the engine for writing cannot read", async () => {
  using compressed = copyOfDatabase("core-0.11/node-a-compressed");
  await damage();
  const words = ["restore", "--context", LOBBY, compressed.path, db, "--keep", keep, "--force"];
  expect(await cli(...words, "--engine", "rocksdb")).toMatchObject({ status: 0 });
  expect(await same(backup)).toBe(true);
});

it("leaves no copy behind if another process has the database open", async () => {
  await damage();
  await using _node = await openRocksEngine(db, { writable: true });
  const refused = await cli("restore", "--context", LOBBY, backup, db, "--force");
  expect(refused).toMatchObject({ status: 3, stderr: expect.stringContaining("is locked") as string });
  expect(readdirSync(join(db, "..")).sort()).toEqual(["backup", "db"]);
});

it("restores into a database whose log is damaged with --accept-log-loss, and not without", async () => {
  using live = copyOfDatabase("core-0.11/node-a-live");
  const log = join(live.path, readdirSync(live.path).find((name) => name.endsWith(".log")) as string);
  const bytes = readFileSync(log);
  bytes.fill(0x58, (bytes.length * 9) >> 4, ((bytes.length * 9) >> 4) + 8);
  writeFileSync(log, bytes);
  const words = ["restore", "--context", LOBBY, backup, live.path, "--keep", keep, "--force"];
  expect(await cli(...words)).toMatchObject({ status: 3 });
  expect(await cli(...words, "--accept-log-loss")).toMatchObject({ status: 0 });
  expect((await cli("diff", backup, live.path, "--rows", "--context", LOBBY)).status).toBe(0);
});
