/** `recover` as it is typed. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Recovery, RecoveryFinding } from "../../../src/engines/index.js";
import { filesOf, flipBit, largestTable } from "../../support/files.js";
import { copyOfDatabase, fixturePath } from "../../support/fixtures.js";
import { folderOfEachTest } from "../../support/folder-of-each-test.js";
import { cli, intoPipe } from "../run.js";

const node = fixturePath("core-0.11/node-a", "db");

const folder = folderOfEachTest();

const at = (...names: readonly string[]) => join(folder.path, ...names);

describe("recover", () => {
  it("of an undamaged database loses nothing, and has the same rows", async () => {
    const { status, stdout, stderr } = await cli("recover", node, at("new"), "--report", at("report"));
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: "1,011 rows in 23 column families recovered; nothing is lost\n",
    });
    expect(stderr).toMatch(
      /^merostore: verify says of .*new: no errors, 3 warnings, \d+ infos; merostore verify .*new shows them\n$/,
    );
    expect((await intoPipe("diff", "--rows", "--json", node, at("new"))).status).toBe(0);
    const lines = readFileSync(at("report"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { rows: 1011, losses: 0, remarks: 0, lostBytes: 0 },
    ]);
    expect(readdirSync(folder.path).sort()).toEqual(["new", "report"]);
  });

  it("takes the home of a node whose database has no file CURRENT", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const home = at("my node");
    cpSync(copy.path, join(home, "data"), { recursive: true });
    cpSync(copy.path, at("my node.before-restore"), { recursive: true });
    mkdirSync(join(home, "blobs"));
    rmSync(join(home, "data/CURRENT"));
    const refused = await cli("status", home);
    expect(refused).toMatchObject({
      status: 3,
      stderr: `merostore: ${home}/data holds no RocksDB database: it has no file CURRENT; \`merostore recover DB NEW\` makes a new database of the rows in its other files\n`,
    });
    expect((await cli("recover", home, at("new"))).status).toBe(0);
    expect((await cli("diff", "--rows", node, at("new"))).stdout).toBe("equal: 1,011 rows\n");
  });

  it("names what is lost, changes nothing in the damaged folder, and keeps the rest", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const table = largestTable(copy.path);
    flipBit(join(copy.path, table), 100);
    rmSync(join(copy.path, "CURRENT"));
    const refused = await cli("scan", copy.path);
    expect(refused.status).toBe(3);
    expect(refused.stderr).toBe(
      `merostore: ${copy.path} holds no RocksDB database: it has no file CURRENT; \`merostore recover DB NEW\` makes a new database of the rows in its other files\n`,
    );
    const before = filesOf(copy.path);
    const { status, stdout, stderr } = await cli("recover", copy.path, at("new"), "--report", at("report"));
    expect(status).toBe(1);
    expect(stdout).toMatch(
      new RegExp(`^LOST +${table} +0 +[\\d,]+ +\\w+ .* a block of rows is left out`, "m"),
    );
    expect(stdout).toMatch(/^note +CURRENT .*is not there: MANIFEST-\d+ was taken/m);
    expect(stdout).toMatch(
      /\n[\d,]+ rows in 23 column families recovered; 1 loss, .* that could not be read\n$/,
    );
    expect(stderr).toMatch(/verify says of .*: \d+ errors/);
    expect(filesOf(copy.path)).toEqual(before);
    const lines = readFileSync(at("report"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const [lost] = lines.filter((line: RecoveryFinding) => line.lost) as RecoveryFinding[];
    expect(lost).toMatchObject({ file: table, offset: 0, firstKey: null });
    expect(lost?.lastKey).toMatch(/^[0-9a-f]+$/);
    expect(lines.at(-1)).toMatchObject({ rows: 1011 - (lost?.entries ?? 0), losses: 1, remarks: 1 });
  });

  it.each([
    ["core-0.10/node-a", /^(CURRENT|MANIFEST)/],
    ["core-0.10/node-a", /^(CURRENT|MANIFEST|OPTIONS)/],
    ["core-0.11/log", /^(CURRENT|MANIFEST)/],
    ["core-0.11/log", /^(CURRENT|MANIFEST|OPTIONS)/],
    ["core-0.11/every-kind-log", /^(CURRENT|MANIFEST|OPTIONS)/],
  ])(
    "finds the families of a log by their rows, and says that they are guessed: %s without %s",
    async (name, gone) => {
      using copy = copyOfDatabase(name);
      const rows = (path: string) => intoPipe("scan", path, "--json", "--reveal-secrets");
      const expected = (await rows(copy.path)).stdout;
      for (const file of readdirSync(copy.path)) if (gone.test(file)) rmSync(join(copy.path, file));
      const { status, stdout } = await cli("recover", copy.path, at("new"), "--json");
      const { columns, misplaced, losses } = JSON.parse(
        stdout.trimEnd().split("\n").at(-1) as string,
      ) as Recovery;
      expect(columns.filter(({ name, rows }) => rows > 0 && name === "none")).toEqual([]);
      expect((await rows(at("new"))).stdout).toBe(expected);
      expect(misplaced).toBeGreaterThan(0);
      expect([status, losses]).toEqual([1, 0]);
    },
  );

  it.each([/^MANIFEST/, /^(CURRENT|MANIFEST)/])(
    "does not say that nothing is lost where no MANIFEST tells it: without %s",
    async (gone) => {
      using copy = copyOfDatabase("core-0.11/node-a");
      for (const file of readdirSync(copy.path)) if (gone.test(file)) rmSync(join(copy.path, file));
      rmSync(join(copy.path, largestTable(copy.path))); // nothing can notice it
      const { status, stdout } = await cli("recover", copy.path, at("new"));
      expect(status).toBe(1);
      expect(stdout).toMatch(
        /recovered; no loss was found\nWithout a whole MANIFEST nothing tells whether a file is missing/,
      );
    },
  );

  it("without MANIFEST and OPTIONS is read as what it is, although families without rows are missing", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    for (const file of readdirSync(copy.path))
      if (/^(MANIFEST|OPTIONS)/.test(file)) rmSync(join(copy.path, file));
    const { stdout, stderr } = await cli("recover", copy.path, at("new"));
    expect(stdout).toMatch(/^1,011 rows in 17 column families recovered; no loss was found$/m);
    expect(stderr).toMatch(/verify says of .*: no errors/);
    const state = (path: string) => intoPipe("state", path, "lobby", "--json");
    expect((await state(at("new"))).stdout).toBe((await state(node)).stdout);
  });

  it("finds the family of a table that does not name it by its rows", async () => {
    using copy = copyOfDatabase("core-0.11/tables");
    const rows = (path: string) => intoPipe("scan", path, "--json", "--reveal-secrets");
    const expected = (await rows(copy.path)).stdout;
    for (const file of readdirSync(copy.path))
      if (/^(CURRENT|MANIFEST)/.test(file)) rmSync(join(copy.path, file));
    const table = largestTable(copy.path);
    const bytes = readFileSync(join(copy.path, table));
    expect(bytes.lastIndexOf("column.family")).toBeGreaterThan(0);
    flipBit(join(copy.path, table), bytes.lastIndexOf("column.family")); // its properties are damaged
    const { status, stdout } = await cli("recover", copy.path, at("new"), "--json");
    const { columns, misplaced } = JSON.parse(stdout.trimEnd().split("\n").at(-1) as string) as Recovery;
    expect(columns.filter(({ name, rows }) => rows > 0 && name !== "file")).toHaveLength(1);
    expect((await rows(at("new"))).stdout).toBe(expected);
    expect(misplaced).toBeGreaterThan(0);
    expect(status).toBe(1);
  });

  it("refuses what is no database, and places within the damaged one", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    mkdirSync(at("other"));
    writeFileSync(at("other", "text"), "text");
    const [none, other, within, report, exists] = await Promise.all([
      cli("recover", at("none"), at("new")),
      cli("recover", at("other"), at("new")),
      cli("recover", copy.path, join(copy.path, "new")),
      cli("recover", copy.path, at("new"), "--report", join(copy.path, "report")),
      cli("recover", node, copy.path),
    ]);
    expect([none?.status, other?.status, within?.status, report?.status, exists?.status]).toEqual([
      3, 3, 2, 2, 3,
    ]);
    expect(other?.stderr).toMatch(/holds no file of a database/);
    expect(within?.stderr).toMatch(/lies within/);
    expect(readdirSync(folder.path)).toEqual(["other"]);
    expect(readdirSync(copy.path)).not.toContain("report");
  });
});
