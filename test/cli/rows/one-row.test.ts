import { describe, expect, it } from "vitest";
import { toBase58 } from "../../../src/bytes/base58.js";
import { fromHex } from "../../../src/bytes/hex.js";
import { copyOfDatabase, type FixtureRow, fixtureRows } from "../../support/fixtures.js";
import { cli, intoPipe, onTerminal, rowsOf, sharedCopy, wordsOf } from "../run.js";

const name = "core-0.10/log-and-tables";
const db = sharedCopy(name);
const rows = fixtureRows(name);
const rowOf = (kind: string) => rows.find((row) => row.kind === kind) as FixtureRow;

describe("show", () => {
  it("finds the first row of every kind by its parts and by its bytes", async () => {
    for (const kind of new Set(rows.map((row) => row.kind as string))) {
      const row = rowOf(kind);
      const byParts = await intoPipe("show", "--json", db, ...wordsOf(row), "--reveal-secrets");
      const byBytes = await intoPipe(
        "show",
        "--json",
        db,
        "--column",
        row.column,
        "--key",
        row.key,
        "--reveal-secrets",
      );
      expect(byParts.status, kind).toBe(0);
      expect(rowsOf(byParts)[0], kind).toMatchObject({
        kind,
        key: row.key,
        parts: row.parts,
        value: row.value,
      });
      expect(byBytes).toEqual(byParts);
    }
  });

  it("reads ids in base58 and prints them so on request", async () => {
    const row = rowOf("GroupMember");
    const { groupId, identity } = row.parts as { groupId: string; identity: string };
    const ids = [groupId, identity].map((id) => toBase58(fromHex(id)));
    const words = [`groupId=${ids[0]}`, `identity=${ids[1]}`];
    const [found] = rowsOf(await cli("show", "--json", db, "GroupMember", ...words, "--base58"));
    expect(found).toMatchObject({ key: row.key, parts: { groupId: ids[0], identity: ids[1] } });
  });

  it("has status 1 and no output for an absent row", async () => {
    const outcome = await cli("show", "--json", db, "GroupMeta", `groupId=${"00".repeat(32)}`);
    expect(outcome).toEqual({ status: 1, stdout: "", stderr: "merostore: no such row in Group\n" });
    const bytes = await cli("show", "--json", db, "--column", "Group", "--key", "");
    expect(bytes.status).toBe(1);
  });

  it("redacts secrets and omits the value that holds them", async () => {
    const row = rows.find(
      ({ kind, value }) => kind === "ContextIdentity" && value.length === 132,
    ) as FixtureRow;
    const [found] = rowsOf(await cli("show", "--json", db, ...wordsOf(row)));
    expect(found).toEqual({
      column: "Identity",
      kind: "ContextIdentity",
      key: row.key,
      parts: row.parts,
      decoded: { privateKey: "redacted", senderKey: "redacted" },
    });
  });

  it("has status 3 for a value that does not decode, and shows the row", async () => {
    const outcome = await cli(
      "show",
      "--json",
      db,
      ...wordsOf(rowOf("GroupMeta")),
      "--revision",
      "documented",
    );
    expect(outcome.status).toBe(3);
    expect(outcome.stderr).toMatch(/^merostore: GroupMetaValue.*expected .*found .*\n$/);
    expect(rowsOf(outcome)[0]).toMatchObject({
      kind: "GroupMeta",
      error: expect.stringContaining("expected"),
    });
    expect(rowsOf(outcome)[0]).not.toHaveProperty("value");
  });

  it("finds rows of no known kind", async () => {
    using copy = copyOfDatabase("documented/tables");
    const unknown = fixtureRows("documented/tables").find(({ kind }) => kind === null) as FixtureRow;
    const words = ["show", copy.path, "--json", "--column", unknown.column, "--key", unknown.key];
    const [hidden, shown] = await Promise.all([cli(...words), cli(...words, "--reveal-secrets")]);
    const { value, ...rest } = unknown;
    expect(rowsOf(hidden)).toEqual([rest]);
    expect(rowsOf(shown)).toEqual([{ ...rest, value }]);
  });

  it("shows a row with whole ids in aligned columns on a terminal", async () => {
    const row = rowOf("GroupMember");
    const { stdout } = await onTerminal("show", db, ...wordsOf(row));
    expect(stdout).toBe(
      [
        "GroupMember in Group",
        `  groupId     ${row.parts?.groupId}`,
        `  identity    ${row.parts?.identity}`,
        "",
        "  role        Member",
        "  privateKey  null",
        "  senderKey   null",
        "",
      ].join("\n"),
    );
  });
});
