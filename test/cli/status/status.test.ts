/** Exit statuses, and errors: one line on stderr that names the cause and a remedy. */
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRocksEngine } from "../../../src/engines/rocksdb/index.js";
import { core010, documented } from "../../../src/schemas/index.js";
import { openStore } from "../../../src/store/index.js";
import { copyOfDatabase, fixtureRows, temporaryFolder } from "../../support/fixtures.js";
import { cli, expectRefusal, linesOf, type Outcome, sharedCopy } from "../run.js";

const db = sharedCopy("core-0.10/tables");
const put = (path: string) => ["put", path, "GroupAlias", `groupId=${"ab".repeat(32)}`, "--value", '"dev"'];

describe("status 2, wrong use", () => {
  const wrong: readonly (readonly [words: readonly string[], says: RegExp])[] = [
    [["scan"], /missing required argument 'db', and MEROSTORE_DB is not set; see merostore scan --help/],
    [["restore", db], /missing required argument 'db'; see merostore restore --help/],
    [
      ["blobs", db],
      /name a command before the database: merostore blobs list\|show.*; see merostore blobs --help/,
    ],
    [["scn", db], /unknown command 'scn'.*Did you mean scan\?.*; see merostore --help/],
    [["scan", db, "--limi", "1"], /unknown option '--limi'.*Did you mean --limit\?/],
    [["scan", db, "--limit", "-1"], /--limit.*whole number/],
    [["scan", db, "--limit", "1e3"], /--limit.*whole number/],
    [["scan", db, "--revision", "core-9"], /core-9.*documented, core-0\.10/],
    [["scan", db, "Member"], /no kind of row "Member"; did you mean GroupMember/],
    [
      ["scan", db, "GroupMember", "group=00"],
      /"group" is not a part of GroupMember.*: write groupId=ID identity=ID/,
    ],
    [
      ["scan", db, "GroupMember", "groupId"],
      /"groupId" without "=" is not a part of GroupMember: write parts as part=value: groupId=ID/,
    ],
    [
      ["scan", db, "GroupOpLog", `groupId=${"00".repeat(32)}`, "sequence=-1"],
      /sequence: expected a whole number/,
    ],
    [["scan", db, "Generic", "scope=nothing"], /scope: expected 16 bytes.*ssl_certs:server/],
    [["scan", db, "--column", "Nope"], /no column family "Nope"; it has .*Meta, Config/],
    [["scan", db, "--column", "Group", "GroupMember"], /either a KIND or a --column, not both/],
    [["scan", db, "--column", "Group", "--prefix", "2"], /--prefix: .*even number/],
    [["scan", db, "--column", "Group", "--from", "zz"], /--from: .*digits/],
    [["scan", db, "--column", "Group", "--from", "30", "--to", "20"], /--from is after --to/],
    [
      ["scan", db, "--column", "Group", "--prefix", "20", "--to", "30"],
      /--prefix cannot be used with --from or --to/,
    ],
    [["scan", db, "--prefix", "20"], /need a --column/],
    [["scan", db, "GroupMember", "--prefix", "20"], /need a --column/],
    [["show", db], /KIND part=value …, or by --column NAME --key HEX/],
    [["show", db, "--column", "Group"], /--column NAME --key HEX/],
    [["show", db, "GroupMeta", "--column", "Group"], /--column NAME --key HEX/],
    [["show", db, "--column", "Nope", "--key", "00"], /no column family "Nope"/],
    [["show", db, "--column", "Group", "--key", "0"], /--key: /],
    [["show", db, "GroupMember", `groupId=${"00".repeat(32)}`], /identity/],
    [["delete", db, "Nope"], /no kind of row "Nope"/],
    [["schema", "--revision", "core-9"], /core-9/],
  ];

  it("is reported in one line each", async () => {
    for (let start = 0; start < wrong.length; start += 4) {
      const some = wrong.slice(start, start + 4);
      const outcomes = await Promise.all(some.map(([words]) => cli(...words)));
      for (const [at, outcome] of outcomes.entries()) expectRefusal(outcome, 2, some[at]?.[1] as RegExp);
    }
  });
});

describe("status 3, the database cannot be opened or read", () => {
  it("for an absent path; nothing is created", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "none");
    const outcomes = await Promise.all([cli("status", "--rows", "--json", path), cli(...put(path))]);
    for (const outcome of outcomes) expectRefusal(outcome, 3, /the folder .*none does not exist$/m);
    expect(existsSync(path)).toBe(false);
  });

  it("for a folder without a database, a file, and a path below a file", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "file");
    writeFileSync(file, "text");
    const [empty, text, through] = (await Promise.all([
      cli("scan", "--json", folder.path),
      cli("scan", "--json", file),
      cli("scan", "--json", join(file, "db")),
    ])) as [Outcome, Outcome, Outcome];
    expectRefusal(empty, 3, /no RocksDB database: it has no file CURRENT/);
    expectRefusal(text, 3, /file is a file; a RocksDB database is the folder/);
    expectRefusal(through, 3, /file/);
    expect(readdirSync(folder.path)).toEqual(["file"]);
  });

  it("for writing while another process writes; reading goes on", async () => {
    using copy = copyOfDatabase("core-0.10/tables");
    await using _writer = await openRocksEngine(copy.path, { writable: true });
    const [write, read] = (await Promise.all([cli(...put(copy.path)), cli("scan", "--json", copy.path)])) as [
      Outcome,
      Outcome,
    ];
    expectRefusal(write, 3, /is locked by another process.*stop it before you write; reading works/);
    expect({ status: read.status, rows: linesOf(read.stdout).length }).toEqual({ status: 0, rows: 507 });
  });

  it("for a damaged table file", async () => {
    using copy = copyOfDatabase("core-0.10/tables");
    for (const file of readdirSync(copy.path).filter((name) => name.endsWith(".sst"))) {
      const bytes = readFileSync(join(copy.path, file));
      bytes.fill(0xaa, 0, bytes.length >> 1);
      writeFileSync(join(copy.path, file), bytes);
    }
    const { status, stderr } = await cli("scan", "--json", copy.path, "--revision", "core-0.10");
    expect(status).toBe(3);
    expect(stderr).toMatch(/^(merostore: .*\.sst.*\n)+$/);
  });

  it("for one damaged column family, and shows the rows of all others", async () => {
    using copy = copyOfDatabase("core-0.11/tables");
    const rows = fixtureRows("core-0.11/tables");
    const state = rows.find(({ column }) => column === "State")?.value.slice(0, 64) as string;
    for (const file of readdirSync(copy.path).filter((name) => name.endsWith(".sst"))) {
      const bytes = readFileSync(join(copy.path, file));
      const at = bytes.indexOf(Buffer.from(state, "hex"));
      if (at < 0) continue;
      bytes[at] = (bytes[at] as number) ^ 1;
      writeFileSync(join(copy.path, file), bytes);
    }
    const { status, stdout, stderr } = await cli("scan", copy.path, "--json");
    expect(status).toBe(3);
    expect(stderr).toMatch(/\.sst at byte \d+ is damaged/);
    const shown = linesOf(stdout).map((line) => (JSON.parse(line) as { column: string }).column);
    // The bytes that are damaged occur in deltas too.
    const damaged = [...stderr.matchAll(/reading (\w+) failed/g)].map(([, column]) => column as string);
    expect(damaged).toContain("State");
    const whole = rows.map(({ column }) => column).filter((column) => !damaged.includes(column));
    expect(whole.length).toBeGreaterThan(400);
    expect(shown.filter((column) => !damaged.includes(column))).toEqual(whole);
  });

  it("for a missing table file", async () => {
    using copy = copyOfDatabase("core-0.10/tables");
    const [table] = readdirSync(copy.path).filter((name) => name.endsWith(".sst"));
    truncateSync(join(copy.path, table as string), 0);
    expectRefusal(await cli("status", "--rows", "--json", copy.path), 3, /\.sst/);
  });

  it("for an empty database, unless --revision is given", async () => {
    using folder = temporaryFolder();
    const empty = join(folder.path, "empty");
    await (await openRocksEngine(empty, { create: true, columns: core010.columns })).close();
    const [ambiguous, named] = (await Promise.all([
      cli("scan", "--json", empty),
      cli("scan", "--json", empty, "--revision", "core-0.10"),
    ])) as [Outcome, Outcome];
    expectRefusal(
      ambiguous,
      3,
      /no rows.*documented, core-0\.10, core-0\.11 or core-1\.0 \(--revision NAME\)/,
    );
    expect(named).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});

describe("a write-ahead log that ends in damage", () => {
  it("is a warning when reading, and refused when writing until its loss is accepted", async () => {
    using copy = copyOfDatabase("core-0.10/log-and-tables");
    const logs = readdirSync(copy.path).filter((name) => name.endsWith(".log"));
    const log = join(copy.path, logs.at(-1) as string);
    const bytes = readFileSync(log);
    bytes[bytes.length - 10] = (bytes.at(-10) as number) ^ 0xff;
    writeFileSync(log, bytes);
    const read = await cli("scan", "--json", copy.path);
    expect(read.status).toBe(0);
    expect(read.stderr).toMatch(/^merostore: .*\.log.*\n$/);
    expectRefusal(await cli(...put(copy.path)), 3, /on the command line: --accept-log-loss/);
    expect((await cli(...put(copy.path), "--accept-log-loss")).status).toBe(0);
    expect((await cli("scan", "--json", copy.path)).stderr).toBe("");
  });
});

describe("missing write-ahead logs", () => {
  it("are refused when reading and when writing, until their loss is accepted", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    for (const name of readdirSync(copy.path)) if (name.endsWith(".log")) rmSync(join(copy.path, name));
    for (const words of [
      ["status", "--rows", copy.path],
      ["diff", "--rows", copy.path, copy.path],
      ["verify", copy.path],
    ])
      expectRefusal(await cli(...words), 3, /LOG_MISSING: .* are missing.*--accept-log-loss/);
    const read = await cli("status", "--rows", copy.path, "--accept-log-loss");
    expect(read.status).toBe(0);
    expect(read.stderr).toMatch(/^merostore: write-ahead logs of .* are missing, .*\n$/);
    expectRefusal(await cli(...put(copy.path)), 3, /LOG_MISSING/);
  });
});

it("writes into an empty database when its revision is named", async () => {
  using folder = temporaryFolder();
  await (await openStore(folder.path, { create: true, schema: documented })).close();
  expect((await cli(...put(folder.path))).status).toBe(3);
  expect((await cli(...put(folder.path), "--revision", "documented")).status).toBe(0);
  expect(linesOf((await cli("scan", "--json", folder.path, "--revision", "documented")).stdout)).toHaveLength(
    1,
  );
});
