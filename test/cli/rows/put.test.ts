import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import type { Codec, Json } from "../../../src/codec/index.js";
import {
  Alias,
  GroupAlias,
  GroupChildIndex,
  GroupDefaultCaps,
  GroupMember010,
  noScope,
} from "../../../src/keys/index.js";
import { core010, core011 } from "../../../src/schemas/index.js";
import { openStore } from "../../../src/store/index.js";
import { filesOf } from "../../support/files.js";
import { copyOfDatabase, type FixtureRow, fixturePath, fixtureRows } from "../../support/fixtures.js";
import { cli, expectRefusal, intoPipe, linesOf, played, rowsOf, wordsOf } from "../run.js";

const name = "core-0.10/log-and-tables";
const rows = fixtureRows(name);
const group = "ab".repeat(32);
const other = "cd".repeat(32);

async function bytesAt(path: string, key: GroupAlias | GroupChildIndex | GroupDefaultCaps | GroupMember010) {
  await using store = await openStore(path, { schema: core010 });
  const value = await store.raw.get(key.COLUMN, key.bytes);
  return value && toHex(value);
}

describe("put", () => {
  it("writes the JSON form of a value as the bytes that Rust writes", async () => {
    using copy = copyOfDatabase(name);
    const put = await cli(
      "put",
      copy.path,
      "GroupDefaultCaps",
      `groupId=${group}`,
      "--value",
      '{"capabilities":4}',
    );
    expect(put).toEqual({
      status: 0,
      stdout: expect.stringContaining(
        `\nundo: merostore delete ${copy.path} GroupDefaultCaps groupId=${group} --force\n`,
      ),
      stderr: "merostore: wrote GroupDefaultCaps, a value of 4 bytes\n",
    });
    expect(await bytesAt(copy.path, new GroupDefaultCaps({ groupId: fromHex(group) }))).toBe("04000000");
    const [row] = rowsOf(await cli("show", "--json", copy.path, "GroupDefaultCaps", `groupId=${group}`));
    expect(row).toMatchObject({ value: "04000000", decoded: { capabilities: 4 } });
  });

  it.each(["put", "delete"])(
    "%s refuses a revision that the database has not, and changes no file",
    async (word) => {
      using copy = copyOfDatabase(name);
      const before = filesOf(copy.path);
      const value = word === "put" ? ["--value", '{"capabilities":4}'] : [];
      const key = ["GroupDefaultCaps", `groupId=${group}`];
      const refused = await cli(word, copy.path, ...key, ...value, "--revision", "core-0.11");
      expect(refused).toMatchObject({ status: 2, stdout: "" });
      expect(refused.stderr).toMatch(/is not of core-0\.11, but core-0\.10: .*leave out the revision/);
      expect(filesOf(copy.path)).toEqual(before);
    },
  );
  it("refuses an alias that the node cannot read, however its value is given", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const before = filesOf(copy.path);
    for (const name of ["bäume", "a b", ""])
      for (const value of [
        ["--value", `"${group}"`],
        ["--value-hex", group],
      ]) {
        const words = ["Alias", "aliasKind=context", "scope=none", `name=${name}`, ...value];
        const put = await cli("put", copy.path, ...words);
        expect([put.status, put.stderr]).toEqual([2, expect.stringContaining("ASCII letters, digits")]);
      }
    expect(filesOf(copy.path)).toEqual(before);
    await using store = await openStore(copy.path, { schema: core011, writable: true });
    const alias = new Alias({ aliasKind: 1, scope: noScope, name: "bäume" });
    const refused = expect.objectContaining({ code: "INVALID_KEY" });
    await expect(async () => store.put(alias, fromHex(group))).rejects.toThrow(refused);
    expect(() => store.batch().put(alias, fromHex(group))).toThrow(refused);
    expect(() => store.overlay().put(alias, fromHex(group))).toThrow(refused);
  });

  it("refuses values that the node cannot parse, however they are given", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const before = filesOf(copy.path);
    const row = fixtureRows("core-0.11/node-a").find(({ kind }) => kind === "ApplicationMeta") as FixtureRow;
    const decoded = { ...(row.decoded as object), source: "apps/chat.wasm" } as Json;
    const value: Codec<unknown> = core011.type("ApplicationMeta");
    const hex = toHex(value.encode(value.fromJson(decoded)));
    const sync = ["Generic", "scope=sync-in-progres", `fragment=${group}`, "--value-hex", "00"];
    for (const [words, expected] of [
      [[...wordsOf(row), "--value", JSON.stringify(decoded)], "a source that is a URL"],
      [[...wordsOf(row), "--value-hex", hex], "a source that is a URL"],
      [sync, "32 bytes"],
    ] as const) {
      const put = await cli("put", copy.path, ...words);
      expect([put.status, put.stderr]).toEqual([2, expect.stringContaining(expected)]);
    }
    expect(filesOf(copy.path)).toEqual(before);
  });

  it("builds payloads and index rows of the state from their JSON form", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const all = fixtureRows("core-0.11/node-a");
    const index = all.find(({ column, decoded }) => column === "State" && typeof decoded === "object");
    for (const row of [
      index,
      ...["GroupOpLog", "ContextDagDelta", "NamespaceGovOp", "ScopeUnifiedOp"].map(kindOf),
    ]) {
      const { kind, decoded, value, column, key } = row as FixtureRow;
      const put = await cli(
        "put",
        copy.path,
        ...wordsOf(row as FixtureRow),
        "--value",
        JSON.stringify(decoded),
      );
      expect(put, kind ?? "").toMatchObject({ status: 0 });
      const [read] = rowsOf(await cli("show", "--json", copy.path, "--column", column, "--key", key));
      expect(read).toMatchObject({ value, decoded });
    }
    function kindOf(kind: string): FixtureRow | undefined {
      return all.find((row) => row.kind === kind);
    }
  });

  it("writes bare texts, and null for a row without a value", async () => {
    using copy = copyOfDatabase(name);
    await cli("put", copy.path, "GroupAlias", `groupId=${group}`, "--value", '"staging"');
    const words = ["GroupChildIndex", `parentGroupId=${group}`, `childGroupId=${other}`];
    const unit = await cli("put", copy.path, ...words, "--value", "null");
    expect(unit.status).toBe(0);
    const child = new GroupChildIndex({ parentGroupId: fromHex(group), childGroupId: fromHex(other) });
    expect(await bytesAt(copy.path, new GroupAlias({ groupId: fromHex(group) }))).toBe(
      "0700000073746167696e67",
    );
    expect(await bytesAt(copy.path, child)).toBe("");
  });

  it("writes bytes that decode unchanged, also bytes that a node would write differently", async () => {
    using copy = copyOfDatabase(name);
    const delta = rows.find(({ kind }) => kind === "ContextDagDelta") as FixtureRow;
    const { time, id } = (delta.decoded as { hlc: { time: string; id: string } }).hlc;
    const hlc = (clock: bigint) => {
      const bytes = new Uint8Array(24);
      const view = new DataView(bytes.buffer);
      view.setBigUint64(0, BigInt(time), true);
      view.setBigUint64(8, clock & 0xffff_ffff_ffff_ffffn, true);
      view.setBigUint64(16, clock >> 64n, true);
      return toHex(bytes);
    };
    const value = delta.value.replace(hlc(BigInt(id)), hlc(0n));
    expect(value).not.toBe(delta.value);
    const put = await cli("put", copy.path, ...wordsOf(delta), "--value-hex", value.toUpperCase());
    expect(put.status).toBe(0);
    expect(put.stderr).toContain("would write it as other bytes");
    const [row] = rowsOf(await cli("show", "--json", copy.path, ...wordsOf(delta)));
    expect(row).toMatchObject({ value, decoded: { hlc: { time, id: "1" } } });
  });

  it("accepts the output of get", async () => {
    using copy = copyOfDatabase(name);
    for (const kind of ["GroupUpgradeKey", "ContextIdentity"]) {
      const row = rows.find((row) => row.kind === kind) as FixtureRow;
      const [found] = rowsOf(
        await intoPipe("show", "--json", copy.path, ...wordsOf(row), "--reveal-secrets"),
      );
      await cli("delete", copy.path, ...wordsOf(row));
      await cli("put", copy.path, ...wordsOf(row), "--value", JSON.stringify(found?.decoded));
      expect(
        rowsOf(await intoPipe("show", "--json", copy.path, ...wordsOf(row), "--reveal-secrets")),
      ).toEqual([found]);
      expect(found?.value).toBe(row.value);
    }
  });

  it("refuses invalid input without changing a file", async () => {
    using copy = copyOfDatabase(name);
    const before = filesOf(copy.path);
    const caps = ["GroupDefaultCaps", `groupId=${group}`];
    const wrong: readonly (readonly [words: readonly string[], says: RegExp])[] = [
      [caps, /--value JSON or as --value-hex/],
      [[...caps, "--value", "1", "--value-hex", "01000000"], /--value JSON or as --value-hex/],
      [[...caps, "--value", "{capabilities:4}"], /--value is not JSON/],
      [[...caps, "--value", "04000000"], /--value is not JSON.*; bytes in hex: --value-hex$/m],
      [[...caps, "--value", '"04000000"'], /expected .*; bytes in hex: --value-hex$/m],
      [[...caps, "--value", '{"capabilities":1,"capab\\u0069lities":4}'], /--value has the field .* twice/],
      [[...caps, "--value", "{}"], /capabilities: expected u32/],
      [[...caps, "--value", '{"capabilities":-1}'], /capabilities: expected/],
      [[...caps, "--value", '{"capabilities":4,"more":1}'], /more/],
      [[...caps, "--value-hex", "0400"], /expected 4 more bytes, found 2/],
      [[...caps, "--value-hex", "0400000000"], /expected the end/],
      [[...caps, "--value-hex", "0x04"], /--value-hex: hex text/],
      [
        ["GroupDefaultCap", `groupId=${group}`, "--value", "1"],
        /no kind of row "GroupDefaultCap"; did you mean GroupDefaultCaps,/,
      ],
      [["GroupDefaultCaps", "--value", '{"capabilities":4}'], /groupId/],
      [
        ["GroupDefaultCaps", `group=${group}`, "--value", "1"],
        /not a part of GroupDefaultCaps.*: write groupId=ID/,
      ],
      [[...caps, `groupId=${group}`, "--value", '{"capabilities":4}'], /groupId is given twice/],
      [
        ["GroupChildIndex", `parentGroupId=${group}`, `childGroupId=${other}`, "--value", "{}"],
        /expected null/,
      ],
    ];
    const outcomes = await Promise.all(wrong.map(([words]) => cli("put", copy.path, ...words)));
    for (const [at, outcome] of outcomes.entries()) expectRefusal(outcome, 2, wrong[at]?.[1] as RegExp);
    expectRefusal(
      await cli("put", copy.path, "GroupDefaultCaps", "groupId=ab", "--value", '{"capabilities":4}'),
      1,
      /groupId: no namespace or group in the database has the name or id/,
    );
    expect(filesOf(copy.path)).toEqual(before);
  });

  it("keeps all other rows", async () => {
    using copy = copyOfDatabase(name);
    await cli("put", copy.path, "GroupAlias", `groupId=${group}`, "--value", '"staging"');
    const after = rowsOf(await intoPipe("scan", "--json", copy.path, "--reveal-secrets"));
    const added = toHex(new GroupAlias({ groupId: fromHex(group) }).bytes);
    expect(after.filter(({ key }) => key !== added).map(({ key, value }) => [key, value])).toEqual(
      rows.map(({ key, value }) => [key, value]),
    );
    expect(after).toHaveLength(rows.length + 1);
  });
});

describe("delete", () => {
  it("deletes one row, and has status 1 if the row is absent", async () => {
    using copy = copyOfDatabase(name);
    const member = rows.find(({ kind }) => kind === "GroupMember") as FixtureRow;
    const first = await cli("delete", copy.path, ...wordsOf(member), "--force");
    const second = await cli("delete", copy.path, ...wordsOf(member));
    expect(first).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^merostore: GroupMember follows .*\nmerostore: deleted GroupMember\n$/),
    });
    expect(second).toEqual({ status: 1, stdout: "", stderr: "merostore: no such row in Group\n" });
    const { groupId, identity } = member.parts as { groupId: string; identity: string };
    const key = new GroupMember010({ groupId: fromHex(groupId), identity: fromHex(identity) });
    expect(await bytesAt(copy.path, key)).toBeUndefined();
    expect(rowsOf(await intoPipe("scan", "--json", copy.path))).toHaveLength(rows.length - 1);
  });

  it("refuses an incomplete key without changing a file", async () => {
    using copy = copyOfDatabase(name);
    const before = filesOf(copy.path);
    const { status, stderr } = await cli("delete", copy.path, "GroupMember", `groupId=${group}`);
    expect(status).toBe(2);
    expect(stderr).toMatch(/identity.*groupId=ID identity=ID\n$/);
    expect(filesOf(copy.path)).toEqual(before);
  });
});

it("reading commands do not change any file", async () => {
  using copy = copyOfDatabase(name);
  const before = filesOf(copy.path);
  for (const command of ["scan", "status"]) expect((await intoPipe(command, copy.path)).status).toBe(0);
  expect(filesOf(copy.path)).toEqual(before);
});

describe("put into a row that follows from signed operations", () => {
  const member = "38ec74070851ead4ac9ee8efcb1f510b9d993452eec922c3a8a677c5a57d4774";
  const [asMember, asAdmin] = ["0100000100", "0000000100"];
  const put = (path: string, account: string, value: string, ...options: readonly string[]) =>
    cli("put", path, "GroupMember", "groupId=office", `account=${account}`, "--value-hex", value, ...options);

  it("names the operation, and writes with --force alone; what operations lead to needs none", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const before = filesOf(copy.path);
    const refused = await put(copy.path, member, asAdmin);
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    const says =
      "merostore: GroupMember follows from signed operations, and MemberJoinedAt (operation 1d439c1b) set it otherwise: role; other nodes do not get this change";
    expect(refused.stderr).toBe(`${says}. To write it anyway: --force\n`);
    const dry = await put(copy.path, member, asAdmin, "--dry-run");
    expect(dry).toMatchObject({ status: 2, stdout: expect.stringContaining("would change") });
    expect(linesOf(dry.stderr)[0]).toBe(`${says}. Without --force it will be refused`);
    const stranger = await put(copy.path, group, asMember);
    expect([stranger.status, stranger.stderr]).toEqual([
      2,
      expect.stringContaining("and no operation makes such a row"),
    ]);
    expect(filesOf(copy.path)).toEqual(before);
    const forced = await put(copy.path, member, asAdmin, "--force");
    expect([forced.status, linesOf(forced.stderr)[0]]).toEqual([0, says]);
    expect(forced.stdout).toMatch(/^undo: merostore put .* --force --value /m);
    expect((await put(copy.path, member, asMember)).stderr).toBe(
      "merostore: wrote GroupMember, a value of 5 bytes\n",
    );
  });
});

describe("names inside a value", () => {
  const lobby = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
  const application = "f634f3c774c539b08ce48066d947397b0683a19126e08f7cff8f38b3fe8b18e8";
  const path = fixturePath("core-0.11/node-a", "db");
  const dry = (...words: readonly string[]) => played(0, "put", path, ...words, "--dry-run", "--json");
  const valueAfter = ({ stdout }: { readonly stdout: string }): unknown =>
    (JSON.parse(stdout) as { readonly after: { readonly decoded: unknown } }).after.decoded;

  it("stand for ids, as the first digits of ids do", async () => {
    for (const text of ["lobby", "b875f1c0", "main"])
      expect(
        valueAfter(
          await dry("Alias", "aliasKind=context", "scope=none", "name=x", "--value", JSON.stringify(text)),
        ),
      ).toBe(lobby);
    const meta = {
      appKey: "5286d9f4",
      targetApplicationId: "kv_store.wasm",
      createdAt: "1",
      adminIdentity: "this node",
      ownerIdentity: "38ec7407",
      migration: null,
      autoJoin: true,
    };
    expect(
      valueAfter(await dry("GroupMeta", "groupId=office", "--value", JSON.stringify(meta))),
    ).toMatchObject({
      appKey: "5286d9f41ddb5a090cb470a3fd2a739389e1cd11cfa9fbc7285cee6fa0cfd4fb",
      targetApplicationId: application,
      adminIdentity: "de2a2d2033c99ec1fb2c35d355963cff50bc699a347bf3b9acf54b7f4d689033",
      ownerIdentity: "38ec74070851ead4ac9ee8efcb1f510b9d993452eec922c3a8a677c5a57d4774",
    });
    const head = JSON.stringify({ sequence: "1", dagHeads: ["c30b7f57"] });
    expect(valueAfter(await dry("NamespaceGovHead", "namespaceId=office", "--value", head))).toMatchObject({
      dagHeads: [expect.stringMatching(/^c30b7f57[0-9a-f]{56}$/)],
    });
  });

  it("are refused where nothing has them, and in secrets, without the text", async () => {
    const unknown = await dry(
      "Alias",
      "aliasKind=context",
      "scope=none",
      "name=x",
      "--value",
      '"nothing-so"',
    );
    expect(unknown).toMatchObject({ status: 2, stdout: "" });
    expect(unknown.stderr).toContain("no context has the text there as its name");
    expect(unknown.stderr).not.toContain("nothing-so");
    const secret = JSON.stringify({ groupKey: "office", createdAt: "1", epoch: "0" });
    const refused = await dry(
      "GroupKeyEntry",
      "groupId=office",
      `keyId=${"ab".repeat(32)}`,
      "--value",
      secret,
    );
    expect(refused).toMatchObject({ status: 2, stdout: "" });
  });
});
