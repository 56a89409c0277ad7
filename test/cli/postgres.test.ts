/** Commands on a node on a server: its URL stands where a folder stands. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";
import { PASSWORD, PostgresServer } from "../support/postgres-server.js";
import { cli } from "./run.js";

const fixture = fixturePath("core-0.11/node-c/db");
const ROWS = 264;
let server: PostgresServer;
let url: string;

beforeAll(async () => {
  server = await PostgresServer.start({ settings: { fsync: "off" } });
  url = server.url("node-c");
  const { status, stdout, stderr } = await cli("copy", fixture, url);
  expect([status, stderr]).toEqual([
    0,
    `merostore: ${ROWS} rows copied to postgres://tester@127.0.0.1:${server.port}/postgres?node=node-c, and compared: all equal\n`,
  ]);
  expect(stdout).toMatch(/^column family +rows +bytes\n/);
});
afterAll(() => server?.stop());

it("every reading command prints what it prints of the folder", async () => {
  const commands: readonly (readonly [words: readonly string[], rest?: readonly string[]])[] = [
    [["scan"], ["GroupMember", "--json"]],
    [["groups"]],
    [["contexts"], ["--json"]],
    [["verify"], ["--json"]],
    [["export"], ["--reveal-secrets"]],
    [["find"], ["a"]],
  ];
  for (const [words, rest = []] of commands) {
    const [ofFolder, ofServer] = await Promise.all([
      cli(...words, fixture, ...rest),
      cli(...words, url, ...rest),
    ]);
    expect(ofFolder.stdout.length, words.join(" ")).toBeGreaterThan(0);
    expect(ofServer, words.join(" ")).toEqual(ofFolder);
  }
  const equal = await cli("diff", fixture, url);
  expect([equal.status, equal.stderr]).toEqual([0, expect.stringContaining("")]);
});

it("copies go back into a folder, and from node to node", async () => {
  using folder = temporaryFolder();
  const back = join(folder.path, "back");
  const { status, stdout } = await cli("copy", url, back, "--json");
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ to: back, rows: ROWS });
  expect((await cli("diff", back, fixture)).status).toBe(0);
  expect((await cli("copy", url, server.url("another"))).status).toBe(0);
  const again = await cli("copy", url, server.url("another"));
  expect([again.status, again.stderr]).toEqual([
    3,
    expect.stringContaining("already holds a database: name another node"),
  ]);
});

it("an export is imported into a new node, and into one that is there", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "all.ndjson");
  expect((await cli("export", fixture, "--reveal-secrets", "-o", file)).status).toBe(0);
  const imported = server.url("imported");
  expect(await cli("import", file, imported)).toMatchObject({
    status: 0,
    stderr: expect.stringContaining(`${ROWS} rows imported into postgres://tester@127.0.0.1`),
  });
  expect((await cli("import", file, imported, "--into-existing")).status).toBe(0);
  expect((await cli("diff", fixture, imported)).status).toBe(0);
  const broken = join(folder.path, "broken.ndjson");
  const { writeFileSync } = await import("node:fs");
  writeFileSync(broken, readFileSync(file, "utf8").split("\n").slice(0, -3).join("\n"));
  expect((await cli("import", broken, server.url("broken"))).status).toBe(3);
  expect((await cli("info", server.url("broken"))).stderr).toMatch(/has no node "broken"/);
});

it("rows are put and deleted", async () => {
  const writable = server.url("written");
  expect((await cli("copy", fixture, writable)).status).toBe(0);
  const { stdout } = await cli("scan", writable, "ContextMeta", "--json", "--limit", "1");
  const { parts } = JSON.parse(stdout) as { parts: { contextId: string } };
  const deleted = await cli("delete", writable, "ContextMeta", `contextId=${parts.contextId}`);
  expect([deleted.status, deleted.stderr]).toEqual([0, expect.any(String)]);
  expect((await cli("get", writable, "ContextMeta", `contextId=${parts.contextId}`)).status).toBe(1);
});

it("no output has the password, wherever a command fails", async () => {
  const secret = (rest: string) => `postgres://tester:${PASSWORD}@127.0.0.1:${server.port}/${rest}`;
  const outcomes = await Promise.all([
    cli("info", url),
    cli("info", url, "--json"),
    cli("tour", url),
    cli("info", secret("postgres?node=missing")),
    cli("info", secret("postgres?nod=x")),
    cli("info", secret("nowhere")),
    cli("info", `postgres://tester:${PASSWORD}@127.0.0.1:1/postgres`),
    cli("backup", url, "/nowhere/backup"),
    cli("diff", url, "/nowhere"),
    cli("scan", url, "NoSuchKind"),
    cli("watch", url),
    cli("scan", url, "--engine", "files"),
  ]);
  for (const { stdout, stderr } of outcomes) expect(stdout + stderr).not.toContain(PASSWORD);
  expect(outcomes.map(({ status }) => status)).toEqual([0, 0, 0, 3, 2, 3, 3, 2, 3, 2, 2, 2]);
  expect(outcomes[0]?.stdout).toContain("engine    postgres");
});

it("MEROSTORE_DB may be a URL", async () => {
  process.env.MEROSTORE_DB = url;
  try {
    const { status, stderr } = await cli("scan", "NoSuchKind");
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("the database is that of MEROSTORE_DB, postgres://tester@"),
    ]);
    expect((await cli("contexts")).status).toBe(0);
    expect((await cli("contexts", fixture)).status).toBe(0);
    process.env.MEROSTORE_DB = fixture;
    expect((await cli("contexts", url, "--json")).stdout).not.toBe("");
  } finally {
    delete process.env.MEROSTORE_DB;
  }
});
