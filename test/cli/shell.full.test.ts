/** The command line at a shell: finding the database, text in a pipe, colours, the pager. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";
import { linesOf, onTerminal, played } from "./run.js";

const bin = fileURLToPath(new URL("../../bin/merostore.js", import.meta.url));
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const home = join(folder.path, "node");
cpSync(fixturePath("core-0.11/node-a", "db"), join(home, "data"), { recursive: true });
mkdirSync(join(home, "blobs"));

function run(words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { FORCE_COLOR: _, MEROSTORE_DB: __, ...rest } = process.env;
  const { stdout, stderr, status } = spawnSync(process.execPath, [bin, ...words], {
    cwd: folder.path,
    encoding: "utf8",
    env: { ...rest, ...env },
  });
  return { stdout, stderr, status };
}

describe("the database", () => {
  it("is the data folder of a node's home, and status names the blobs", () => {
    const { stdout, status } = run(["status", "--rows", "node"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^database {2}node\/data\nblobs {5}node\/blobs\n/);
  });

  it("is suggested where a path is near one", () => {
    expect(run(["status", "--rows", "node/dat"]).stderr).toMatch(/did you mean node\/data\?\n$/);
    expect(run(["status", "--rows", "node/blobs"]).stderr).toMatch(/did you mean node\/data\?\n$/);
    expect(run(["scan", "."]).stderr).toMatch(/did you mean node\/data\?\n$/);
    expect(run(["scan", "node/data/CURRENT"]).stderr).toMatch(/did you mean node\/data\?\n$/);
    expect(run(["scan", "nodes"]).stderr).toMatch(/did you mean node\/data\?\n$/);
    expect(run(["scan", "elsewhere"]).stderr).toMatch(/elsewhere does not exist\n$/);
  });

  it("is that of MEROSTORE_DB where the words name none", () => {
    const env = { MEROSTORE_DB: "node/data" };
    const named = run(["scan", "node/data", "Alias"]);
    expect(named.stdout).not.toBe("");
    expect(run(["scan", "Alias"], env)).toEqual(named);
    expect(run(["scan", "node/data", "Alias"], { MEROSTORE_DB: "elsewhere" })).toEqual(named);
    expect(run(["status", "--rows"], env).stdout).toBe(run(["status", "--rows", "node"]).stdout);
    expect(run(["scan", "nodes/data", "Alias"], env).stderr).toContain(
      "the folder nodes/data does not exist",
    );
    expect(run(["scan", "Alas"], env).stderr).toContain("did you mean Alias");
    expect(run(["scan"]).stderr).toContain("MEROSTORE_DB is not set");
    // The meaning of each word.
    expect(run(["find", "data/x"], env).stderr).toBe(
      "merostore: missing required argument 'text': 'data/x' was taken as the database because it has a slash; MEROSTORE_DB was not used; see merostore find --help\n",
    );
    expect(run(["find", "no/db", "x"], env).stderr).toMatch(
      /the folder no\/db does not exist.*; "no\/db" was taken as the database because it has a slash; MEROSTORE_DB was not used\n$/,
    );
    expect(run(["scan", "nod", "x=1"], env).stderr).toMatch(
      /; the database is that of MEROSTORE_DB, node\/data: "nod" was taken as kind\n$/,
    );
  });
});

describe("unknown names", () => {
  it.each([
    [["scan", "node", "GroupMembr"], /did you mean GroupMember, \w+ or \w+\?/],
    [["scan", "node", "GroupMember", "grupId=1"], /did you mean groupId\?/],
    [["scan", "node", "--column", "Gruop"], /did you mean Group\?/],
    [["scna", "node"], /Did you mean scan\?/],
  ])("%j: the nearest are suggested", (words, says) => {
    const { status, stderr } = run(words);
    expect(status).toBe(2);
    expect(stderr).toMatch(says);
    expect(stderr.length).toBeLessThan(200);
  });
});

describe("output", () => {
  it("is text in a pipe, with whole ids and lines, and without colours", () => {
    const { stdout } = run(["scan", "node", "GroupMember", "--limit", "2"]);
    for (const line of linesOf(stdout))
      expect(line).toMatch(
        /^GroupMember {2}groupId=[0-9a-f]{64} {2}account=[0-9a-f]{64} {2}\{role: \w+, .*\}$/,
      );
  });

  it("has no colours in tables for programs", () => {
    for (const form of ["csv", "name"])
      expect(run(["members", "node", "office", "-o", form], { FORCE_COLOR: "1" }).stdout).not.toContain(
        "\u001b",
      );
  });

  it("has colours where FORCE_COLOR asks for them", () => {
    const words = ["scan", "node", "GroupMember", "--limit", "1"];
    const plain = run(words).stdout;
    const forced = run(words, { FORCE_COLOR: "1", NO_COLOR: "" }).stdout;
    expect(forced).toContain("\x1b[");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escapes of colours
    expect(forced.replaceAll(/\x1b\[\d+m/g, "")).toBe(plain);
  });

  it("shows dates in the local time or in UTC, sizes and texts; JSON keeps numbers", () => {
    const words = ["scan", "node", "GroupKeyEntry", "--limit", "1"];
    const json = firstLine(run([...words, "--json"]).stdout) as { decoded: { createdAt: string } };
    const date = new Date(Number(json.decoded.createdAt) * 1000).toISOString();
    const utc = `${date.slice(0, 10)} ${date.slice(11, 19)} UTC`;
    expect(run([...words, "--utc"]).stdout).toContain(`createdAt: ${utc}`);
    const there = run(words, { TZ: "Asia/Kolkata" }).stdout;
    expect(there).toMatch(/createdAt: \S+ \S+ \+05:30/);
    expect(run(["scan", "node", "BlobMeta"]).stdout).toMatch(/\{size: \d+ kB, /);
    expect(run(["scan", "node", "SortedIndex"]).stdout).toMatch(/orderKey="s\d+" \([0-9a-f]+\)/);
    expect(run(["scan", "node", "Alias"]).stdout).toMatch(
      /^Alias {2}aliasKind=context {2}scope=none {2}name=/m,
    );
    const get = ["show", "node", "Alias", "aliasKind=context", "scope=none", "name=lobby", "--json"];
    expect(run(get)).toMatchObject({ status: 0 });
  });

  it.each([60, 80, 120, 200])("fits %i columns", async (columns) => {
    const db = join(home, "data");
    const all = [
      ["status", db, "--rows"],
      ["scan", db],
      ["status", db],
      ["show", db, "ContextMeta", await contextOf(db)],
    ];
    for (const words of all) {
      const { stdout, status } = await played(columns, ...words);
      expect(status).toBe(0);
      const [next] = stdout.includes("\nnext\n") ? [stdout.indexOf("\nnext\n")] : [stdout.length];
      for (const line of linesOf(stdout.slice(0, next))) expect(line.length).toBeLessThanOrEqual(columns);
    }
    for (const line of linesOf((await played(columns, "schema")).stdout))
      expect(line.length).toBeLessThanOrEqual(columns);
  });
});

/** The first of several lines of JSON. */
function firstLine(stdout: string): unknown {
  return JSON.parse(stdout.split("\n", 1)[0] ?? "");
}

async function contextOf(db: string): Promise<string> {
  const { stdout } = await onTerminal("scan", db, "ContextMeta", "--limit", "1", "--json");
  const { parts } = firstLine(stdout) as { parts: { contextId: string } };
  return `contextId=${parts.contextId}`;
}

/** Runs a command on a terminal of its own. */
function onPty(words: readonly string[], env: NodeJS.ProcessEnv): string {
  const line = [process.execPath, bin, ...words].map((word) => `'${word}'`).join(" ");
  const { stdout } = spawnSync("script", ["-qec", `stty rows 20 cols 100; ${line}`, "/dev/null"], {
    cwd: folder.path,
    encoding: "utf8",
    env: { PATH: process.env.PATH, TERM: "xterm", ...env },
  });
  return stdout.replaceAll("\r", "");
}

const hasPty = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

describe.runIf(hasPty)("on a terminal", () => {
  const pager = { PAGER: "sed -e 's/^/| /'" };

  it("long output goes through the pager", () => {
    const lines = linesOf(onPty(["scan", "node", "ContextState"], pager));
    expect(lines.length).toBeGreaterThan(400);
    for (const line of lines) expect(line.startsWith("| ")).toBe(true);
  });

  it("short output does not, nor with --no-pager", () => {
    expect(onPty(["scan", "node", "Alias", "--limit", "2"], pager)).not.toContain("| ");
    expect(onPty(["--no-pager", "scan", "node", "ContextState", "--limit", "50"], pager)).not.toContain("| ");
    expect(onPty(["scan", "node", "ContextState", "--no-pager", "--limit", "50"], pager)).not.toContain("| ");
  });

  it("leaving the pager early ends the command without a word", () => {
    expect(linesOf(onPty(["scan", "node"], { PAGER: "head -n 3" }))).toHaveLength(3);
  });

  it("has colours unless NO_COLOR is set", () => {
    const words = ["scan", "node", "Alias", "--limit", "1"];
    expect(onPty(words, {})).toContain("\x1b[");
    expect(onPty(words, { NO_COLOR: "1" })).not.toContain("\x1b[");
  });
});
