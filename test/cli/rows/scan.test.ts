import { describe, expect, it } from "vitest";
import { toBase58 } from "../../../src/bytes/base58.js";
import { fromHex } from "../../../src/bytes/hex.js";
import { visible } from "../../../src/bytes/visible.js";
import {
  copyOfDatabase,
  distinct,
  type FixtureRow,
  fixtureLines,
  fixtureRows,
} from "../../support/fixtures.js";
import { cli, linesOf, onTerminal, rowsOf, sharedCopy } from "../run.js";

const name = "core-0.10/log-and-tables";
const db = sharedCopy(name);
const rows = fixtureRows(name);
const members = rows.filter(({ kind }) => kind === "GroupMember");
const group = (members[0] as FixtureRow).parts?.groupId as string;
const ofGroup = members.filter(({ parts }) => parts?.groupId === group);

const keysOf = (of: readonly { readonly key: string }[]) => of.map(({ key }) => key);

describe("scan of a whole database", () => {
  for (const database of distinct) {
    it(`prints every row of ${database.name} in the form of its rows.jsonl`, async () => {
      using copy = copyOfDatabase(database.name);
      const { status, stdout, stderr } = await cli("scan", copy.path, "--json", "--reveal-secrets");
      const expected = fixtureLines(database.name).map(visible);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(linesOf(stdout)).toEqual(expected);
      expect(expected).toHaveLength(database.rows);
    });
  }

  it("reverses the rows of each column family with --reverse", async () => {
    const columns = [...new Set(rows.map(({ column }) => column))];
    const expected = columns.flatMap((column) => rows.filter((row) => row.column === column).reverse());
    expect(keysOf(rowsOf(await cli("scan", "--json", db, "--reverse")))).toEqual(keysOf(expected));
  });

  it("stops at --limit, across column families", async () => {
    const [twelve, none] = await Promise.all([
      cli("scan", "--json", db, "--limit", "12"),
      cli("scan", "--json", db, "--limit", "0"),
    ]);
    expect(keysOf(rowsOf(twelve).slice(0, -1))).toEqual(keysOf(rows.slice(0, 12)));
    expect(none).toEqual({ status: 0, stdout: '{"$more":true}\n', stderr: "" });
  });
});

describe("scan of a kind", () => {
  it("takes leading parts in hex and in base58", async () => {
    const [all, hex, base58] = await Promise.all([
      cli("scan", "--json", db, "GroupMember"),
      cli("scan", "--json", db, "GroupMember", `groupId=${group}`),
      cli("scan", "--json", db, "GroupMember", `groupId=${toBase58(fromHex(group))}`),
    ]);
    expect(keysOf(rowsOf(all))).toEqual(keysOf(members));
    expect(keysOf(rowsOf(hex))).toEqual(keysOf(ofGroup));
    expect(base58.stdout).toBe(hex.stdout);
    expect(ofGroup.length).toBeLessThan(members.length);
  });

  it("refuses a part whose leading parts are missing, and names the order", async () => {
    const { status, stderr, stdout } = await cli("scan", "--json", db, "GroupMember", `identity=${group}`);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/give groupId too.*groupId=ID identity=ID\n$/);
  });

  it("returns the last rows with --reverse --limit", async () => {
    const log = rows.filter(({ kind }) => kind === "GroupOpLog");
    const outcome = await cli("scan", "--json", db, "GroupOpLog", "--reverse", "--limit", "3");
    expect(keysOf(rowsOf(outcome).slice(0, 3))).toEqual(keysOf(log.slice(-3).reverse()));
  });

  it("counts only rows of the kind, not other rows between them", async () => {
    using copy = copyOfDatabase("documented/tables");
    const meta = fixtureRows("documented/tables").filter(({ kind }) => kind === "ContextMeta");
    const outcome = await cli("scan", "--json", copy.path, "ContextMeta", "--limit", "11");
    expect(keysOf(rowsOf(outcome).slice(0, 11))).toEqual(keysOf(meta.slice(0, 11)));
  });

  it("omits values with --keys-only", async () => {
    const [first] = rowsOf(await cli("scan", "--json", db, "GroupMember", "--keys-only", "--limit", "1"));
    expect(Object.keys(first ?? {})).toEqual(["column", "kind", "key", "parts"]);
  });

  it("shows ids as base58 with --base58, and the key still as hex", async () => {
    const [first] = rowsOf(await cli("scan", "--json", db, "GroupMember", "--base58", "--limit", "1"));
    expect(first?.parts?.groupId).toBe(toBase58(fromHex(group)));
    expect(first?.key).toBe(members[0]?.key);
  });
});

describe("scan of a column family", () => {
  it("refuses one that is not there, also with an id", async () => {
    for (const words of [[], ["--group", group]]) {
      const { status, stderr } = await cli("scan", db, "--column", "Nope", ...words);
      expect([status, stderr]).toEqual([2, expect.stringMatching(/^merostore: .*no column family "Nope"/)]);
    }
  });

  const inGroup = rows.filter(({ column }) => column === "Group");

  it("takes a prefix", async () => {
    const outcome = await cli(
      "scan",
      "--json",
      db,
      "--column",
      "Group",
      "--prefix",
      `21${group}`,
      "--keys-only",
    );
    expect(keysOf(rowsOf(outcome))).toEqual(keysOf(ofGroup));
  });

  it("takes a first key and an exclusive end", async () => {
    const [from, to] = [inGroup[10]?.key as string, inGroup[20]?.key as string];
    const [both, open] = await Promise.all([
      cli("scan", "--json", db, "--column", "Group", "--from", from, "--to", to),
      cli("scan", "--json", db, "--column", "Group", "--from", to.toUpperCase(), "--reverse"),
    ]);
    expect(keysOf(rowsOf(both))).toEqual(keysOf(inGroup.slice(10, 20)));
    expect(keysOf(rowsOf(open))).toEqual(keysOf(inGroup.slice(20).reverse()));
  });
});

it("scans the rows whose key no kind has", async () => {
  using copy = copyOfDatabase("documented/tables");
  const all = rowsOf(await cli("scan", copy.path, "--json"));
  const unknown = all.filter(({ kind }) => kind === null);
  expect(unknown.length).toBeGreaterThan(0);
  expect(unknown.length).toBeLessThan(all.length);
  expect(rowsOf(await cli("scan", copy.path, "UnknownRow", "--json"))).toEqual(unknown);
  const limited = await cli("scan", copy.path, "UnknownRow", "--json", "--limit", "1");
  expect(rowsOf(limited)[0]).toEqual(unknown[0]);
  const withPart = await cli("scan", copy.path, "UnknownRow", "groupId=1");
  expect(withPart).toMatchObject({ status: 2, stderr: expect.stringContaining("has no parts") });
});

describe("scan on a terminal", () => {
  it("aligns rows of a kind, cuts ids and fits the width", async () => {
    const lines = linesOf((await onTerminal("scan", db, "GroupOpLog")).stdout);
    expect(lines).toHaveLength(51);
    expect(new Set(lines.map((line) => line.indexOf("sequence="))).size).toBe(1);
    for (const line of lines) {
      expect(line).toMatch(/^GroupOpLog {2}groupId=[0-9a-f]{8}… {2}sequence=\d+ +\{op: \{kind: /);
    }
    for (const line of linesOf((await onTerminal("scan", db)).stdout))
      expect(line.length).toBeLessThanOrEqual(120);
  });

  it("cuts base58 ids too", async () => {
    const { stdout } = await onTerminal("scan", db, "GroupMember", "--base58");
    for (const line of linesOf(stdout)) expect(line).toMatch(/groupId=\w{8}… {2}identity=\w{8}… {2}\{role: /);
  });

  it("reports hidden rows, and shows no value with --keys-only", async () => {
    using copy = copyOfDatabase("documented/tables");
    const { stdout } = await onTerminal("scan", copy.path, "--column", "Meta");
    expect(stdout).toMatch(/^Meta \(unknown\) {2}key [0-9a-f]{8}… \(14 bytes\) {2}redacted$/m);
    const keys = await onTerminal("scan", copy.path, "--column", "Meta", "--keys-only");
    expect(keys.stdout).not.toContain("redacted");
  });

  it("prints NDJSON with --json", async () => {
    const [screen, pipe] = await Promise.all([onTerminal("scan", db, "--json"), cli("scan", "--json", db)]);
    expect(screen.stdout).toBe(pipe.stdout);
  });
});
