/** Past states of nodes whose rows contradict their deltas: a delta's row is lost, or an entity is falsified. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { entryStateKey } from "../../../src/digests/index.js";
import { ContextDagDelta, ContextState011 } from "../../../src/keys/index.js";
import { readReplay, stateKeysOf } from "../../../src/state/index.js";
import { openStore } from "../../../src/store/index.js";
import { forgetting } from "../../state/support.js";
import { copyOfDatabase, fixturePath } from "../../support/fixtures.js";

import { cli, linesOf } from "../run.js";

const contextId = fromHex("b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443");
/** The newest delta of the lobby, and the entity that it adds: `items.late103`. */
const HEAD = "da09c54471ddac836a5569e6e87c33f6f3427ebac0b5d299eafb33bb13fd8e73";
/** A delta of the lobby that others follow. */
const FOLLOWED = "84e23b49355eeb6c46e3d5250672704dfc86be4948af28ab381e23fb257f39f1";
const NODE_A = fixturePath("core-0.11/node-a", "db");
const ENTITY = "21c3983654ed585ba4d872f5da4e6708e1246f53649f9887d0bb16cd1f68f116";

/** A copy of a node, node-a unless another is named, with one row changed: deleted, or with another byte. */
async function copyWith(
  column: string,
  key: Uint8Array,
  how: "deleted" | "falsified",
  node = "core-0.11/node-a",
) {
  const copy = copyOfDatabase(node);
  await using store = await openStore(copy.path, { writable: true });
  const value = Buffer.from((await store.raw.get(column, key)) as Uint8Array);
  // `07 00 00 00 l a t e 1 0 3 03 00 00 00 1 0 3 …`
  value[15] = 0x39;
  await store.raw.write([
    how === "deleted" ? { type: "delete", column, key } : { type: "put", column, key, value },
  ]);
  return copy;
}

describe("the row of the newest delta is lost", () => {
  const lost = () =>
    copyWith("Delta", new ContextDagDelta({ contextId, deltaId: fromHex(HEAD) }).bytes, "deleted");
  const remark = /1 delta that the node had applied is not there \(da09c544\): nothing tells since when/;

  it("bisect says that a value is there, and that no known delta leads to it", async () => {
    using copy = await lost();
    const { status, stdout, stderr } = await cli("bisect", copy.path, "lobby", "--entry", "items.late103");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(remark);
    expect(stderr).toContain(
      'the condition holds now, but not after the deltas that the database has: items.late103 is "103"',
    );
  });

  it("log --entry names no delta, and no earlier state has the value", async () => {
    using copy = await lost();
    const life = await cli("log", copy.path, "lobby", "--entry", "items.late103");
    expect(linesOf(life.stdout)).toEqual(['items.late103 is "103"']);
    expect(life.stderr).toMatch(remark);
    expect(life.stderr).toContain("no delta that the database has wrote items.late103");
    for (const at of ["1", "100", "154"]) {
      const then = await cli("state", copy.path, "lobby", "items.late103", "--at", at);
      expect([then.status, then.stdout]).toEqual([1, ""]);
      expect(then.stderr).toContain("nothing is at items.late103");
    }
  });

  it("why says that the row was lost, of the newest delta and of one that others follow", async () => {
    using newest = await lost();
    const key = new ContextDagDelta({ contextId, deltaId: fromHex(FOLLOWED) });
    using followed = await copyWith("Delta", key.bytes, "deleted");
    for (const [path, id] of [
      [newest.path, HEAD],
      [followed.path, FOLLOWED],
    ] as const) {
      const found = await cli("why", NODE_A, path, "lobby", "--json");
      expect(found.status).toBe(1);
      const answer = JSON.parse(found.stdout);
      const name = answer.nodes[1];
      const sentence = `${name} lost delta ${id}, which it had applied and ${answer.nodes[0]} has`;
      expect(answer).toMatchObject({ verdict: "delta-lost", sentence, about: [name], unexplained: 0 });
      expect(answer.causes).toMatchObject([{ rule: "lost", sentence, rowCount: 1, entities: [] }]);
    }
  });

  it("why tells it from the deltas that a snapshot brought, which are older than all that the node has", async () => {
    const id = "02fb8edfd5897b766ae541ed9d2266cc041aba901026e6f9de44940401d5f528";
    const key = new ContextDagDelta({ contextId, deltaId: fromHex(id) });
    using copy = await copyWith("Delta", key.bytes, "deleted", "core-0.11/node-b");
    for (const [node, rules] of [
      [NODE_A, ["lost", "snapshot", "expected"]],
      [fixturePath("core-0.11/node-b", "db"), ["lost"]],
    ] as const) {
      const { status, stdout } = await cli("why", node, copy.path, toHex(contextId), "--json");
      const { nodes, causes, ...answer } = JSON.parse(stdout);
      const sentence = `${nodes[1]} lost delta ${id}, which it had applied and ${nodes[0]} has, or took it over with a later snapshot`;
      expect([status, answer.verdict, answer.sentence]).toEqual([1, "delta-lost", sentence]);
      expect(causes.map(({ rule }: { readonly rule: string }) => rule)).toEqual(rules);
    }
  });

  it("minimise finds no difference that deltas explain", async () => {
    using copy = await lost();
    for (const nodes of [
      [NODE_A, copy.path],
      [copy.path, NODE_A],
    ]) {
      const { status, stdout, stderr } = await cli("minimise", ...nodes, "lobby");
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toContain("the deltas explain no difference");
    }
  });

  it("why says so where the other node does not have the delta either", async () => {
    using copy = await lost();
    const { status, stdout } = await cli(
      "why",
      fixturePath("core-0.11/node-c", "db"),
      copy.path,
      "lobby",
      "--json",
    );
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: "delta-lost",
      sentence: expect.stringMatching(
        /has entity [0-9a-f]{64} that no delta of it explains: it lost delta da09c544, which it had applied$/,
      ),
    });
  });
});

describe("the row of a delta in the middle is lost", () => {
  const DELTA = new ContextDagDelta({ contextId, deltaId: fromHex(FOLLOWED) }).bytes;

  it("every state is proven, as of a delta and as of its time; what the lost delta wrote comes with those that follow it", async () => {
    using copy = await copyWith("Delta", DELTA, "deleted");
    await using store = await openStore(copy.path);
    await using whole = await openStore(NODE_A);
    const [replay, other] = [await readReplay(store, contextId), await readReplay(whole, contextId)];
    expect(replay.isJoined).toBe(false);
    for (const { position, delta, verdict, time } of await replay.positions()) {
      expect(verdict, delta).toMatch(/^proven/);
      await other.moveTo(delta);
      await replay.moveTo(position);
      const { rootHash } = replay;
      expect(rootHash, delta).toEqual(other.rootHash);
      await replay.moveTo(new Date(time ?? 0));
      await other.moveTo(new Date(time ?? 0));
      // At the millisecond of the lost delta, the other node already has it.
      expect(replay.rootHash, delta).toEqual(other.rootHash);
      await replay.moveTo(position);
      expect(replay.rootHash, delta).toEqual(rootHash);
    }
  });

  it("no delta is named as the author of what the lost one wrote, and none that its author had applied as beside it", async () => {
    using copy = await copyWith("Delta", DELTA, "deleted");
    const life = await cli("log", copy.path, "lobby", "--entry", "items.late44");
    expect(linesOf(life.stdout)).toEqual(['items.late44 is "44"']);
    expect(life.stderr).toContain("no delta that the database has wrote items.late44");
    const since = await cli("bisect", copy.path, "lobby", "--entry", "items.late44", "--utc");
    expect(linesOf(since.stdout).slice(0, 3)).toEqual([
      "since delta 96 of 154 (a568ba02087faf7822795f2ee6078a90fc3bb3abec6dcab44df26781a55cac5d), 2026-11-21 05:51:49 UTC, or a lost delta that it follows (84e23b49355eeb6c46e3d5250672704dfc86be4948af28ab381e23fb257f39f1)",
      "before  nothing (proven)",
      'after   "44" (proven)',
    ]);
    const json = await cli("bisect", copy.path, "lobby", "--entry", "items.late44", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ position: 96, lost: [FOLLOWED], now: "44" });
    const blame = linesOf((await cli("state", copy.path, "lobby", "--blame")).stdout);
    expect(blame.find((line) => line.startsWith('items["late44"]'))).toMatch(/"44" +no known delta$/);
    const all = await cli("log", copy.path, "lobby", "--entry", "items", "--json");
    for (const line of linesOf(all.stdout)) {
      const { position, beside } = JSON.parse(line);
      if (position > 95) expect(beside).toEqual([]);
    }
  });

  it("two nodes do not agree by context, and their past is the same but for what the lost delta wrote", async () => {
    using copy = await copyWith("Delta", DELTA, "deleted");
    const byContext = await cli("diff", NODE_A, copy.path, "--by", "context", "--context", "lobby", "--json");
    expect(byContext.status).toBe(1);
    const [lobby] = linesOf(byContext.stdout).map((line) => JSON.parse(line));
    expect(lobby).toMatchObject({ agree: false, kinds: { ContextDagDelta: { onlyInA: 1 } } });
    for (const time of ["2026-11-21T05:51:25Z", "2026-11-21T05:51:49.500Z"]) {
      const then = await cli("diff", NODE_A, copy.path, "--context", "lobby", "--at", time);
      expect([then.status, then.stdout]).toEqual([0, expect.stringContaining("data is equal")]);
    }
  });
});

it("past values of a falsified node are said to be those of the deltas, not those in the rows", async () => {
  const stateKey = entryStateKey(fromHex(ENTITY));
  using copy = await copyWith("State", new ContextState011({ contextId, stateKey }).bytes, "falsified");
  const remark = 'the rows of 1 entity have other data now, as "merostore verify" lists';
  expect((await cli("state", copy.path, "lobby", "items.late103")).stdout).toBe('"903"\n');
  for (const words of [
    ["state", copy.path, "lobby", "items.late103", "--at", "155"],
    ["state", copy.path, "lobby", "--blame", "--limit", "1"],
    ["bisect", copy.path, "lobby", "--entry", "items.late103"],
    ["log", copy.path, "lobby", "--entry", "items.late103"],
    ["log", copy.path, "lobby", "--entry", "items.late103", "--at", "155"],
    ["log", copy.path, "lobby", "--patch", "--limit", "1", "--at", "155"],
  ])
    expect((await cli(...words)).stderr.split(remark), words.join(" ")).toHaveLength(2);
});

it("bisect says that a condition does not hold now, though the deltas lead to it, or what they lead to", async () => {
  const stateKey = entryStateKey(fromHex(ENTITY));
  using copy = await copyWith("State", new ContextState011({ contextId, stateKey }).bytes, "falsified");
  const said = 'items.late103 is "903", and the replay of the deltas gives "103"';
  const not = await cli("bisect", copy.path, "lobby", 'items.late103 = "103"');
  expect([not.status, not.stdout]).toEqual([1, ""]);
  expect(not.stderr).toContain(`the condition does not hold now: ${said}`);
  const none = await cli("bisect", copy.path, "lobby", 'items.late103 = "903"');
  expect([none.status, none.stdout]).toEqual([1, ""]);
  expect(none.stderr).toContain("the condition holds now, but not after the deltas that the database has");
  const entry = await cli("bisect", copy.path, "lobby", "--entry", "items.late103");
  expect(entry.status).toBe(0);
  expect(entry.stderr).toContain(said);
});

it("past values of a node that took over the state and forgot a deletion are not said to be others", async () => {
  using copy = copyOfDatabase("core-0.11/node-b");
  {
    await using store = await openStore(copy.path, { writable: true });
    const replay = await readReplay(store, contextId);
    await replay.moveToFirst();
    const [entity] = [...replay.tree.entities()].find(
      ([, { data, deletedAt, writer }]) => data && !deletedAt && writer !== undefined,
    ) as [string, unknown];
    const keys = stateKeysOf(store.schema, replay.contextId, fromHex(entity));
    const rows = await forgetting(store, replay, entity).then(({ raw }) => raw.scan("State").toArray());
    await store.raw.write([
      ...keys.map(({ key }) => ({ type: "delete", column: "State", key }) as const),
      ...rows.map((row) => ({ type: "put", column: "State", ...row }) as const),
    ]);
  }
  const { status, stderr } = await cli("state", copy.path, "b875f1c0", "items.late1", "--at", "103");
  expect([status, stderr]).toEqual([0, expect.not.stringContaining("have other data now")]);
});
