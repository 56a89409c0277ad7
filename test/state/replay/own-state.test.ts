/** The application's own state, and entries whose updates do not name their collection, in histories of core-1.0. */
import { describe, expect, it } from "vitest";
import { concat } from "../../../src/bytes/concat.js";
import { toHex } from "../../../src/bytes/hex.js";
import { Payload } from "../../../src/codec/index.js";
import {
  applicationStateId,
  collectionId,
  entryStateKey,
  indexStateKey,
  ownHash,
} from "../../../src/digests/index.js";
import { openMemoryEngine } from "../../../src/engines/memory/index.js";
import { type Action, type Action010, ActionList010, EntityIndex010 } from "../../../src/payloads/index.js";
import { core010 } from "../../../src/schemas/index.js";
import {
  AuthorViews,
  contradictions,
  type EntryChange,
  entryChanges,
  parseManifest,
  StateHistory,
} from "../../../src/state/index.js";
import { readReplay } from "../../../src/state/replay/read-replay.js";
import { storeOn } from "../../../src/store/index.js";
import { ContextDagDeltaValue010 } from "../../../src/values/index.js";
import { listOf } from "../../support/lists.js";
import { manifest } from "../one-row.js";
import {
  CONTEXT,
  deltaId,
  history,
  type MadeDelta,
  rowsAfter,
  setItem,
  setTitle,
  storeWith,
  titleBytes,
} from "./made-deltas.js";

const id = applicationStateId();
const first = history[0] as MadeDelta;

const put = (column: string, key: Uint8Array, value: Uint8Array) =>
  ({ type: "put", column, key, value }) as const;
const plain = { storageType: { kind: "Public" }, crdtType: null, fieldName: null } as const;

async function lives(deltas: readonly MadeDelta[], path: string) {
  const { rows } = await rowsAfter(CONTEXT, deltas);
  await using store = await storeWith(rows);
  const views = await AuthorViews.of(store, CONTEXT, { manifest });
  const json = (value: EntryChange["before"]) => (value.kind === "value" ? value.json : value.kind);
  return (await listOf(entryChanges(views, await views.now(), path))).map(({ position, before, after }) => [
    position.position,
    json(before),
    json(after),
  ]);
}

const HOUR = 3600n << 32n;
const [early, late] = [(1_790_000_000n << 32n) + HOUR, (1_790_000_000n << 32n) + 2n * HOUR];
const titles: readonly MadeDelta[] = [
  first,
  { number: 2, actions: [setTitle("later", late, 2)] },
  { number: 3, parents: [1], actions: [setTitle("earlier", early, 3)], author: 0xb0 },
  { number: 4, parents: [2, 3], actions: [setItem("a", "one", 4)] },
  { number: 5, actions: [setTitle("last", late + HOUR, 5)] },
];

/** The id of a collection of core-0.10, and the row of its entity. */
function collectionOf010(name: string, crdtType: EntityIndex010["metadata"]["crdtType"]) {
  const entity = collectionId(name);
  const metadata = {
    createdAt: 1n,
    updatedAt: 1n,
    storageType: { kind: "Public" },
    crdtType,
    fieldName: name,
  } as const;
  const hashes = { fullHash: ownHash(entity), ownHash: ownHash(entity) };
  const value = EntityIndex010.encode({
    id: entity,
    parentId: CONTEXT,
    children: null,
    ...hashes,
    metadata,
    deletedAt: null,
  });
  return { id: entity, row: put("State", concat(CONTEXT, indexStateKey(entity)), value) };
}

it("the later of two concurrent titles stays, though the manifest gives several collections one type", async () => {
  const text = { kind: "string" } as const;
  const register = { kind: "record", fields: [], crdt_type: "lww_register", inner_type: text };
  const map = { kind: "map", key: text, value: text };
  const fields = [
    ["title", register],
    ["mine", map],
    ["frozen", map],
  ].map(([name, type]) => ({ name, type }));
  const of010 = parseManifest({
    schema_version: "wasm-abi/1",
    types: { App: { kind: "record", fields } },
    methods: [],
    events: [],
    state_root: "App",
  });
  const valueType = "calimero_storage::collections::frozen_value::FrozenValue<alloc::string::String>";
  const mine = collectionOf010("__user_storage_mine", null);
  const frozen = collectionOf010("__frozen_storage_frozen", {
    kind: "UnorderedMap",
    keyType: "[u8; 32]",
    valueType,
  });
  const state = (title: string, stamp: bigint): Uint8Array =>
    concat(
      titleBytes(title, stamp),
      new Uint8Array(8 + 32),
      ...[mine.id, collectionId("mine"), frozen.id, collectionId("frozen"), id],
    );
  const delta = (number: number, parents: readonly Uint8Array[], title: string, stamp: bigint) =>
    put(
      "Delta",
      concat(CONTEXT, deltaId(number)),
      ContextDagDeltaValue010.encode({
        deltaId: deltaId(number),
        parents: [...parents],
        actions: Payload.of(ActionList010, [
          {
            kind: "Update",
            id,
            data: state(title, stamp),
            ancestors: [],
            metadata: { ...plain, createdAt: 1n, updatedAt: BigInt(number) },
          },
        ]),
        hlc: { time: BigInt(number) << 32n, id: 1n },
        applied: true,
        expectedRootHash: new Uint8Array(32),
        events: null,
      }),
    );
  const engine = openMemoryEngine({ columns: core010.columns });
  await engine.write([
    mine.row,
    frozen.row,
    put("State", concat(CONTEXT, entryStateKey(id)), state("later", late)),
    delta(1, [new Uint8Array(32)], "first", early - HOUR),
    delta(2, [deltaId(1)], "later", late),
    delta(3, [deltaId(1)], "earlier", early),
  ]);
  await using store = await storeOn(engine, { schema: core010 });
  const replay = await readReplay(store, CONTEXT, { manifest: of010 });
  await replay.moveToFirst();
  expect(toHex(replay.tree.get(toHex(id))?.data ?? id)).toBe(toHex(state("later", late)));
});

it("a delta that writes the state again as it found it is not in the life of a field", async () => {
  const again: readonly MadeDelta[] = [
    ...titles.slice(0, 3),
    { number: 4, parents: [3], actions: [setTitle("earlier", early, 4), setItem("a", "one", 4)] },
    { number: 5, parents: [2, 4], actions: [setTitle("later", late, 5), setItem("b", "two", 5)] },
  ];
  expect((await lives(again, "title")).map(([position]) => position)).toEqual([1, 2, 3]);
});

it("an update that does not name its collection is in the life of its entry, and in the log", async () => {
  const update: Action = { ...setItem("a", "changed", 4), kind: "Update", ancestors: [] } as Action;
  const deltas: readonly MadeDelta[] = [...history.slice(0, 3), { number: 4, actions: [update] }];
  expect(await lives(deltas, 'items["a"]')).toEqual([
    [2, "nothing", "first"],
    [4, "first", "changed"],
  ]);
  const { rows } = await rowsAfter(CONTEXT, deltas);
  await using store = await storeWith(rows);
  const changes = await new StateHistory(
    store,
    await (await AuthorViews.of(store, CONTEXT, { manifest })).now(),
  ).changes(toHex(deltaId(4)));
  expect(changes).toMatchObject([{ kind: "set", path: 'items["a"]', value: "changed" }]);
});

it("is not called right where only the application can merge it, and no manifest tells how", async () => {
  const { rows } = await rowsAfter(CONTEXT, titles);
  await using store = await storeWith(rows);
  const reasons = async (options: Parameters<typeof readReplay>[2]) => {
    const replay = await readReplay(store, CONTEXT, options);
    const afterFourth = await replay.position(new Date(1_790_000_004_500));
    return [...(await replay.positions()), afterFourth].map(({ verdict, unknown }) => unknown ?? verdict);
  };
  expect(await reasons({ manifest })).toEqual(["agrees", "agrees", "agrees", "agrees", "agrees", "agrees"]);
  expect(await reasons({})).toEqual(["agrees", "agrees", "agrees", "merge", "agrees", "merge"]);
});

describe("a node of core-0.10 that took over a state has other fields than its only delta wrote", () => {
  const [older, beside] = [deltaId(90), deltaId(91)];

  /** A delta writes the state, and the next one follows it and another that the node does not have. */
  async function judged(follows: readonly Uint8Array[]) {
    const index = (entity: Uint8Array, parentId: Uint8Array | null, data: Uint8Array) => {
      const metadata = { ...plain, createdAt: 1n, updatedAt: 2n };
      const hashes = { fullHash: ownHash(data), ownHash: ownHash(data) };
      const row = { id: entity, parentId, children: null, ...hashes, metadata, deletedAt: null };
      return put("State", concat(CONTEXT, indexStateKey(entity)), EntityIndex010.encode(row));
    };
    const delta = (number: number, parents: readonly Uint8Array[], ...actions: readonly Action010[]) =>
      put(
        "Delta",
        concat(CONTEXT, deltaId(number)),
        ContextDagDeltaValue010.encode({
          deltaId: deltaId(number),
          parents: [...parents],
          actions: Payload.of(ActionList010, [...actions]),
          hlc: { time: BigInt(number) << 32n, id: 1n },
          applied: true,
          expectedRootHash: new Uint8Array(32),
          events: null,
        }),
      );
    const metadata = { ...plain, createdAt: 1n, updatedAt: 2n };
    const engine = openMemoryEngine({ columns: core010.columns });
    await engine.write([
      index(CONTEXT, null, CONTEXT),
      index(id, CONTEXT, titleBytes("theirs", late)),
      put("State", concat(CONTEXT, entryStateKey(id)), titleBytes("theirs", late)),
      delta(2, follows, { kind: "Update", id, data: titleBytes("ours", early), ancestors: [], metadata }),
      delta(3, [deltaId(2), beside]),
    ]);
    await using store = await storeOn(engine, { schema: core010 });
    const found = await listOf(contradictions(store, await readReplay(store, CONTEXT)));
    return found.map(({ entity, how, mayBe }) => ({ entity, how, mayBe }));
  }

  const other = { entity: toHex(id), how: "other data" };

  it("as the application may have merged them with older ones", async () => {
    expect(await judged([older])).toEqual([{ ...other, mayBe: "merged" }]);
  });

  it("and they are wrong if its author had all older deltas", async () => {
    expect(await judged([older, beside])).toEqual([{ ...other, mayBe: undefined }]);
  });
});
