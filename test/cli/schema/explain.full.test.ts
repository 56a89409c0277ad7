import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { databases, type FixtureRow, fixtureRows } from "../../support/fixtures.js";
import { cli, expectRefusal, intoPipe, linesOf } from "../run.js";

interface Explained {
  readonly title: string;
  readonly size: number;
  readonly fields: readonly {
    readonly offset: number;
    readonly size: number;
    readonly depth: number;
    readonly name: string;
    readonly type: string;
    readonly value?: unknown;
    readonly bytes?: string;
  }[];
  readonly stopped?: { readonly offset: number; readonly reason: string };
  readonly canonical?: boolean;
}

const rows = fixtureRows("core-0.10/tables");
const rowOf = (kind: string) => rows.find((row) => row.kind === kind) as FixtureRow;

async function explained(...words: readonly string[]) {
  const revision = words.includes("--revision") ? [] : ["--revision", "core-0.10"];
  const { status, stdout } = await intoPipe("explain", "--json", ...words, ...revision);
  return { status, all: linesOf(stdout).map((line) => JSON.parse(line) as Explained) };
}

describe("explain of a row", () => {
  for (const { name, schema } of databases.filter(({ name }) => name.endsWith("/tables"))) {
    it(`accounts for every byte of every row of ${name}`, async () => {
      for (const row of fixtureRows(name).filter(({ kind }) => kind !== null)) {
        const words = [row.column, row.key, row.value, "--revision", schema.name, "--reveal-secrets"];
        const { status, all } = await explained(...words);
        const [key, value] = all as [Explained, Explained];
        expect(status).toBe(0);
        expect(key.title).toBe(`Key of ${row.column}: ${row.kind}`);
        const canonical = schema.row(row.kind as string).value.canonical(fromHex(row.value));
        expect(value).toMatchObject({ size: row.value.length / 2, canonical });
        for (const [{ fields }, hex] of [
          [key, row.key],
          [value, row.value],
        ] as const) {
          const leaves = fields.filter(({ bytes }) => bytes !== undefined);
          expect(leaves.map(({ bytes }) => bytes).join(""), row.key).toBe(leaves.length > 0 ? hex : "");
          for (const { offset, bytes = "" } of leaves)
            expect(hex.slice(2 * offset)).toMatch(new RegExp(`^${bytes}`));
        }
      }
    });
  }

  it("shows a key alone, its prefix by the kind's name", async () => {
    const { key, parts } = rowOf("GroupOpLog");
    const { status, all } = await explained("Group", key);
    expect(status).toBe(0);
    expect(all).toHaveLength(1);
    expect(all[0]?.fields).toMatchObject([
      { offset: 0, size: 1, name: "prefix", value: "GroupOpLog", bytes: "30" },
      { offset: 1, size: 32, name: "groupId", type: "b32", value: parts?.groupId },
      { offset: 33, size: 8, name: "sequence", type: "u64BE", value: parts?.sequence },
    ]);
  });

  it("lists the kinds if no kind has the key", async () => {
    const { status, all } = await explained("Group", "20abcd");
    expect(status).toBe(1);
    expect(all[0]).toMatchObject({
      title: "Key of Group: unknown",
      stopped: {
        offset: 0,
        reason: "no kind of row has this key; the kinds are GroupMeta 33 bytes after 0x20",
      },
    });
  });
});

describe("explain of a value", () => {
  it("shows nested values below the field that holds them", async () => {
    const { status, stdout } = await cli(
      "explain",
      "--type",
      "UpgradePolicy",
      "02013c0000000000000000000000",
    );
    expect(status).toBe(0);
    expect(stdout).toBe(
      [
        "Value: UpgradePolicy of core-0.10, 14 bytes",
        "  offset  size  field     type       value        bytes",
        "       0     1  kind      tag        Coordinated  02",
        "       1    13  deadline  Duration?               01",
        "       2     8    secs    u64        60           3c00000000000000",
        "      10     4    nanos   u32        0            00000000",
        "",
      ].join("\n"),
    );
  });

  it("reports where a truncated value stops and why, at every length", async () => {
    const { column, key, value } = rowOf("GroupMeta");
    for (let length = 0; length < value.length; length += 2) {
      const { status, all } = await explained(column, key, value.slice(0, length));
      expect(status).toBe(1);
      expect(all[1]?.stopped?.offset).toBeLessThanOrEqual(length / 2);
      expect(all[1]?.stopped?.reason).toMatch(/^\w+(\.\w+)*: expected .+, found .+$/);
      expect(all[1]?.fields.at(-1)).toMatchObject({ name: all[1]?.stopped?.reason.split(/[.:]/)[0] });
    }
  });

  it("keeps the depth of the fields that it stopped in", async () => {
    const { all } = await explained("--type", "UpgradePolicy", "02013c00000000000000");
    expect(all[0]?.fields.map(({ name, depth }) => [name, depth])).toEqual([
      ["kind", 0],
      ["deadline", 0],
      ["secs", 1],
      ["nanos", 1],
    ]);
    expect(all[0]?.stopped).toEqual({ offset: 10, reason: "deadline.nanos: expected 4 more bytes, found 0" });
  });

  it("names the bytes that are too many", async () => {
    const { column, key, value } = rowOf("GroupMeta");
    const { status, all } = await explained(column, key, `${value}0000`);
    expect(status).toBe(1);
    expect(all[1]?.stopped).toEqual({
      offset: value.length / 2,
      reason: expect.stringMatching(/^expected the end, found 2 more$/),
    });
  });

  it("reports bytes that a node would not write", async () => {
    const zeros = await cli("explain", "--type", "HybridTimestamp", "00".repeat(24));
    expect(zeros.status).toBe(0);
    expect(zeros.stdout).toMatch(/ {2}id +u128 +1 /);
    expect(zeros.stdout).toContain("not canonical");
    const one = new Uint8Array(24);
    one[8] = 1;
    expect((await explained("--type", "HybridTimestamp", toHex(one))).all[0]?.canonical).toBe(true);
  });

  it("hides secrets, and shows them on request", async () => {
    const row = rows.find(
      ({ kind, value }) => kind === "ContextIdentity" && value.length === 132,
    ) as FixtureRow;
    const hidden = await cli("explain", row.column, row.key, row.value);
    expect(hidden.stdout).toMatch(/privateKey +b32\? +redacted +33 secret bytes/);
    expect(hidden.stdout).not.toContain(row.value.slice(2, 18));
    const { all } = await explained(row.column, row.key, row.value, "--reveal-secrets");
    expect(all[1]?.fields[0]).toMatchObject({ name: "privateKey", bytes: row.value.slice(0, 66) });
  });

  it("treats a value of Generic as secret if its key is not given", async () => {
    const { all } = await explained("--type", "Generic", "0102030405060708");
    expect(all[0]?.fields).toMatchObject([{ value: "redacted" }]);
    expect(JSON.stringify(all)).not.toContain("010203");
  });
});

it("refuses wrong words with status 2 and one line", async () => {
  const wrong: readonly (readonly [words: readonly string[], says: RegExp])[] = [
    [[], /explain COLUMN KEYHEX/],
    [["Group"], /explain COLUMN KEYHEX/],
    [["Group", "20", "00", "00"], /explain COLUMN KEYHEX/],
    [["Groups", "20"], /no column family "Groups"; it has Meta, /],
    [["Group", "2"], /KEYHEX: .*even number/],
    [["Group", rowOf("GroupMeta").key, "xy"], /VALUEHEX: /],
    [["--type", "GroupMet", "00"], /no type "GroupMet"; did you mean .*GroupMetaValue/],
    [["--type", "GroupMetaValue"], /explain --type NAME HEX/],
    [["--type", "GroupMetaValue", "0g"], /HEX: /],
    [["--type", "GroupMetaValue", "00", "--revision", "core-9"], /core-9.*documented, core-0.10/],
  ];
  const outcomes = await Promise.all(wrong.map(([words]) => cli("explain", ...words)));
  for (const [at, outcome] of outcomes.entries()) expectRefusal(outcome, 2, wrong[at]?.[1] as RegExp);
});
