/** Rows that a node had and lost, in copies of real nodes' databases. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import { GroupKeyEntry, NamespaceGovHead } from "../../src/keys/index.js";
import { core011 } from "../../src/schemas/index.js";
import { type EntityKey, readReplay, stateKeysOf } from "../../src/state/index.js";
import type { ReplayedEntity } from "../../src/state/replay/entity.js";
import { openStore, type Store, type StoreReader } from "../../src/store/index.js";
import { type WhyPair, whyDiffer } from "../../src/why/index.js";
import { Peer } from "../../src/why/side.js";
import { fixturePath } from "../support/fixtures.js";
import { type Core011, changed, groupOf, operationKey, sourceOf } from "./changed.js";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
const OFFICE = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";
const FOLLOWED = "73ccb764e31f59303a3384b4cdd20631cf8a82b485c46636c2e5d64717231aad";
const LAST_BUT_ONE = "5b7cf7f643cc7e95628078b77a6cc6b260cd5aee6844186c6bfcc316ae30586d";
const LAST = "c30b7f576d1ddf2452eeb2ada6181f16e1c83928579dbb71af37248e9c6ede2e";
/** The newest key of the office. */
const NEWEST_KEY = "48a30c7652fcd01c57c683ec9ce56891b9fb4e688fd4d97bd582c7c0d5246911";

let a: Store<Core011>;
beforeAll(async () => {
  a = await openStore(fixturePath("core-0.11/node-a", "db"), { schema: core011 });
});
afterAll(() => a.close());

describe("a group differs because one node", () => {
  /** node-a without the row of an operation, but with its effects. */
  const without = (id: string): StoreReader =>
    changed(a, [{ type: "delete", column: "Group", key: operationKey(OFFICE, id).bytes }]);

  it.each([
    ["followed by others", FOLLOWED, "operation 3 (73ccb764)"],
    ["a head", LAST, "operation 29 (c30b7f57)"],
  ])("lost an operation that is %s", async (_, id, name) => {
    const found = await groupOf(OFFICE, a, without(id));
    expect(found).toMatchObject({ verdict: "operation-lost", about: ["B"], unexplainedCount: 0 });
    expect(found.sentence).toBe("B lost 1 operation that it had applied and A has");
    expect(found.causes[0]?.sentence).toContain(`B lost ${name}: `);
  });

  it("lost several operations that follow each other", async () => {
    const ids = [...((await new Peer(sourceOf("A", a)).governance(OFFICE))?.operations.keys() ?? [])].slice(
      4,
      7,
    );
    const b = changed(
      a,
      ids.map((id) => ({ type: "delete", column: "Group", key: operationKey(OFFICE, id).bytes })),
    );
    const found = await groupOf(OFFICE, a, b);
    expect(found).toMatchObject({
      verdict: "operation-lost",
      sentence: "B lost 3 operations that it had applied and A has",
      unexplainedCount: 0,
    });
  });

  it("lost an operation, and lacks the last one", async () => {
    const head = new NamespaceGovHead({ namespaceId: fromHex(OFFICE) });
    const found = await a.get(head);
    if (found === undefined) throw new Error("node-a has no head of its operations");
    const before = { ...found, sequence: found.sequence - 1n, dagHeads: [fromHex(LAST_BUT_ONE)] };
    const { value: codec } = core011.row("NamespaceGovHead");
    const b = changed(a, [
      ...[FOLLOWED, LAST].map((id) => {
        return { type: "delete", column: "Group", key: operationKey(OFFICE, id).bytes } as const;
      }),
      { type: "put", column: "Group", key: head.bytes, value: codec.encode(before as never) },
    ]);
    expect(await groupOf(OFFICE, a, b)).toMatchObject({
      verdict: "operation-lost",
      sentence: "B lost 1 operation that it had applied and A has, and lacks 1 more",
      about: ["B"],
    });
  });

  it("lost the newest key", async () => {
    const key = new GroupKeyEntry({ groupId: fromHex(OFFICE), keyId: fromHex(NEWEST_KEY) });
    const found = await groupOf(OFFICE, a, changed(a, [{ type: "delete", column: "Group", key: key.bytes }]));
    expect(found).toMatchObject({
      verdict: "key-missing",
      sentence: "B does not hold the key 48a30c76 of office, which A holds",
      about: ["B"],
    });
  });
});

describe("a node that took over the older deltas with a snapshot lost a row", () => {
  /** The answer about node-a and node-b without one row of an entity's. */
  const lost = async (
    isWanted: (entity: ReplayedEntity) => boolean,
    row: EntityKey["what"],
  ): Promise<[WhyPair, string]> => {
    await using b = await openStore(fixturePath("core-0.11/node-b", "db"), { schema: core011 });
    const replay = await readReplay(b, fromHex(LOBBY));
    await replay.moveToFirst();
    const [entity] = [...replay.tree.entities()].find(
      ([id, one]) => id !== LOBBY && one.data !== undefined && one.deletedAt === undefined && isWanted(one),
    ) as [string, ReplayedEntity];
    const rows = stateKeysOf(core011, LOBBY, fromHex(entity)).filter(({ what }) => what === row);
    const without = changed(
      b,
      rows.map(({ key }) => ({ type: "delete", column: "State", key })),
    );
    const answers = await whyDiffer([sourceOf("A", a), sourceOf("B", without)], { context: LOBBY });
    return [answers[0]?.pairs[0] as WhyPair, entity.slice(0, 8)];
  };
  const isOlder = ({ writer }: ReplayedEntity): boolean => writer === undefined;
  const isReplayed = ({ writer }: ReplayedEntity): boolean => writer !== undefined;
  const differs = "the state of B differs from the replay of its deltas";

  it("of an entity that a delta wrote", async () => {
    const [found, entity] = await lost(isReplayed, "index");
    expect(found).toMatchObject({ verdict: "diverged", about: ["B"], unexplainedCount: 0 });
    expect(found.sentence).toMatch(
      new RegExp(`^${differs}: entity ${entity} of delta \\w{8} is not there; A is right$`),
    );
  });

  it("of an older entity", async () => {
    const [found, entity] = await lost(isOlder, "index");
    expect(found).toMatchObject({
      verdict: "diverged",
      about: ["B"],
      unexplainedCount: 0,
      sentence: `entity ${entity} is not the same at A and B: B lacks it; A is right`,
    });
  });

  it("with the data of an older entity", async () => {
    const [found, entity] = await lost(isOlder, "entry");
    expect(found).toMatchObject({
      verdict: "diverged",
      about: ["B"],
      unexplainedCount: 0,
      sentence: `${differs}: the data of entity ${entity} is not there; A agrees with them`,
    });
  });
});
