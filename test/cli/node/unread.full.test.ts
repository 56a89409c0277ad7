/** Rows that do not decode and damaged tables: answers name what they do not know, and never call it absent. */
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { concat } from "../../../src/bytes/concat.js";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { readStoredTables } from "../../../src/engines/index.js";
import { CalimeroNode, openNode } from "../../../src/node/index.js";
import type { AnyRow } from "../../../src/schemas/schema.js";
import { readReplay } from "../../../src/state/index.js";
import { openStore } from "../../../src/store/index.js";
import { flipBit } from "../../support/files.js";
import { copyOfDatabase, fixturePath } from "../../support/fixtures.js";
import { timeless } from "../../support/transfer.js";
import { cli, linesOf } from "../run.js";

const whole = fixturePath("core-0.11/node-a", "db");
const other = fixturePath("core-0.11/node-b", "db");

const MONEY = "57f93142761aef328270caa5cae4ea868d36d60b3a01458df75008c10cd9c03e";
const MEMBER = "38ec74070851ead4ac9ee8efcb1f510b9d993452eec922c3a8a677c5a57d4774";
const PRIVATE = "321161a6684de1003629590eb6043bc6bffda5423c9cb4c4436f3f4fce172450";
const BLOB = "2d4f6c236f5fe3c2cab1eca6dae5585c240d1d8bd6bb4eb8a5938e0a83a3a716";
const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

/** Verdicts that report something wrong. */
const WRONG = /^(?:diverged|unexplained|repaired|delta-lost)$/;

/** Copies node-a, and cuts the value of a row of a kind whose key has an id, by default its last byte. */
async function withCut(
  kind:
    | "BlobMeta"
    | "ContextMeta"
    | "GroupMember"
    | "GroupMeta"
    | "ContextDagDelta"
    | "NamespaceGovOp"
    | "GroupOpLog",
  id: string,
  cut = (bytes: Uint8Array): Uint8Array => bytes.slice(0, -1),
) {
  const copy = copyOfDatabase("core-0.11/node-a");
  await using store = await openStore(copy.path, { writable: true });
  let rows = 0;
  for await (const { key, bytes } of store.table(kind).scan()) {
    if (!toHex(key.bytes).includes(id)) continue;
    rows++;
    const value = cut(bytes);
    await store.raw.write([{ type: "put", column: key.COLUMN, key: key.bytes.slice(), value }]);
  }
  expect(rows).toBe(1);
  return copy;
}

/** Copies node-a, and changes a byte in the table of a column family. */
async function withDamage(column: string, share: number) {
  const copy = copyOfDatabase("core-0.11/node-a");
  const table = (await readStoredTables(copy.path)).find((one) => one.column === column);
  const file = join(copy.path, table?.file ?? "");
  flipBit(file, { share });
  expect(readdirSync(copy.path)).toContain(table?.file);
  return copy;
}

/** The objects that a command prints with `--json`. Expects the status, and the remark on stderr. */
async function json(words: readonly string[], status: number, remark: RegExp) {
  const found = await cli(...words, "--json");
  expect({ words, status: found.status }).toEqual({ words, status });
  expect(found.stderr).toMatch(remark);
  return linesOf(found.stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The context on both nodes if the first one does not know its root hash, and the second one is undamaged. */
async function halfKnown(context: string) {
  await using node = await openNode(whole);
  const { rootHash, heads } = (await node.context(context)) ?? {};
  expect(rootHash).toMatch(/^[0-9a-f]{64}$/);
  return {
    context,
    equal: null,
    nodes: [
      { rootHash: null, pending: null },
      { rootHash, heads, pending: 0 },
    ],
  };
}

describe("a row of GroupMember that does not decode", () => {
  const remark = /1 row of GroupMember does not decode/;
  const cut = () => withCut("GroupMember", MONEY + MEMBER);

  it("is a member with an unknown role, of whom no right is refused or granted", async () => {
    using copy = await cut();
    const members = await json(["members", copy.path, MONEY], 3, remark);
    expect(members.map(({ id, role }) => [id, role])).toContainEqual([MEMBER, "unknown"]);
    expect(members).toHaveLength(2);
    for (const action of ["write", "add-member", "remove-member"]) {
      const [answer] = await json(["why-not", copy.path, MEMBER, action, MONEY], 3, remark);
      expect(answer).toMatchObject({ allowed: null });
    }
    const [page] = await json(["show", copy.path, MEMBER], 3, remark);
    expect(JSON.stringify(page)).toContain('"unknown"');
  });

  it("leaves the number of members open", async () => {
    using copy = await cut();
    const groups = await json(["groups", copy.path], 3, remark);
    for (const { id, members } of groups) expect(members === null).toBe(id === MONEY);
    expect((await cli("groups", copy.path)).stdout).toContain("? members");
    expect((await cli("status", copy.path)).stdout).toMatch(/Money.* unknown /);
  });

  it("leaves the verdict on its group open, and on no other", async () => {
    using copy = await cut();
    const found = await json(["why", copy.path, other], 3, remark);
    expect(found.flatMap((one) => (one.verdict === "unknown" ? [one.group] : []))).toEqual([MONEY]);
    expect(found.filter(({ verdict }) => WRONG.test(`${verdict}`))).toEqual([]);
  });
});

it("a group whose row does not decode is not called deleted", async () => {
  using copy = await withCut("GroupMeta", MONEY);
  const remark = /1 row of GroupMeta does not decode/;
  const groups = await json(["groups", copy.path], 3, remark);
  expect(groups.find(({ id }) => id === MONEY)).toMatchObject({ exists: true, isUnread: true, members: 2 });
  const { stdout } = await cli("groups", copy.path);
  expect(stdout).not.toContain("deleted");
  const [owner] = await json(["why-not", copy.path, MEMBER, "transfer-ownership", MONEY], 3, remark);
  expect(owner).toMatchObject({ allowed: null });
});

it("a context whose row does not decode is not called unjoined", async () => {
  using copy = await withCut("ContextMeta", PRIVATE);
  const remark = /1 row of ContextMeta does not decode/;
  const contexts = await json(["contexts", copy.path], 3, remark);
  expect(contexts.find(({ id }) => id === PRIVATE)).toMatchObject({
    isUnread: true,
    application: null,
    deltas: 3,
  });
  expect((await cli("contexts", copy.path)).stdout).not.toContain("not joined");
  expect((await cli("migration", copy.path)).stdout).not.toContain("never joined");
  const hashes = await json(["hash", copy.path, whole], 3, remark);
  expect(hashes[0]).toMatchObject(await halfKnown(PRIVATE));
  expect((await cli("hash", copy.path, whole)).stdout).toMatch(
    /^the nodes are not known to differ: a root hash of 1 of/,
  );
  await json(["stuck", copy.path], 3, remark);
  const [difference] = await json(
    ["diff", copy.path, whole, "--by", "context", "--context", PRIVATE],
    3,
    /^/,
  );
  expect(difference).toMatchObject({ a: { rootHash: null }, agree: false });
  expect(difference?.sentences).toContainEqual(expect.stringMatching(/^not known: /));
  const why = await json(["why", copy.path, whole, PRIVATE], 3, remark);
  expect(JSON.stringify(why)).toContain('"verdict":"unknown"');
  const status = await cli(copy.path);
  expect(status.status).toBe(3);
  expect(status.stdout).not.toContain("not joined");
  expect(status.stdout).toMatch(/1 row of ContextMeta does not decode/);
});

it("status and metrics count a row that only their check reads, which verify calls an error", async () => {
  using copy = await withCut("BlobMeta", BLOB);
  const said = "1 row of BlobMeta does not decode: this answer lacks its content";
  const status = await cli(copy.path);
  expect([status.status, status.stdout]).toEqual([3, expect.stringContaining(said)]);
  const [found] = await json([copy.path], 3, /^$/);
  expect(found?.warnings).toContainEqual({ code: "ROWS_UNREAD", message: said });
  expect(await cli("metrics", copy.path)).toMatchObject({ status: 3, stderr: `merostore: ${said}\n` });
  expect((await cli("verify", copy.path, "--rule", "row-decodes")).status).toBe(1);
});

it("minimise says of a context whose row does not decode that it is not known to be joined", async () => {
  using copy = await withCut("ContextMeta", PRIVATE);
  const { status, stderr } = await cli("minimise", whole, copy.path, PRIVATE);
  expect(status).toBe(3);
  expect(stderr).toMatch(/not known: the row of the context/);
  expect(stderr).not.toMatch(/has joined/);
});

it("a delta that does not decode is not called missing, and what depends on it is unknown", async () => {
  const last = "da09c54471ddac836a5569e6e87c33f6f3427ebac0b5d299eafb33bb13fd8e73";
  using copy = await withCut("ContextDagDelta", LOBBY + last);
  const remark = /1 row of ContextDagDelta does not decode/;
  const why = await json(["why", copy.path, other, LOBBY], 3, remark);
  expect(JSON.stringify(why)).toContain('"verdict":"unknown"');
  expect(JSON.stringify(why)).not.toMatch(/lacks|lost|from the replay of its deltas/);
  await json(["log", copy.path, LOBBY], 3, remark);
  expect((await cli("stuck", copy.path)).stderr).toMatch(/^merostore: nothing is known to be stuck\n/);
  await json(["stuck", copy.path, other], 3, remark);
});

it("past states without a delta that does not decode say so, and do not call it lost", async () => {
  const middle = "cc7c40a4dbe85138c0d8978b29705b657f76a8198b9e7f99352e2b0eaced6f1c";
  using copy = await withCut("ContextDagDelta", LOBBY + middle);
  for (const words of [
    ["state", copy.path, LOBBY, "--at", "20"],
    ["bisect", copy.path, LOBBY, "--entry", "items.a10"],
    ["diff", copy.path, whole, "--context", LOBBY, "--at", "2026-11-21T05:51:40Z"],
  ]) {
    const { status, stderr } = await cli(...words);
    expect({ words, status }).toEqual({ words, status: 3 });
    expect(stderr).toMatch(/1 row of ContextDagDelta does not decode/);
    expect(stderr).not.toMatch(/(?:is|are) not there/);
  }
});

it("a delta that does not decode is named before anything is called absent", async () => {
  const [old, only] = [
    "8d587abf86f8ed5cc2bc200cd700dc09f1c714538b62947ac09e2b608ee64b90",
    "184a0e65a959fb40f354c826cc77d2bc8b03086349a79c3c289fddf4e8a6d7f5",
  ];
  using copy = await withCut("ContextDagDelta", old + only);
  for (const [absence, ...words] of [
    ["no delta of the context that can be read is such a one", "log", "--patch"],
    ["no delta that can be read wrote items", "log", "--entry", "items"],
    ["the database has no delta of the context", "state", "--at", "1"],
  ] as const) {
    const [name, ...options] = words;
    const { status, stderr } = await cli(name, copy.path, old, ...options);
    expect({ words, status }).toEqual({ words, status: 3 });
    const damage = "1 row of ContextDagDelta does not decode: this answer lacks its content\n";
    expect(stderr.split(damage)).toEqual([
      expect.not.stringContaining("no delta"),
      expect.stringContaining(absence),
    ]);
  }
});

it("an operation that does not decode makes no row one that nobody signed", async () => {
  const first = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb0506ffb190";
  using copy = await withCut("NamespaceGovOp", first);
  const { stdout } = await cli("verify", copy.path, "--json");
  const found = linesOf(stdout).map((line) => JSON.parse(line) as { severity?: string; rule: string });
  expect(found.flatMap(({ severity, rule }) => (severity === "error" ? [rule] : []))).toEqual([
    "row-decodes",
  ]);
  const why = await json(["why", copy.path, whole, "office"], 3, /1 row of NamespaceGovOp does not decode/);
  expect(why.map(({ verdict }) => verdict)).toEqual(["unknown"]);
});

describe("an operation that does not decode, in a row that does", () => {
  const cutInside = (row: Uint8Array): Uint8Array => {
    const bytes = row.slice(0, -1);
    new DataView(bytes.buffer).setUint32(0, bytes.length - 4, true);
    return bytes;
  };

  it("of a namespace is named by all that read operations", async () => {
    const first = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb0506ffb190";
    using copy = await withCut("NamespaceGovOp", first, cutInside);
    const remark = /1 row of NamespaceGovOp does not decode/;
    for (const words of [
      ["log", copy.path],
      ["log", copy.path, "office", "--limit", "3"],
      ["members", copy.path, "office"],
    ])
      await json(words, 3, remark);
    const why = await json(["why", copy.path, whole, "office"], 3, remark);
    expect(why.map(({ verdict }) => verdict)).toEqual(["unknown"]);
    const { stdout } = await cli("verify", copy.path, "--json");
    const found = linesOf(stdout).map((line) => JSON.parse(line) as { severity?: string; rule: string });
    expect(found.flatMap(({ severity, rule }) => (severity === "error" ? [rule] : []))).toEqual([
      "row-decodes",
    ]);
  });

  it("of a group's own log is named by what reads that", async () => {
    using copy = await withCut("GroupOpLog", `${MONEY}0000000000000002`, cutInside);
    await json(["log", copy.path, MONEY, "--own"], 3, /1 row of GroupOpLog does not decode/);
  });
});

describe("a damaged table", () => {
  it("of Delta hides neither the groups nor the other contexts", async () => {
    using copy = await withDamage("Delta", 0.5);
    const remark = /reading Delta failed: .* is damaged .*merostore recover/;
    const [screen] = await json([copy.path], 3, remark);
    const { contexts, groups } = screen as { contexts: Record<string, unknown>[]; groups: unknown[] };
    expect(groups).toHaveLength(8);
    expect(contexts).toHaveLength(7);
    expect(contexts.find(({ id }) => id === PRIVATE)).toMatchObject({ deltas: 3, pending: 0 });
    expect(contexts.find(({ id }) => id === LOBBY)).toMatchObject({ deltas: null, pending: null });
    const hashes = await json(["hash", copy.path], 3, remark);
    expect(hashes.find(({ context }) => context === LOBBY)).toMatchObject({
      nodes: [{ deltas: null, pending: null }],
    });
    await json(["stuck", copy.path], 3, remark);
    const { status, stdout } = await cli("metrics", copy.path);
    expect(status).toBe(3);
    expect(stdout).toContain(`merostore_context_deltas{context="${PRIVATE}",name="private"} 3`);
    expect(stdout).not.toContain(`merostore_context_deltas{context="${LOBBY}"`);
    const why = await json(["why", copy.path, other, LOBBY], 3, remark);
    expect(JSON.stringify(why)).toContain('"verdict":"unknown"');
  });

  it("of Delta keeps no answer about groups back, nor what is known of contexts", async () => {
    using copy = await withDamage("Delta", 0.01);
    for (const words of [
      ["members", "office"],
      ["members", "office", "--at", "12"],
      ["groups", "office"],
      ["groups", "office", "--at", "12"],
      ["groups"],
    ]) {
      const [name = "", ...rest] = words;
      const [ofDamaged, ofWhole] = await Promise.all(
        [copy.path, whole].map((db) => cli(name, db, ...rest, "--json")),
      );
      // Deltas bound the time of an operation, and here they cannot be read.
      const bounded = ofWhole?.stdout.replace(/"before":\d+/g, '"before":null');
      expect([words, ofDamaged?.stdout]).toEqual([words, bounded]);
      const isRead = ofDamaged?.stderr.includes("reading Delta failed: ");
      expect([words, ofDamaged?.status]).toEqual([words, isRead ? 3 : 0]);
      expect([words, isRead]).toEqual([words, words.length > 1]);
    }
    const remark = /reading Delta failed: .* is damaged .*merostore recover/;
    const contexts = await json(["contexts", copy.path], 3, remark);
    expect(contexts.map(({ deltas }) => deltas)).toEqual(Array(7).fill(null));
    expect(contexts.find(({ id }) => id === LOBBY)).toMatchObject({ rows: 305 });
    const past = await cli("contexts", copy.path, PRIVATE, "--at", "2");
    expect([past.status, past.stdout]).toEqual([3, ""]);
  });

  it("of Delta keeps no operation back, nor the deltas that can be read; past values it does", async () => {
    using copy = await withDamage("Delta", 0.5);
    const remark = /reading Delta failed: .* is damaged .*merostore recover/;
    for (const [status, ...words] of [
      [3, "office"],
      [3, "office", "--at", "12"],
      [3, "office", "--limit", "3"],
      [0, "office", "--own"],
    ] as const) {
      const found = await json(["log", copy.path, ...words], status, status === 0 ? /^$/ : remark);
      const { stdout } = await cli("log", whole, ...words, "--json");
      const ids = linesOf(stdout).map((line) => (JSON.parse(line) as { id: unknown }).id);
      expect(found.map(({ id }) => id)).toEqual(ids);
    }
    const found = await json(["log", copy.path], 3, remark);
    expect(found.length).toBeGreaterThan(0);
    const known = new Set(linesOf((await cli("log", whole, LOBBY, "--json")).stdout));
    const deltas = await cli("log", copy.path, LOBBY, "--json");
    expect([deltas.status, known.has(linesOf(deltas.stdout)[0] ?? "")]).toEqual([3, true]);
    expect(linesOf(deltas.stdout).filter((line) => !known.has(line))).toEqual([]);
    for (const words of [["--patch"], ["--entry", "items.a10"], ["--at", "2"]]) {
      const { status, stdout, stderr } = await cli("log", copy.path, LOBBY, ...words);
      expect([status, stdout]).toEqual([3, ""]);
      expect(stderr).toMatch(remark);
    }
  });

  it("of Delta holds up nothing about a context whose rows lie elsewhere", async () => {
    using damaged = await withDamage("Delta", 0.5);
    using undamaged = copyOfDatabase("core-0.11/node-a");
    for (const [name, ...rest] of [
      ["diff", other, "--context", PRIVATE],
      ["diff", other, "--context", PRIVATE, "--rows"],
      ["diff", other, "--context", PRIVATE, "--by", "context"],
      ["scan", "--context", PRIVATE],
      ["export", "--context", PRIVATE, "--reveal-secrets"],
    ] as const) {
      const [found, expected] = await Promise.all(
        [damaged, undamaged].map(async ({ path }) => {
          const { status, stdout, stderr } = await cli(name, path, ...rest);
          return { status, stderr, stdout: timeless(stdout).replaceAll(basename(dirname(path)), "node") };
        }),
      );
      expect(found).toEqual(expected);
      const ofLobby = rest.map((word) => (word === PRIVATE ? LOBBY : word));
      expect(await cli(name, damaged.path, ...ofLobby)).toMatchObject({ status: 3 });
    }
  });

  it("of Group hides no context", async () => {
    using copy = await withDamage("Group", 0.01);
    const remark = /reading Group failed: .* is damaged .*merostore recover/;
    const [screen] = await json([copy.path], 3, remark);
    expect((screen as { contexts: unknown[] }).contexts).toHaveLength(7);
    expect((await cli(copy.path)).stdout).not.toContain("not a member");
    const why = await json(["why", copy.path, other], 3, remark);
    expect(why.filter(({ verdict }) => WRONG.test(`${verdict}`))).toEqual([]);
    const ofGroups = why.filter(({ group }) => group !== undefined);
    expect(ofGroups.map(({ verdict }) => verdict)).toEqual(ofGroups.map(() => "unknown"));
  });

  it("of Delta tells neither that a delta is stuck nor that the node lacks one", async () => {
    using copy = await withDamage("Delta", 0.5);
    const log = fixturePath("core-0.11/log", "db");
    const found = await json(["stuck", copy.path, log], 3, /reading Delta failed/);
    const names = new Set(found.flatMap(({ node, delta }) => (delta === undefined ? [] : [node])));
    expect([...names]).toHaveLength(1);
    const missing = found.flatMap((one) => (one.missing ?? []) as { in: string[]; mayBeIn?: string[] }[]);
    expect(missing).not.toEqual([]);
    expect(missing.filter(({ mayBeIn }) => mayBeIn?.length !== 1)).toEqual([]);
    expect((await cli("stuck", copy.path, log)).stdout).toMatch(/\(.+ may\s+have\s+it\)/);
  });

  it("of Meta makes no context one that was not joined, and no delta a stuck one", async () => {
    using copy = await withDamage("Meta", 0.01);
    const remark = /reading Meta failed: .* is damaged/;
    const hashes = await json(["hash", copy.path, whole], 3, remark);
    expect(hashes).toHaveLength(7);
    for (const one of hashes) expect(one).toMatchObject(await halfKnown(`${one.context}`));
    const status = await cli(copy.path);
    expect(status.status).toBe(3);
    expect(status.stdout).not.toContain("not joined");
    const found = await json(["stuck", copy.path], 3, remark);
    expect(found.filter(({ delta }) => delta !== undefined)).toEqual([]);
  });

  it("of Alias leaves open only what belongs to no context and no group", async () => {
    using copy = await withDamage("Alias", 0.01);
    const why = await json(["why", copy.path, copy.path], 3, /reading Alias failed/);
    const unknown = why.filter(({ verdict }) => verdict === "unknown");
    expect(unknown.map(({ context, group }) => [context, group])).toEqual([[undefined, undefined]]);
  });
});

describe("actions of a delta that do not decode, in a row that does", () => {
  it.each(["core-0.10/node-a", "core-0.11/node-a"])(
    "are remarked by the past of a context of %s",
    async (name) => {
      using copy = copyOfDatabase(name);
      const context = await withCutActions(copy.path);
      const { stdout, stderr, status } = await cli("state", copy.path, context, "--at", "30");
      expect(stderr).toContain("1 row of ContextDagDelta does not decode: this answer lacks its content");
      expect(stdout).toContain("not proven: it follows a delta whose changes cannot be read");
      expect(status).toBe(3);
    },
  );
});

/** Cuts the actions of the fifth delta, by time, of a context with many. Returns the context. */
async function withCutActions(path: string): Promise<string> {
  await using store = await openStore(path, { writable: true });
  const row = store.schema.row("ContextDagDelta" as never) as unknown as AnyRow;
  for (const { context, deltas } of await new CalimeroNode(store).contexts()) {
    if ((deltas ?? 0) < 100) continue;
    const { id } = context;
    const replay = await readReplay(store, fromHex(id));
    const key = concat(fromHex(id), fromHex(replay.graph.deltas[4]?.id as string));
    const value = row.value.decode((await store.raw.get("Delta", key)) as Uint8Array) as {
      readonly actions: { readonly bytes: Uint8Array };
    };
    const actions = value.actions.bytes.slice(0, -1);
    await store.raw.write([
      { type: "put", column: "Delta", key, value: row.value.encode({ ...value, actions }) },
    ]);
    return id;
  }
  throw new Error("no context has so many deltas");
}
