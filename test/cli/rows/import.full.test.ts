/** `import` as it is typed. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { openRocksEngine } from "../../../src/engines/index.js";
import { core010 } from "../../../src/schemas/index.js";
import { filesOf } from "../../support/files.js";
import { copyOfDatabase, distinct, fixturePath } from "../../support/fixtures.js";
import { folderOfEachTest } from "../../support/folder-of-each-test.js";
import { deleteIdentities, exportText, makeDatabase, rowsAt } from "../../support/transfer.js";
import { cli, exitOf, expectRefusal, intoPipe, linesOf, type Outcome, start, textOf } from "../run.js";
import { LARGE_ROWS, largeDatabase } from "./large.js";

const node = fixturePath("core-0.10/node-b", "db");
const large = largeDatabase();

const folder = folderOfEachTest();

const at = (...names: readonly string[]) => join(folder.path, ...names);

describe("export, import and diff", () => {
  it.each(distinct)("$name comes back without a difference, packed and not", async ({ name, rows }) => {
    const path = fixturePath(name, "db");
    for (const [file, words] of [
      [at("export.ndjson"), []],
      [at("export.gz"), ["--gzip"]],
    ] as const) {
      const back = `${file}.db`;
      expect((await intoPipe("export", path, "--reveal-secrets", "-o", file, ...words)).status).toBe(0);
      const imported = await intoPipe("import", file, back);
      const count = rows.toLocaleString("en");
      expect(imported).toEqual({
        status: 0,
        stdout: "",
        stderr: `merostore: ${count} rows imported into ${back}\n`,
      });
      for (const sides of [
        [path, back],
        [file, back],
        [path, file],
      ]) {
        const { status, stdout } = await intoPipe("diff", "--rows", "--json", ...sides);
        expect({ status, summary: JSON.parse(stdout) as unknown }).toMatchObject({
          status: 0,
          summary: { summary: { a: rows, b: rows, different: 0, withoutValue: 0 } },
        });
      }
    }
  });
});

describe("import", () => {
  it("makes a database that RocksDB opens for writing, and leaves nothing else", async () => {
    writeFileSync(at("export"), await exportText(node));
    expect((await cli("import", at("export"), at("db"))).status).toBe(0);
    expect(readdirSync(folder.path).sort()).toEqual(["db", "export"]);
    await using engine = await openRocksEngine(at("db"), { writable: true });
    expect(engine.warnings).toEqual([]);
    await engine.write([{ type: "put", column: "Meta", key: Uint8Array.of(1), value: Uint8Array.of(2) }]);
  });

  it("makes a database that only its owner opens, whatever the umask is", async () => {
    writeFileSync(at("export"), await exportText(node));
    const before = process.umask(0);
    try {
      expect((await cli("import", at("export"), at("db"))).status).toBe(0);
    } finally {
      process.umask(before);
    }
    expect(statSync(at("db")).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(at("db"))) expect(statSync(at("db", name)).mode & 0o777, name).toBe(0o600);
  });

  it("refuses a path within a database, also through links", async () => {
    writeFileSync(at("export"), await exportText(node));
    using copy = copyOfDatabase("core-0.10/node-b");
    const before = readdirSync(copy.path);
    symlinkSync(copy.path, at("link"));
    for (const place of [join(copy.path, "new"), at("link", "not", "yet", "there")])
      expectRefusal(
        await cli("import", at("export"), place),
        2,
        /lies within the database .*: choose a path/,
      );
    expect(readdirSync(copy.path)).toEqual(before);
  });

  it("refuses a folder that holds a database", async () => {
    writeFileSync(at("export"), await exportText(node));
    mkdirSync(at("here"));
    const before = process.cwd();
    try {
      process.chdir(at("here"));
      expect((await intoPipe("import", "../export", ".")).status).toBe(0);
    } finally {
      process.chdir(before);
    }
    expect(await rowsAt(at("here"))).toHaveLength(371);
  });

  it("reports that an export is part of a database, and what it omitted", async () => {
    await intoPipe("export", node, "--column", "Group", "Meta", "-o", at("part"));
    expectRefusal(
      await cli("import", at("part"), at("db")),
      3,
      /made without secrets.*--reveal-secrets.*--without-secrets/,
    );
    const { status, stderr } = await cli("import", at("part"), at("db"), "--without-secrets");
    expect(status).toBe(0);
    expect(stderr).toMatch(/rows imported into .*\n.*[1-9]\d* rows left out.*\n.*only part of a database/);
    const added = await cli(
      "import",
      at("part"),
      at("db"),
      "--without-secrets",
      "--into-existing",
      "--revision",
      "core-0.10",
    );
    expect(added.stderr).toMatch(/rows imported into .*\n.*rows left out.*\n$/);
  });

  it("checks the rows against a revision that is named", async () => {
    writeFileSync(at("export"), (await exportText(node)).replace('"core-0.10"', '"core-0.10.7"'));
    expectRefusal(await cli("import", at("export"), at("db")), 3, /revision "core-0\.10\.7".*--revision/);
    expectRefusal(
      await cli("import", at("export"), at("db"), "--revision", "documented"),
      3,
      /line \d+: .*documented/,
    );
    expect((await cli("import", at("export"), at("db"), "--revision", "core-0.10")).status).toBe(0);
  });

  it("refuses a file that is not an export, and names its kind", async () => {
    const text = await exportText(node);
    writeFileSync(at("cut"), text.slice(0, 5000));
    writeFileSync(at("cut.gz"), gzipSync(text).subarray(0, 5000));
    writeFileSync(at("spoilt.gz"), gzipSync(text).fill(0, 5000, 5100));
    writeFileSync(at("empty"), "");
    const rows = fixturePath("core-0.10/node-b", "rows.jsonl");
    const wrong: readonly (readonly [string, number, RegExp])[] = [
      [at("cut"), 3, /line \d+ has no end: the file was truncated/],
      [at("cut.gz"), 3, /cut\.gz: it cannot be unpacked: unexpected end of file/],
      [at("spoilt.gz"), 3, /spoilt\.gz: (it cannot be unpacked|line \d+)/],
      [at("empty"), 3, /the file is empty, so it is not an export/],
      [rows, 3, /line 1: this is not an export of merostore/],
      [join(node, "CURRENT"), 3, /line 1: this is not (a )?JSON/],
      [at("none"), 3, /the file .*none does not exist$/m],
      [node, 2, /db is a folder: name the file/],
      ["/dev/null", 2, /\/dev\/null is not a file: write its output/],
    ];
    const outcomes = await Promise.all(wrong.map(([file], index) => cli("import", file, at(`db-${index}`))));
    for (const [index, [, status, says]] of wrong.entries())
      expectRefusal(outcomes[index] as Outcome, status, says);
    expect(readdirSync(folder.path).sort()).toEqual(["cut", "cut.gz", "empty", "spoilt.gz"]);
  });

  it("refuses a path that is in use", async () => {
    writeFileSync(at("export"), await exportText(node));
    mkdirSync(at("used"));
    writeFileSync(at("used", "notes"), "text");
    await makeDatabase(at("db"), core010.columns, []);
    expectRefusal(
      await cli("import", at("export"), at("db")),
      3,
      /db already holds a database: choose another path/,
    );
    expectRefusal(await cli("import", at("export"), at("used")), 3, /empty folder: .*used is neither/);
    expectRefusal(await cli("import", at("export"), at("export")), 3, /empty folder: .*export is neither/);
    symlinkSync(at("nowhere"), at("link"));
    expectRefusal(await cli("import", at("export"), at("link")), 3, /empty folder: .*link is neither/);
    rmSync(at("link"));
    expectRefusal(
      await cli("import", at("export"), at("none"), "--into-existing"),
      3,
      /the folder .* does not exist/,
    );
    expect(readdirSync(folder.path).sort()).toEqual(["db", "export", "used"]);
    expect(await rowsAt(at("db"))).toEqual([]);
  });
});

describe("import --into-existing", () => {
  it("counts with --dry-run what it would write, and changes no file", async () => {
    writeFileSync(at("all"), await exportText(node));
    using copy = copyOfDatabase("core-0.10/node-b");
    const words = ["import", at("all"), copy.path, "--dry-run"];
    expect((await cli(...words)).status).toBe(2);
    await using changed = await openRocksEngine(copy.path, { writable: true });
    const keys: Uint8Array[] = [];
    for await (const { key } of changed.scan("Group")) keys.push(key);
    const [gone, other] = keys as [Uint8Array, Uint8Array];
    await changed.write([
      { type: "delete", column: "Group", key: gone },
      { type: "put", column: "Group", key: other, value: Uint8Array.of(1) },
    ]);
    await changed.close();
    const before = filesOf(copy.path);
    const { status, stdout, stderr } = await cli(...words, "--into-existing");
    expect([status, stderr]).toEqual([0, "merostore: nothing was written: this was a --dry-run\n"]);
    expect(linesOf(stdout)[0]).toMatch(/new +different +same$/);
    expect(stdout).toMatch(new RegExp(`^Group +1 +1 +${keys.length - 2}$`, "m"));
    expect(stdout).toMatch(/^Meta +0 +0 +1$/m);
    expect(filesOf(copy.path)).toEqual(before);
  });

  it("is written by the engine that is named", async () => {
    writeFileSync(at("all"), await exportText(node));
    using copy = copyOfDatabase("core-0.11/node-a-compressed");
    const into = ["import", at("all"), copy.path, "--into-existing", "--revision", "core-0.10"];
    const byRocksDB = await cli(...into, "--engine", "rocksdb");
    expect([byRocksDB.status, byRocksDB.stderr]).toEqual([3, expect.stringContaining("is compressed with")]);
    expectRefusal(
      await cli(...into, "--new-engine", "files"),
      2,
      /--engine\) chooses how an existing one is written/,
    );
    expectRefusal(
      await cli("import", at("all"), at("new"), "--node-is-stopped"),
      2,
      /are for an existing database/,
    );
  });

  it("adds rows, but not rows of another revision unless it is named", async () => {
    using copy = copyOfDatabase("core-0.10/node-b");
    await intoPipe("export", fixturePath("core-0.10/node-a", "db"), "--reveal-secrets", "-o", at("a"));
    await intoPipe("export", fixturePath("core-0.11/node-b", "db"), "--reveal-secrets", "-o", at("newer"));
    expectRefusal(
      await cli("import", at("newer"), copy.path, "--into-existing"),
      2,
      /a database of core-0\.10, and the export is of core-0\.11.*--revision/,
    );
    await deleteIdentities(copy.path);
    expect(await cli("import", at("a"), copy.path, "--into-existing")).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("495 rows imported"),
    });
    const { status, stdout } = await cli(
      "diff",
      "--rows",
      "--json",
      fixturePath("core-0.10/node-a", "db"),
      copy.path,
    );
    expect(status).toBe(1);
    expect(JSON.parse(linesOf(stdout).at(-1) as string)).toMatchObject({
      summary: { onlyInA: 0, different: 0 },
    });
  });

  it("refuses while the node runs, and a log that ends in damage until its loss is accepted", async () => {
    writeFileSync(at("export"), await exportText(node));
    using copy = copyOfDatabase("core-0.10/node-b");
    {
      await using _node = await openRocksEngine(copy.path, { writable: true });
      expectRefusal(
        await cli("import", at("export"), copy.path, "--into-existing"),
        3,
        /is locked by another process/,
      );
    }
    using cut = copyOfDatabase("core-0.10/node-b");
    const [log] = readdirSync(cut.path).filter((name) => name.endsWith(".log")) as [string];
    writeFileSync(join(cut.path, log), readFileSync(join(cut.path, log)).subarray(0, -10));
    const words = ["import", at("export"), cut.path, "--into-existing"];
    expectRefusal(await cli(...words), 3, /--accept-log-loss/);
    expect((await cli(...words, "--accept-log-loss")).status).toBe(0);
    expect(await rowsAt(cut.path)).toEqual(await rowsAt(node));
  });
});

describe("an import that ends before its end", () => {
  const file = join(large.folder, "large.ndjson");
  const target = () => join(large.folder, "target");
  const making = () => readdirSync(large.folder).filter((name) => name.startsWith(".target.importing-"));

  beforeAll(async () => {
    const words = ["export", large.path, "--reveal-secrets", "--revision", "core-0.10", "-o", file];
    expect((await cli(...words)).status).toBe(0);
  });

  /** Starts to import the large export and waits until rows are being written. */
  async function begun() {
    const before = making();
    const child = start(["import", file, target()]);
    const stderr = textOf(child.stderr);
    while (making().every((name) => before.includes(name))) await new Promise(setImmediate);
    return { child, stderr };
  }

  it("by Ctrl-C leaves nothing", async () => {
    const { child, stderr } = await begun();
    child.kill("SIGINT");
    expect(await exitOf(child)).toBe(130);
    expect(await stderr).not.toMatch(/error|imported/);
    expect(making()).toEqual([]);
    expect(existsSync(target())).toBe(false);
  });

  it("by SIGKILL is removed by the next import, but not the work of a running one", async () => {
    const killed = await begun();
    killed.child.kill("SIGKILL");
    await exitOf(killed.child);
    const left = making();
    expect(left).toHaveLength(1);

    const running = await begun();
    running.child.kill("SIGSTOP");
    const made = making();
    expect(made).toHaveLength(1);
    expect(made).not.toEqual(left);
    writeFileSync(at("cut"), "{");
    expect((await cli("import", at("cut"), target())).status).toBe(3);
    expect(making()).toEqual(made);

    running.child.kill("SIGCONT");
    running.child.kill("SIGINT");
    expect(await exitOf(running.child)).toBe(130);
    expect(making()).toEqual([]);
  });

  it("by SIGKILL leaves no database, and can be repeated", async () => {
    const { child } = await begun();
    child.kill("SIGKILL");
    expect(await exitOf(child)).toBeNull();
    expect(existsSync(target())).toBe(false);
    const again = await cli("import", file, target());
    expect(again).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`${LARGE_ROWS.toLocaleString("en")} rows`),
    });
    expect(making()).toEqual([]);
    expect(
      (await cli("diff", "--rows", "--json", large.path, target(), "--revision", "core-0.10")).status,
    ).toBe(0);
  });
});
