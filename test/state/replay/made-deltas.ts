/** Contexts of core-1.0 that deltas make. */
import { concat } from "../../../src/bytes/concat.js";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { Payload, u64 } from "../../../src/codec/index.js";
import { applicationStateId, collectionId, mapEntryId, ownHash } from "../../../src/digests/index.js";
import type { WriteOperation } from "../../../src/engine/engine.js";
import { openMemoryEngine } from "../../../src/engines/memory/index.js";
import { type EntityRow, entityKey, entityRow, readStateRow } from "../../../src/layouts/index.js";
import { type Action, ActionList, DeltaRow } from "../../../src/payloads/index.js";
import { core10 } from "../../../src/schemas/index.js";
import { readerAt } from "../../../src/state/replay/as-of.js";
import { readReplay } from "../../../src/state/replay/read-replay.js";
import { type Store, storeOn } from "../../../src/store/index.js";
import { ContextMetaValue } from "../../../src/values/index.js";
import { publicMetadata, unsignedDelta } from "../../support/plain-rows.js";
import { about, rows as stateRows } from "../one-row.js";

/** An id of a delta. */
export const deltaId = (number: number): Uint8Array => {
  const id = new Uint8Array(32).fill(0xd0);
  new DataView(id.buffer).setUint32(0, number);
  return id;
};

/** A delta before it has a row. The first one has the number 1. */
export interface MadeDelta {
  readonly number: number;
  /** The one before by default. */
  readonly parents?: readonly number[];
  readonly actions: readonly Action[];
  /** Each byte of the author's key. */
  readonly author?: number;
}

/** The layouts for the changes of a delta. */
const lists = ["ShortIds", "LongIds", "ShortIdsPlain"] as const;

const put = (column: string, key: Uint8Array, value: Uint8Array) =>
  ({ type: "put", column, key, value }) as const;

/** The row of a delta, made a second after the one before. */
export function deltaRow(
  contextId: Uint8Array,
  { number, parents = [number - 1], actions, author = 0xa0 }: MadeDelta,
) {
  const value = DeltaRow.encode({
    kind: "v1",
    parents: parents.map((one) => (one === 0 ? new Uint8Array(32) : deltaId(one))),
    actions: Payload.of(ActionList, {
      kind: lists[number % lists.length] as (typeof lists)[number],
      actions: [...actions],
    }),
    hlc: { time: BigInt(1_790_000_000 + number) << 32n, id: 1n },
    ...unsignedDelta,
    authorId: new Uint8Array(32).fill(author),
    delegation: null,
  });
  return put("Delta", concat(contextId, deltaId(number)), value);
}

/** The row of a checkpoint: the state that the node took over has this delta, and all that it follows. */
export function checkpointRow(contextId: Uint8Array, number: number, rootHash: Uint8Array) {
  const { key, value } = deltaRow(contextId, { number, parents: [0], actions: [] });
  return put("Delta", key, DeltaRow.encode({ ...DeltaRow.decode(value), checkpointRootHash: rootHash }));
}

/** The row of a context. */
export function metaRow(contextId: Uint8Array, rootHash: Uint8Array, heads: readonly number[]) {
  const meta = { application: deltaId(0), rootHash, dagHeads: heads.map(deltaId), serviceName: null };
  return put("Meta", contextId, ContextMetaValue.encode(meta));
}

/** A store in memory. */
export async function storeWith(rows: readonly WriteOperation[]): Promise<Store> {
  const engine = openMemoryEngine({ columns: core10.columns });
  await engine.write(rows);
  return storeOn(engine, { schema: core10 });
}

/** The rows of a context after deltas: the deltas, the resulting state, and the row with the root hash. */
export async function rowsAfter(contextId: Uint8Array, deltas: readonly MadeDelta[]) {
  const followed = new Set(deltas.flatMap(({ number, parents = [number - 1] }) => parents));
  const heads = deltas.map(({ number }) => number).filter((number) => !followed.has(number));
  const all = deltas.map((delta) => deltaRow(contextId, delta));
  await using store = await storeWith([...all, metaRow(contextId, new Uint8Array(32), heads)]);
  const replay = await readReplay(store, contextId);
  await replay.moveToFirst();
  const found = await (await readerAt(store, replay)).raw.scan("State", {}).toArray();
  const state = found.map(({ key, value }) => put("State", key, value));
  const rootHash = replay.rootHash as Uint8Array;
  return { rootHash, rows: [...all, ...state, metaRow(contextId, rootHash, heads)] };
}

/** The key of an entity's row. */
export const entityRowKey = (id: Uint8Array): Uint8Array => concat(CONTEXT, entityKey(id));

/** The row of an entity with other data and their hash. */
export function falsified(rows: readonly ReturnType<typeof put>[], id: Uint8Array) {
  const key = entityRowKey(id);
  const found = rows.find((row) => row.column === "State" && toHex(row.key) === toHex(key));
  const { data, index, verbatim } = entityRow(id).decode(found?.value ?? new Uint8Array(0));
  if (data === null || index === null) throw new Error("the entity has no data");
  const other = Uint8Array.from(data);
  other[0] = (other[0] as number) ^ 1;
  const value = entityRow(id).encode({ verbatim, data: other, index: { ...index, ownHash: ownHash(other) } });
  return { row: put("State", key, Uint8Array.from(value)), wanted: ownHash(data), found: ownHash(other) };
}

/** The changes that make entities, the root first and each after the one above it. */
export function actionsOf(contextId: string, rows: readonly (readonly [Uint8Array, Uint8Array])[]) {
  const entities = new Map(
    rows.flatMap(([key, value]) => {
      const row = readStateRow(key.subarray(32), value);
      return row.kind === "entity" && row.row.index !== null ? [[toHex(row.id), row.row] as const] : [];
    }),
  );
  const above = (id: string): readonly string[] => {
    const parent = entities.get(id)?.index?.parentId ?? undefined;
    return parent === undefined ? [] : [toHex(parent), ...above(toHex(parent))];
  };
  const ids = [...entities.keys()].sort((a, b) => above(a).length - above(b).length);
  return ids.flatMap((id): Action[] => {
    const { index, data } = entities.get(id) as EntityRow;
    const chain = above(id);
    // In a longer chain the root is left out.
    const ancestors = (chain.length > 1 ? chain.slice(0, -1) : chain).map(fromHex);
    const kind = id === contextId ? "Update" : "Add";
    if (index === null) return [];
    const entity = { id: fromHex(id), ancestors };
    if (data !== null) return [{ kind, ...entity, data, metadata: index.metadata }];
    // A deleted entity was there before.
    const before = { ...index.metadata, updatedAt: index.metadata.createdAt };
    return [
      { kind, ...entity, data: entity.id, metadata: before },
      { kind: "DeleteRef", id: entity.id, deletedAt: index.deletedAt as bigint, metadata: before },
    ];
  });
}

/** The context of the application in `fixtures/core-1.0/state`. */
export const CONTEXT = fromHex(about.context);

const ITEMS = collectionId("items");
const encoder = new TextEncoder();

/** The fields of the application, each of them empty. */
const fields: readonly Action[] = actionsOf(
  about.context,
  stateRows.filter(({ column }) => column === "State").map(({ key, value }) => [key, value] as const),
).filter(
  (action) =>
    toHex(action.id) === about.context ||
    ("ancestors" in action &&
      action.ancestors.length === 1 &&
      toHex(action.ancestors[0] as Uint8Array) === about.context),
);

/** The id of an item. */
export const itemId = (name: string): Uint8Array => mapEntryId(ITEMS, encoder.encode(name));

const text = (of: string): Uint8Array => concat(Uint8Array.of(of.length, 0, 0, 0), encoder.encode(of));

/** The change that gives an item a value, at a second. */
export function setItem(name: string, value: string, second: number): Action {
  const time = 1_790_000_000_000_000_000n + BigInt(second) * 1_000_000_000n;
  const metadata = { ...publicMetadata(time), order: BigInt(second) };
  const data = concat(text(value), text(name), itemId(name));
  return { kind: "Add", id: itemId(name), ancestors: [ITEMS], data, metadata };
}

/** The history of a context: items that are set, one that is changed, and two deltas that do not follow each other. */
export const history: readonly MadeDelta[] = [
  { number: 1, actions: fields },
  { number: 2, actions: [setItem("a", "first", 2)] },
  { number: 3, actions: [setItem("b", "second", 3)] },
  { number: 4, actions: [setItem("a", "changed", 4)] },
  { number: 5, parents: [3], actions: [setItem("c", "third", 5)], author: 0xb0 },
  { number: 6, parents: [4, 5], actions: [setItem("d", "fourth", 6)] },
];

const STATE = applicationStateId();

/** A register with a text and a stamp of 16 bytes. */
export function titleBytes(title: string, stamp: bigint): Uint8Array {
  const bytes = encoder.encode(title);
  return concat(Uint8Array.of(bytes.length, 0, 0, 0), bytes, u64.encode(stamp), u64.encode(1n));
}

/** The change that writes the application's own state, with a title whose stamp has a time. */
export function setTitle(title: string, stamp: bigint, second: number): Action {
  const written = fields.find(({ id }) => toHex(id) === toHex(STATE));
  if (written === undefined || !("data" in written)) throw new Error("no change writes the state");
  const { data } = written;
  // The state begins with the title.
  const rest = data.subarray(4 + new DataView(data.buffer, data.byteOffset).getUint32(0, true) + 16);
  const metadata = {
    ...publicMetadata(1_790_000_000_000_000_000n + BigInt(second) * 1_000_000_000n),
    order: 0n,
  };
  return { kind: "Update", id: STATE, ancestors: [], data: concat(titleBytes(title, stamp), rest), metadata };
}
