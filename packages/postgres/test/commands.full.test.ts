/** Commands on a node on a server: its URL stands where a folder stands. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cli, linesOf, type Outcome, played } from "../../../test/cli/run.js";
import { fixturePath, temporaryFolder } from "../../../test/support/fixtures.js";
import { PASSWORD, PostgresServer } from "./support/postgres-server.js";

const fixture = fixturePath("core-0.11/node-c/db");
const ROWS = 264;
let server: PostgresServer;
let url: string;

beforeAll(async () => {
  server = await PostgresServer.start({ settings: { fsync: "off" } });
  url = server.url("node-c");
  const { status, stdout, stderr } = await cli("db", "copy", fixture, url);
  expect([status, stderr]).toEqual([
    0,
    `merostore: ${ROWS} rows copied to postgres://127.0.0.1:${server.port}/postgres?node=node-c, and compared: all equal\n`,
  ]);
  expect(stdout).toMatch(/^column family +rows +bytes\n/);
});
afterAll(() => server?.stop());

/** A command in this process: a few start as a program of their own. */
const run = (...words: readonly string[]) => played(0, ...words);

/** Without the time of an export. */
const untimed = ({ status, stdout, stderr }: Outcome) => [
  status,
  stdout.replace(/"time":"[^"]*"/, ""),
  stderr,
];

it("every reading command prints what it prints of the folder", async () => {
  const commands: readonly (readonly [words: readonly string[], rest?: readonly string[]])[] = [
    [["scan"], ["GroupMember", "--json"]],
    [["groups"]],
    [["contexts"], ["--json"]],
    [["verify"], ["--json"]],
    [["export"], ["--reveal-secrets", "--column", "Group"]],
    [["find"], ["a"]],
  ];
  for (const [words, rest = []] of commands) {
    const [ofFolder, ofServer] = await Promise.all([
      run(...words, fixture, ...rest),
      run(...words, url, ...rest),
    ]);
    expect(ofFolder.stdout.length, words.join(" ")).toBeGreaterThan(0);
    expect(untimed(ofServer), words.join(" ")).toEqual(untimed(ofFolder));
  }
  expect((await run("diff", "--rows", fixture, url)).status).toBe(0);
});

it("a node has its name in a comparison, and no files to list", async () => {
  const { stdout } = await run("hash", url, "--json");
  expect(linesOf(stdout)[0]).toContain('"nodes":[{"node":"node-c",');
  const { status, stderr } = await run("status", "--files", url);
  expect([status, stderr]).toEqual([
    2,
    `merostore: postgres://127.0.0.1:${server.port}/postgres?node=node-c has no files: leave out --files\n`,
  ]);
});

it("SQL asks a folder and a server at once", async () => {
  const statement = "select node, count(*) as members from GroupMember group by node order by node";
  const { status, stdout } = await run("sql", fixture, url, statement, "--json");
  expect(status).toBe(0);
  const rows = linesOf(stdout).map((line) => JSON.parse(line) as { node: string; members: number });
  expect(rows).toHaveLength(2);
  expect(rows[0]?.members).toBeGreaterThan(0);
  expect(rows[1]?.members).toBe(rows[0]?.members);
});

it("copies go back into a folder, and from node to node", async () => {
  using folder = temporaryFolder();
  const back = join(folder.path, "back");
  const { status, stdout } = await run("db", "copy", url, back, "--json");
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ to: back, rows: ROWS });
  expect((await run("diff", "--rows", back, fixture)).status).toBe(0);
  expect((await run("db", "copy", url, server.url("another"))).status).toBe(0);
  const again = await run("db", "copy", url, server.url("another"));
  expect([again.status, again.stderr]).toEqual([
    3,
    expect.stringContaining("already holds a database: name another node"),
  ]);
});

it("an export is imported into a new node, and into one that is there", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "all.ndjson");
  expect((await run("export", fixture, "--reveal-secrets", "-o", file)).status).toBe(0);
  const imported = server.url("imported");
  expect(await run("import", file, imported)).toMatchObject({
    status: 0,
    stderr: expect.stringContaining(`${ROWS} rows imported into postgres://127.0.0.1`),
  });
  expect((await run("import", file, imported, "--into-existing")).status).toBe(0);
  expect((await run("diff", "--rows", fixture, imported)).status).toBe(0);
  const broken = join(folder.path, "broken.ndjson");
  writeFileSync(broken, readFileSync(file, "utf8").split("\n").slice(0, -3).join("\n"));
  expect((await run("import", broken, server.url("broken"))).status).toBe(3);
  expect((await run("status", "--rows", server.url("broken"))).stderr).toMatch(/has no node "broken"/);
});

it("rows are put and deleted", async () => {
  const writable = server.url("written");
  expect((await run("db", "copy", fixture, writable)).status).toBe(0);
  const { stdout } = await run("scan", writable, "ContextMeta", "--json", "--limit", "1");
  const { parts } = JSON.parse(stdout.split("\n", 1)[0] ?? "") as { parts: { contextId: string } };
  const deleted = await run("delete", writable, "ContextMeta", `contextId=${parts.contextId}`);
  expect([deleted.status, deleted.stderr]).toEqual([0, expect.any(String)]);
  expect((await run("show", writable, "ContextMeta", `contextId=${parts.contextId}`)).status).toBe(1);
});

it("no output has the password, wherever a command fails", async () => {
  const secret = (rest: string) => `postgres://tester:${PASSWORD}@127.0.0.1:${server.port}/${rest}`;
  const outcomes = await Promise.all([
    cli("status", "--rows", url),
    run("status", "--rows", url, "--json"),
    run("status", url),
    run("status", "--rows", secret("postgres?node=missing")),
    run("status", "--rows", secret("postgres?nod=x")),
    run("status", "--rows", secret("nowhere")),
    run("status", "--rows", `postgres://tester:${PASSWORD}@127.0.0.1:1/postgres`),
    run("backup", url, "/nowhere/backup"),
    run("diff", "--rows", url, "/nowhere"),
    run("scan", url, "NoSuchKind"),
    run("watch", url),
    run("explore", url),
    run("scan", url, "--engine", "files"),
  ]);
  for (const { stdout, stderr } of outcomes) expect(stdout + stderr).not.toContain(PASSWORD);
  expect(outcomes.map(({ status }) => status)).toEqual([0, 0, 0, 3, 2, 3, 3, 2, 3, 2, 2, 2, 2]);
  expect(outcomes[0]?.stdout).toContain("engine    postgres");
});

it("MEROSTORE_DB may be a URL", async () => {
  process.env.MEROSTORE_DB = url;
  try {
    const { status, stderr } = await run("scan", "NoSuchKind");
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("the database is that of MEROSTORE_DB, postgres://127"),
    ]);
    expect((await run("contexts")).status).toBe(0);
    expect((await run("contexts", fixture)).status).toBe(0);
    process.env.MEROSTORE_DB = fixture;
    expect((await run("contexts", url, "--json")).stdout).not.toBe("");
  } finally {
    delete process.env.MEROSTORE_DB;
  }
});
