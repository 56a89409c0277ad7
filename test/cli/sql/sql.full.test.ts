import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { databaseNames } from "../../../src/cli/sql/databases.js";
import { findPrivateEntities } from "../../../src/schemas/index.js";
import { openStore } from "../../../src/store/index.js";
import { fixturePath, fixtureRows, temporaryFolder } from "../../support/fixtures.js";
import { cli, exitOf, linesOf, type Outcome, onTerminal, played, sharedCopy, textOf } from "../run.js";

const nodeA = fixturePath("core-0.11/node-a", "db");
const nodeB = fixturePath("core-0.11/node-b", "db");
const main = fileURLToPath(new URL("../../../dist/cli/merostore.js", import.meta.url));

/** Runs the program with lines on stdin, as a pipe. */
async function piped(input: string, ...words: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [main, ...words], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(input);
  const [stdout, stderr, status] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    exitOf(child),
  ]);
  return { status, stdout, stderr };
}

describe("merostore sql", () => {
  it("rows after the first 10,000 keep the columns of the others, on a terminal too", async () => {
    const statement = `select 10000 + i as n, repeat('x', if(i < 10100, 100, 200)) as text, i % 7 as rest from range(10200) t(i)`;
    for (const columns of [0, 60]) {
      const lines = linesOf((await played(columns, "sql", nodeA, statement)).stdout);
      expect(lines.length).toBe(10_201);
      const ends = (line = ""): readonly number[] => [...line.matchAll(/ +/g)].map(({ index }) => index);
      expect(ends(lines[10_090])).toEqual(ends(lines[9_090]));
      if (columns === 0) continue;
      for (const line of lines.slice(9_000, 10_201)) expect(line).toHaveLength(60);
      expect(ends(lines[10_190])).toEqual(ends(lines[9_090]));
    }
  });

  it("prints a table, or JSON", async () => {
    const members = fixtureRows("core-0.11/node-a").filter(({ kind }) => kind === "GroupMember");
    const admins = members.filter(({ decoded }) => (decoded as { role: string }).role === "Admin").length;
    const statement = "select role, count(*) as n from GroupMember group by role order by role";
    const table = await cli("sql", nodeA, statement);
    expect(table).toEqual({
      status: 0,
      stderr: "",
      stdout: `role    n\nAdmin   ${admins}\nMember  ${members.length - admins}\n`,
    });
    const json = await cli("sql", nodeA, statement, "--json");
    expect(linesOf(json.stdout).map((line) => JSON.parse(line))).toEqual([
      { role: "Admin", n: admins },
      { role: "Member", n: members.length - admins },
    ]);
  });

  it("names the databases by the ends of their paths", async () => {
    const { stdout, status } = await cli(
      "sql",
      nodeA,
      nodeB,
      "select node, count(*) as n from ContextMeta group by node order by node",
      "--json",
    );
    const contexts = (name: string) => fixtureRows(name).filter(({ kind }) => kind === "ContextMeta").length;
    expect(status).toBe(0);
    expect(linesOf(stdout).map((line) => JSON.parse(line))).toEqual([
      { node: "node-a", n: contexts("core-0.11/node-a") },
      { node: "node-b", n: contexts("core-0.11/node-b") },
    ]);
    expect(databaseNames(["x/berlin", "/y/oslo/"])).toEqual(["berlin", "oslo"]);
    expect(databaseNames(["/x/berlin", "/x/berlin"])).toEqual(["berlin#1", "berlin#2"]);
    expect(databaseNames(["https://u:secret@h/a/data/", "https://h/b/data"])).toEqual(["a", "b"]);
    expect(databaseNames(["/x/a/data", "/x/a/db", "/y/data"])).toEqual(["a/data", "a/db", "y/data"]);
    expect(databaseNames(["postgres://u:secret@h/db?node=n1", "/a/db"])).toEqual(["n1", "a"]);
  });

  it("escapes foreign text, and fits a terminal", async () => {
    const { stdout } = await onTerminal(
      "sql",
      nodeA,
      "select repeat('a', 300) || chr(27) || '[31m' as text, 1 as n",
    );
    expect(stdout).not.toContain("\u001b[31m");
    for (const line of linesOf(stdout)) expect(line.length).toBeLessThanOrEqual(120);
    const { stdout: whole } = await cli("sql", nodeA, "select chr(27) || '[31m' as text");
    expect(whole).toBe("text\n\\u001b[31m\n");
  });

  it("refuses what is not a question about tables, with status 2", async () => {
    for (const statement of [
      "copy (select 1) to '/tmp/refused.csv'",
      "select nothing",
      "select * from '/etc/passwd'",
      "",
    ]) {
      const { status, stdout, stderr } = await cli("sql", nodeA, statement);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(linesOf(stderr)).toHaveLength(1);
    }
  });

  it("prints what each of several statements gives", async () => {
    const several = "create table t (a int); select 1 as one; insert into t values (2) returning a; from t";
    expect(await cli("sql", nodeA, several)).toEqual({
      status: 0,
      stdout: "one\n  1\n\na\n2\n\na\n2\n",
      stderr: "",
    });
    expect((await cli("sql", nodeA, several, "--json")).stdout).toBe('{"one":1}\n{"a":2}\n{"a":2}\n');
    using folder = temporaryFolder();
    for (const out of ["csv", join(folder.path, "rows.json")]) {
      const refused = await cli("sql", nodeA, several, "-o", out);
      expect(refused).toMatchObject({ status: 2, stdout: "" });
      expect(refused.stderr).toContain("takes the rows of one statement");
      expect((await cli("sql", nodeA, "create table t as select 1 as a; from t", "-o", out)).status).toBe(0);
    }
    const failed = await cli("sql", nodeA, "select 1 as one; select nothing");
    expect(failed).toMatchObject({ status: 2, stdout: "one\n  1\n" });
  });

  it("lists the views and the tables as DuckDB does, and reads their rows afterwards", async () => {
    const { stdout } = await cli("sql", nodeA, "show tables");
    expect(linesOf(stdout)).toEqual(expect.arrayContaining(["groups", "entries", "GroupMember"]));
    const one = "select count(*) as columns from information_schema.columns where table_name = 'groups'";
    const [columns, groups] = linesOf(
      (await cli("sql", nodeA, `${one}; select count(*) as groups from groups`, "--json")).stdout,
    ).map((line) => JSON.parse(line) as Record<string, string>);
    expect(Number(columns?.columns)).toBeGreaterThan(3);
    expect(Number(groups?.groups)).toBeGreaterThan(3);
  });

  it("names the kinds that an unknown table may have meant", async () => {
    const { status, stderr } = await cli("sql", nodeA, "select * from GroupMembers");
    expect(status).toBe(2);
    expect(stderr).toMatch(/^merostore: the table GroupMembers does not exist; did you mean GroupMember\b/);
    const wrong = await cli("sql", nodeA, "selec 1 x");
    expect(wrong.stderr).toMatch(/^merostore: Parser Error: syntax error at or near "selec"/);
  });

  it("says that a statement has dropped a table", async () => {
    const text = "drop table GroupMember; select count(*) from GroupMember";
    expect(await cli("sql", nodeA, text)).toMatchObject({
      status: 2,
      stderr:
        "merostore: a statement has dropped the table GroupMember, or the transaction began before a statement named it\n",
    });
  });

  it("says which values do not decode, with status 1", async () => {
    // Rows of core-0.11 read as core-0.10.
    const { status, stdout, stderr } = await cli(
      "sql",
      nodeA,
      "select count(*) as n from GroupMember where error is not null",
      "--revision",
      "core-0.10",
      "--json",
    );
    const { n } = JSON.parse(stdout) as { n: number };
    expect(n).toBeGreaterThan(0);
    expect(status).toBe(1);
    expect(stderr).toContain(`the values of ${n} rows do not decode`);
  });

  it("hides private collections of core-0.10, unless they are shown", async () => {
    const name = "core-0.10/node-a";
    await using store = await openStore(fixturePath(name, "db"));
    const hidden = await findPrivateEntities(store.raw, store.schema);
    const of = fixtureRows(name).filter(
      ({ column, key, value }) =>
        column === "State" && hidden.in(column, Buffer.from(key, "hex"), Buffer.from(value, "hex"))?.whole,
    );
    expect(of.length).toBeGreaterThan(0);
    const statement =
      "select stateKey, value, entityIndex from ContextState where value is null and entityIndex is null";
    const rows = linesOf((await cli("sql", fixturePath(name, "db"), statement, "--json")).stdout);
    expect(rows.map((line) => (JSON.parse(line) as { stateKey: string }).stateKey).toSorted()).toEqual(
      of.map(({ parts }) => parts?.stateKey as string).toSorted(),
    );
    const shown = await cli("sql", fixturePath(name, "db"), statement, "--json", "--reveal-secrets");
    expect(shown.stdout).toBe("");
  });
});

describe("merostore sql -o", () => {
  const statement =
    "select groupId, role, autoFollow, 18446744073709551615::ubigint as most, 'a,\"b\"' as text from GroupMember";

  it("writes JSON, CSV and Parquet", async () => {
    using folder = temporaryFolder();
    const members = fixtureRows("core-0.11/node-a").filter(({ kind }) => kind === "GroupMember");
    const path = (name: string) => join(folder.path, name);
    for (const name of ["m.json", "m.csv", "m.parquet"]) {
      expect(await cli("sql", nodeA, statement, "-o", path(name))).toEqual({
        status: 0,
        stdout: "",
        stderr: "",
      });
      expect(statSync(path(name)).mode & 0o777).toBe(0o600);
    }
    const expected = members.map(({ parts, decoded }) => ({
      groupId: parts?.groupId,
      role: (decoded as { role: string }).role,
      autoFollow: (decoded as { autoFollow: object }).autoFollow,
      most: "18446744073709551615",
      text: 'a,"b"',
    }));
    expect(linesOf(readFileSync(path("m.json"), "utf8")).map((line) => JSON.parse(line))).toEqual(expected);
    const duckdb = await DuckDBInstance.create();
    const connection = await duckdb.connect();
    const parquet = await connection.runAndReadAll(`select * from '${path("m.parquet")}'`);
    expect(parquet.getRowObjectsJson()).toEqual(expected);
    const csv = await connection.runAndReadAll(
      `select * replace (autoFollow::JSON as autoFollow) from read_csv('${path("m.csv")}', all_varchar = true)`,
    );
    expect(
      csv.getRowObjectsJson().map((row) => ({ ...row, autoFollow: JSON.parse(row.autoFollow as string) })),
    ).toEqual(expected);
    connection.closeSync();
    duckdb.closeSync();
    expect(readdirSync(folder.path).toSorted()).toEqual(["m.csv", "m.json", "m.parquet"]);
  });

  it("refuses other names, and a prompt", async () => {
    using folder = temporaryFolder();
    expect((await cli("sql", nodeA, statement, "-o", join(folder.path, "m.txt"))).status).toBe(2);
    expect((await cli("sql", nodeA, "-o", join(folder.path, "m.json"))).status).toBe(2);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe("the prompt of merostore sql", () => {
  it("reads statements of several lines, and commands with a dot", async () => {
    const { status, stdout, stderr } = await piped(
      ".tables\n.schema blobmeta\nselect 1\n  as one;\ncreate view v as select 2 as two;\nselect two from v",
      "sql",
      nodeA,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("ContextMeta ContextConfig ContextIdentity");
    expect(stdout).toContain("BlobMeta\n  blobId VARCHAR\n");
    expect(stdout).toContain("one\n  1\n");
    expect(stdout.endsWith("two\n  2\n")).toBe(true);
  });

  it("goes on after a mistake, and ends at .quit", async () => {
    const { status, stdout, stderr } = await piped(
      "select nope;\nselect 3 as three;\n.quit\nselect 4;\n",
      "sql",
      nodeA,
    );
    expect(status).toBe(2);
    expect(stdout).toBe("three\n    3\n");
    expect(stderr).toContain("nope");
  });
});

describe("merostore export --format parquet", () => {
  const copy = sharedCopy("core-0.11/node-a");

  it("writes a folder with a file for each kind", async () => {
    using folder = temporaryFolder();
    const out = join(folder.path, "parquet");
    const { status, stdout } = await cli("export", copy, "--format", "parquet", "-o", out);
    const kinds = new Set(fixtureRows("core-0.11/node-a").map(({ kind }) => kind ?? "UnknownRow"));
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(readdirSync(out).toSorted()).toEqual([...kinds].map((kind) => `${kind}.parquet`).toSorted());
    expect(statSync(out).mode & 0o777).toBe(0o700);
    expect((await cli("export", copy, "--format", "parquet", "-o", out)).status).toBe(2);
  });

  it("refuses options that are for text", async () => {
    using folder = temporaryFolder();
    const out = join(folder.path, "parquet");
    for (const words of [[], ["-o", out, "--gzip"], ["-o", out, "--column", "Group"]])
      expect((await cli("export", copy, "--format", "parquet", ...words)).status).toBe(2);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
