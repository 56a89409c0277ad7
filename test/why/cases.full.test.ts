/** Differences of nodes, in cases made by hand from real databases. Each has one sentence, which is true. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { concat } from "../../src/bytes/concat.js";
import { fromHex } from "../../src/bytes/hex.js";
import type { EngineReader } from "../../src/engine/engine.js";
import { RowScan } from "../../src/engine/scan.js";
import { ContextMeta, GroupKeyEntry, GroupMember } from "../../src/keys/index.js";
import { CalimeroNode } from "../../src/node/index.js";
import { core011 } from "../../src/schemas/index.js";
import { readerAt, readReplay, stateKeysOf } from "../../src/state/index.js";
import { openStore, type Store, StoreReader } from "../../src/store/index.js";
import { PendingReader } from "../../src/store/pending.js";
import { type WhyAnswer, type WhyPair, whyDiffer } from "../../src/why/index.js";
import { appsDatabase, appsId } from "../support/apps.js";
import { fixturePath } from "../support/fixtures.js";
import {
  type Change,
  type Core011,
  changed,
  groupOf,
  notApplied,
  operationKey,
  sourceOf,
} from "./changed.js";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
const OFFICE = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";
const contextId = fromHex(LOBBY);
/** The three newest deltas of the lobby, and the delta before them. */
const NEWEST = [
  "1198df839df8fbf6fa46508f5f7c4c0c1b0ddff497c34afcc61b7443344d642e",
  "cc7c40a4dbe85138c0d8978b29705b657f76a8198b9e7f99352e2b0eaced6f1c",
  "da09c54471ddac836a5569e6e87c33f6f3427ebac0b5d299eafb33bb13fd8e73",
] as const;
const BEFORE = "8c5b2f8219e3f8e3c0530e7f73ed99ae9945926d2c4d5816028dfbff5aef684d";

let a: Store<Core011>;
beforeAll(async () => {
  a = await openStore(fixturePath("core-0.11/node-a", "db"), { schema: core011 });
});
afterAll(() => a.close());

/** node-a as it was before the newest deltas of the lobby, with more changes. */
async function lagging(
  changes: readonly Change[] = [],
  {
    withState = false,
    newest = NEWEST,
    before = BEFORE,
  }: { readonly withState?: boolean; readonly newest?: readonly string[]; readonly before?: string } = {},
): Promise<StoreReader<Core011>> {
  const replay = await readReplay(a, contextId);
  await replay.moveToFirst(replay.length - newest.length);
  const key = new ContextMeta({ contextId });
  const meta = await a.get(key);
  if (meta === undefined) throw new Error("node-a has no lobby");
  const rootHash = withState ? meta.rootHash : (replay.rootHash as Uint8Array);
  const value = core011
    .row("ContextMeta")
    .value.encode({ ...meta, rootHash, dagHeads: [fromHex(before)] } as never);
  const then = withState ? a : await readerAt(a, replay);
  return changed(then, [
    ...newest.map((id): Change => ({ type: "delete", column: "Delta", key: concat(contextId, fromHex(id)) })),
    { type: "put", column: "Meta", key: key.bytes, value },
    ...changes,
  ]);
}

/** The answer about the lobby. Exchanging the nodes must not change it. */
async function lobbyOf(b: StoreReader, from: StoreReader = a): Promise<WhyPair> {
  const sources = [sourceOf("A", from), sourceOf("B", b)];
  const [answer] = await whyDiffer(sources, { context: LOBBY });
  const [other] = await whyDiffer(sources.toReversed(), { context: LOBBY });
  expect(other?.sentence).toBe(answer?.sentence);
  expect(answer?.pairs[0]?.unexplained).toEqual([]);
  return answer?.pairs[0] as WhyPair;
}

async function fixture(name: string): Promise<Store> {
  return openStore(fixturePath(name, "db"));
}

describe("a context differs because", () => {
  it("one node lags", async () => {
    const found = await lobbyOf(await lagging());
    expect(found).toMatchObject({ verdict: "ahead", about: ["B"] });
    expect(found.sentence).toBe("B lacks the last 3 deltas of A");
    expect(found.causes.map(({ rule, sentence }) => [rule, sentence])).toEqual([
      ["deltas", "B lacks 3 deltas of A, since 2026-11-21 05:51:50 UTC, by 38ec7407"],
    ]);
  });

  it("one node lacks one delta", async () => {
    const [, before, last] = NEWEST;
    const found = await lobbyOf(await lagging([], { newest: [last], before }));
    expect(found.sentence).toBe("B lacks the last delta of A");
  });

  describe("one node lags and does not hold the newest key", () => {
    /** The operation that brought the key. */
    const ROTATION = "c30b7f576d1ddf2452eeb2ada6181f16e1c83928579dbb71af37248e9c6ede2e";
    let key: Change;
    beforeAll(async () => {
      const details = await new CalimeroNode(a).groupDetails(OFFICE);
      const keyId = fromHex(details?.keys[0]?.id as string);
      key = {
        type: "delete",
        column: "Group",
        key: new GroupKeyEntry({ groupId: fromHex(OFFICE), keyId }).bytes,
      };
    });

    it("though it has the operation that brought it", async () => {
      const found = await lobbyOf(await lagging([key]));
      expect(found.verdict).toBe("key-missing");
      expect(found.sentence).toBe(
        "B does not hold the key 48a30c76 of office, which A holds: B lacks the last 3 deltas of A",
      );
    });

    it("as it lacks the operation that brought it too", async () => {
      const operation = operationKey(OFFICE, ROTATION).bytes;
      const found = await lobbyOf(await lagging([key, { type: "delete", column: "Group", key: operation }]));
      expect(found).toMatchObject({ verdict: "ahead", sentence: "B lacks the last 3 deltas of A" });
    });
  });

  it("a parent is missing", async () => {
    const found = await lobbyOf(await lagging(await notApplied(a, contextId, NEWEST.slice(1))));
    expect(found.verdict).toBe("parent-missing");
    expect(found.sentence).toBe(
      "delta cc7c40a4 waits at B for 1198df83, which A has: B lacks the last 3 deltas of A",
    );
  });

  it("deltas wait at one node for a parent that neither has", async () => {
    const waiting = await notApplied(a, contextId, NEWEST.slice(1));
    for (const [count, sentence] of [
      [1, "delta cc7c40a4 waits at B for 1198df83"],
      [2, "2 deltas wait at B, the first for 1198df83"],
    ] as const) {
      const found = await lobbyOf(await lagging(waiting.slice(0, count)), await lagging());
      expect(found).toMatchObject({ verdict: "parent-missing", about: ["B"] });
      expect(found.sentence).toBe(`both have the same state; ${sentence}`);
      expect(found.causes).toMatchObject([{ rule: "pending", sentence, rowCount: count }]);
    }
  });

  it("one node joined with a snapshot", async () => {
    await using b = await fixture("core-0.11/node-b");
    const found = await lobbyOf(b);
    expect(found.verdict).toBe("snapshot");
    expect(found.sentence).toBe("both have the same state; B took over the older deltas with a snapshot");
  });

  it("an entity was falsified", async () => {
    const replay = await readReplay(a, contextId);
    await replay.moveToFirst();
    const delta = replay.graph.deltas.at(-1);
    const [entity] = [...replay.tree.entities()].find(
      ([id, { data }]) => data !== undefined && id !== LOBBY && replay.lastWriteOf(id)?.id === delta?.id,
    ) as [string, unknown];
    const key = stateKeysOf(core011, LOBBY, fromHex(entity)).find(({ what }) => what === "entry")?.key;
    const bytes = ((await a.raw.get("State", key as Uint8Array)) as Uint8Array).slice();
    bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
    const put: Change = { type: "put", column: "State", key: key as Uint8Array, value: bytes };
    const found = await lobbyOf(changed(a, [put]));
    expect(found).toMatchObject({ verdict: "diverged", about: ["B"] });
    expect(found.sentence).toBe(
      `the state of B differs from the replay of its deltas: the data of entity ${entity.slice(0, 8)} does not have the hash in its row; A is right`,
    );
    const both = await lobbyOf(changed(a, [put]), changed(a, [put]));
    expect(both).toMatchObject({ verdict: "diverged", about: ["A", "B"] });
    const lost = changed(a, [{ type: "delete", column: "State", key: key as Uint8Array }]);
    const without = await lobbyOf(lost);
    expect(without).toMatchObject({ verdict: "diverged", about: ["B"] });
    const isLost = `from the replay of its deltas: the data of entity ${entity.slice(0, 8)} is not there`;
    expect(without.sentence).toBe(`the state of B differs ${isLost}; A is right`);
    const otherwise = await lobbyOf(lost, changed(a, [put]));
    expect(otherwise).toMatchObject({ verdict: "diverged", about: ["A", "B"] });
    expect(otherwise.sentence).toContain(`the state of B differs ${isLost}`);
    expect(otherwise.sentence).not.toContain("is right");
  });

  it("the data in the row of a delta was changed, and the state was not", async () => {
    const id = NEWEST[2];
    const key = concat(contextId, fromHex(id));
    const row = ((await a.raw.get("Delta", key)) as Uint8Array).slice();
    const replay = await readReplay(a, contextId);
    const { actions = [] } = replay.graph.deltas[replay.graph.numberOf(id) as number] ?? {};
    const data = [...actions].find((one) => "data" in one && one.data.length > 0);
    const at = Buffer.from(row).indexOf((data as { readonly data: Uint8Array }).data);
    expect(at).toBeGreaterThan(0);
    row[at + 1] = (row[at + 1] as number) ^ 1;
    const found = await lobbyOf(changed(a, [{ type: "put", column: "Delta", key, value: row }]));
    expect(found).toMatchObject({ verdict: "diverged", about: ["B"] });
    expect(found.sentence).toMatch(
      /^both have the same state, but delta da09c544 is not the same at A and B: .* differs?; A is right$/,
    );
  });

  it("a state was repaired", async () => {
    const found = await lobbyOf(await lagging([], { withState: true }));
    expect(found.verdict).toBe("repaired");
    expect(found.sentence).toBe(
      "the state of B has 3 entities that no delta of it explains: it was written without deltas",
    );
  });

  it("a delta does not name a parent", async () => {
    await using b = await fixture("core-0.10/node-a");
    const lobby = "1e75c0223bef11024ac66f3ce2da826d1bd2219ef1f2cc2a6609fb10321bcf45";
    const replay = await readReplay(b, fromHex(lobby));
    const positions = await replay.positions();
    await replay.moveToFirst();
    const unnaming = new Map(
      positions.flatMap(({ delta, unnamed }) => (unnamed.length > 0 ? [[delta, unnamed] as const] : [])),
    );
    const [entity] = [...replay.tree.entities()].find(
      ([id, { data }]) =>
        data !== undefined && data.length > 32 && unnaming.has(replay.lastWriteOf(id)?.id ?? ""),
    ) as [string, unknown];
    const delta = replay.lastWriteOf(entity)?.id as string;
    const pending = new PendingReader(b.raw);
    for (const { key } of stateKeysOf(b.schema, lobby, fromHex(entity)))
      pending.add({ type: "delete", column: "State", key });
    const sources = [sourceOf("A", b), sourceOf("B", new StoreReader(pending, b.schema))];
    const [answer] = await whyDiffer(sources, { context: lobby });
    expect(answer?.sentence).toBe(
      `the state of B differs from the replay of its deltas: entity ${entity.slice(0, 8)} of delta ${delta.slice(0, 8)} is not there; A is right`,
    );
    const unnamed = answer?.pairs[0]?.causes.find(({ rule }) => rule === "unnamed");
    expect(unnamed?.sentence).toMatch(
      new RegExp(
        `^the author of delta ${delta.slice(0, 8)} had applied ${unnaming.get(delta)?.[0]?.slice(0, 8)}`,
      ),
    );
  });
});

describe("a group differs because", () => {
  it("a member was removed, and did not get the new key", async () => {
    await using c = await fixture("core-0.11/node-c");
    const found = await groupOf("57f93142761aef328270caa5cae4ea868d36d60b3a01458df75008c10cd9c03e", a, c);
    expect(found.verdict).toBe("left");
    expect(found.sentence).toBe(
      "B is the node of Zoë, who was removed from Money with operation 24: B does not hold the key 95ff865e of Money",
    );
  });

  it("a key that a copy lacks is not explained by the departure of both", async () => {
    await using c = await fixture("core-0.11/node-c");
    const [row] = await c
      .table(GroupKeyEntry)
      .scan({ prefix: { groupId: fromHex(OFFICE) } })
      .toArray();
    const key = row?.key.bytes ?? new Uint8Array();
    const without = changed(c, [{ type: "delete", column: "Group", key }]);
    const found = await groupOf(OFFICE, c, without);
    expect(found.verdict).toBe("equal");
    expect(found.causes.map(({ rule }) => rule)).toEqual(["key"]);
  });

  it("the key was changed after a member left, with an operation that its node lacks", async () => {
    using one = appsDatabase("parted-n1");
    using three = appsDatabase("parted-n3");
    await using storeA = await openStore(one.path);
    await using storeB = await openStore(three.path);
    const tally = "cf347d50f70aa5ba3a523bf2106cf902292189a37e598d438ec41d57204ef2a6";
    const found = await groupOf(tally, storeA, storeB);
    expect(found.verdict).toBe("left");
    expect(found.sentence).toBe(
      "B is the node of Cäsar, who left tally with operation 6: B lacks 1 operation of A",
    );
    expect(found.causes.slice(0, 2).map(({ sentence }) => sentence)).toEqual([
      "operation 6 (44eca70e): Cäsar left tally",
      "B lacks operation 7 (e73a1761): A changed the key of tally after Cäsar left, and sent a new group key to 2 devices",
    ]);
  });

  it("a member was removed, said once although it also lacks an operation and a key", async () => {
    using two = appsDatabase("parted-n2");
    using three = appsDatabase("parted-n3");
    await using storeA = await openStore(two.path);
    await using storeB = await openStore(three.path);
    const found = await groupOf(appsId("groups", "pickers"), storeA, storeB);
    expect(found.causes.map(({ rule, rowCount }) => [rule, rowCount])).toEqual([
      ["account", 0],
      ["operation", 2],
      ["key", 1],
      ["expected", 9],
    ]);
  });

  it("a row was falsified", async () => {
    const overlay = a.overlay();
    const key = new GroupMember({
      groupId: fromHex(OFFICE),
      account: fromHex("38ec74070851ead4ac9ee8efcb1f510b9d993452eec922c3a8a677c5a57d4774"),
    });
    const member = await a.get(key);
    overlay.put(key, { ...(member as NonNullable<typeof member>), role: "Admin" });
    const found = await groupOf(OFFICE, a, overlay);
    expect(found).toMatchObject({ verdict: "diverged", about: ["B"] });
    expect(found.sentence).toBe(
      "a row of office at B differs from the replay of its operations: GroupMember has another role than operation 1d439c1b set; A is right",
    );
    const without = changed(a, [{ type: "delete", column: "Group", key: key.bytes }]);
    const both = await groupOf(OFFICE, without, overlay);
    expect(both).toMatchObject({ verdict: "diverged", about: ["A", "B"] });
    expect(both.causes.map(({ sentence }) => sentence).toSorted()).toEqual([
      "1 row of A differs from the replay of its operations",
      "1 row of B differs from the replay of its operations",
    ]);
  });
});

describe("several nodes", () => {
  it("are said in one sentence if one of three differs, wherever it stands", async () => {
    const [one, two, late] = [sourceOf("A", a), sourceOf("B", a), sourceOf("C", await lagging())];
    const sentences = [];
    for (const nodes of [
      [one, two, late],
      [one, late, two],
      [late, one, two],
    ] as const)
      sentences.push((await whyDiffer(nodes, { context: LOBBY }))[0]?.sentence);
    expect(sentences).toEqual([
      "C differs from A and B: C lacks the last 3 deltas of A",
      "C differs from A and B: C lacks the last 3 deltas of A",
      "C differs from A and B: C lacks the last 3 deltas of A",
    ]);
  });

  it("are compared with the first, or each with each", async () => {
    const nodes = ["A", "B", "C"].map((name) => sourceOf(name, a));
    const pairs = ([answer]: readonly WhyAnswer[]) => answer?.pairs.map((pair) => pair.nodes.join(""));
    expect(pairs(await whyDiffer(nodes, { context: LOBBY }))).toEqual(["AB", "AC"]);
    const all = await whyDiffer(nodes, { context: LOBBY, all: true });
    expect(pairs(all)).toEqual(["AB", "AC", "BC"]);
    expect(all[0]?.sentence).toBe("all 3 nodes have the same state");
  });

  it("say which of them alone have a context or a group, and give every row that differs a cause", async () => {
    await using b = await fixture("core-0.11/node-b");
    await using c = await fixture("core-0.11/node-c");
    const answers = await whyDiffer([sourceOf("A", a), sourceOf("B", b), sourceOf("C", c)]);
    const alone = answers.filter(({ sentence }) => sentence === "only A has it");
    expect(alone.map(({ of }) => of).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => "context"),
      ...Array.from({ length: 5 }, () => "group"),
    ]);
    expect(answers.flatMap(({ pairs }) => pairs.flatMap(({ unexplained }) => unexplained))).toEqual([]);
  });
});

describe("the rows of two nodes", () => {
  it("are all counted, and few of them kept", async () => {
    await using c = await fixture("core-0.11/node-c");
    const [answer] = await whyDiffer([sourceOf("A", a), sourceOf("C", c)], { context: LOBBY, rows: 2 });
    const causes = answer?.pairs[0]?.causes.map(({ rule, rows, rowCount }) => [rule, rows.length, rowCount]);
    expect(causes).toEqual([
      ["account", 0, 0],
      ["key", 0, 0],
      ["deltas", 2, 313],
      ["snapshot", 2, 30],
      ["expected", 2, 3],
    ]);
  });

  /** A reader that counts the rows that scans return, by column family. */
  function counting(store: Store, counts: Map<string, number>): StoreReader {
    const raw = new Proxy(store.raw, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (name !== "scan") return typeof value === "function" ? value.bind(target) : value;
        const scan: EngineReader["scan"] = (column, bounds, options) => {
          const chunks = async function* (keysOnly: boolean) {
            for await (const chunk of target
              .scan(column, bounds, keysOnly ? { ...options, keysOnly } : options)
              .chunks()) {
              counts.set(column, (counts.get(column) ?? 0) + chunk.length);
              yield chunk;
            }
          };
          return new RowScan(chunks, () => undefined);
        };
        return scan;
      },
    });
    return new StoreReader(raw, store.schema);
  }

  it("are read at most three times", async () => {
    await using b = await fixture("core-0.11/node-b");
    await using c = await fixture("core-0.11/node-c");
    const counts = [b, c].map(() => new Map<string, number>());
    await whyDiffer([
      sourceOf("B", counting(b, counts[0] as Map<string, number>)),
      sourceOf("C", counting(c, counts[1] as Map<string, number>)),
    ]);
    for (const [at, store] of [b, c].entries()) {
      let [all, allRead] = [0, 0];
      for (const column of store.columns) {
        let rows = 0;
        for await (const _ of store.raw.scan(column, {}, { keysOnly: true })) rows++;
        const read = counts[at]?.get(column) ?? 0;
        all += rows;
        allRead += read;
        if (column !== "State" && column !== "Delta") continue;
        expect(read / rows).toBeGreaterThan(0.9);
        expect(read / rows).toBeLessThanOrEqual(3);
      }
      expect(allRead / all).toBeLessThanOrEqual(3);
    }
  });
});
