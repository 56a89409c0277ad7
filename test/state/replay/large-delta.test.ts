/** A delta with many actions, which is decoded with pauses. */
import { expect, it } from "vitest";
import { concat } from "../../../src/bytes/concat.js";
import { toHex } from "../../../src/bytes/hex.js";
import { equalBytes } from "../../../src/bytes/order.js";
import { type Codec, Payload } from "../../../src/codec/index.js";
import { unreadOf } from "../../../src/node/tables/unread.js";
import { Pause } from "../../../src/pause.js";
import {
  type Action,
  type Action011,
  ActionList,
  ActionList010,
  ActionList011,
  DeltaRow,
  MOST_ACTIONS,
} from "../../../src/payloads/index.js";
import { StateHistory, stateOf } from "../../../src/state/index.js";
import { deltaOf } from "../../../src/state/replay/delta.js";
import { readReplay } from "../../../src/state/replay/read-replay.js";
import { touchedBy } from "../../../src/state/replay/touched.js";
import { publicMetadata } from "../../support/plain-rows.js";
import { turnsDuring } from "../../support/turns.js";
import { CONTEXT, deltaId, deltaRow, history, storeWith } from "./made-deltas.js";

const COUNT = 1000;

function idOf(number: number): Uint8Array {
  const id = new Uint8Array(32);
  new DataView(id.buffer).setUint32(0, number);
  return id;
}

const metadata = publicMetadata(1n, (1n << 64n) - 1n);

const actions = Array.from(
  { length: COUNT },
  (_, at): Action011 => ({ kind: "Add", id: idOf(at), data: idOf(at), ancestors: [], metadata }),
);

async function read(bytes: Uint8Array, codec: unknown = ActionList011) {
  const value = {
    parents: [],
    actions: new Payload(codec as typeof ActionList011, bytes),
    hlc: { time: 1n, id: 1n },
    applied: true,
    checkpointRootHash: null,
    authorId: null,
  };
  const row = { key: { contextId: idOf(0), deltaId: idOf(1) }, value };
  return deltaOf(row as never, new Pause());
}

const undecoded = { mayBeLater: false, count: undefined };

it("is decoded to the same actions as at once, in every revision", async () => {
  const older = actions.map(({ metadata: { schemaVersion, ...rest }, ...action }) => ({
    ...action,
    metadata: rest,
  }));
  const newer = actions.map((action) => ({ ...action, metadata: { ...metadata, order: 1n } }));
  const again = async (codec: Codec<unknown>, list: unknown, listOf = (some: unknown): unknown => some) => {
    const bytes = codec.encode(list);
    expect(bytes.length).toBeGreaterThan(65_536);
    const { actions: found } = await read(bytes, codec);
    return found !== undefined && equalBytes(codec.encode(listOf(found)), bytes);
  };
  expect(await again(ActionList011, actions)).toBe(true);
  expect(await again(ActionList010, older)).toBe(true);
  for (const kind of ["ShortIds", "LongIds", "LongIdsPlain"] as const)
    expect(await again(ActionList, { kind, actions: newer }, (some) => ({ kind, actions: some }))).toBe(true);
});

it("has no actions if its list ends too early, or does not end with its last action", async () => {
  const bytes = ActionList011.encode(actions);
  for (const other of [bytes.slice(0, -1), concat(bytes, Uint8Array.of(0))])
    expect(await read(other)).toMatchObject({ actions: undefined, unread: undecoded });
});

/** As many actions as the first one that adds an entity, of other entities. */
function manyActions(): readonly Action[] {
  const one = history[1]?.actions.find(({ kind }) => kind === "Add");
  if (one?.kind !== "Add") throw new Error("the history adds nothing");
  return Array.from({ length: COUNT }, (_, at) => ({ ...one, id: idOf(at) }));
}

it("has changed entities, which are found with pauses", async () => {
  const actions = manyActions();
  const all = history.map((delta) => (delta.number === 2 ? { ...delta, actions } : delta));
  await using store = await storeWith(all.map((delta) => deltaRow(CONTEXT, delta)));
  const replay = await readReplay(store, CONTEXT);
  await replay.moveToFirst();
  const deltas = [replay.graph.deltas[1]?.id ?? ""];
  expect(await turnsDuring(() => touchedBy(replay, deltas))).toBeGreaterThan(COUNT);
  const found = await touchedBy(replay, deltas);
  expect(actions.every(({ id }) => found.has(toHex(id)))).toBe(true);
});

it("is explained with pauses", async () => {
  const actions = manyActions();
  await using store = await storeWith([deltaRow(CONTEXT, { number: 1, actions })]);
  const past = new StateHistory(store, await stateOf(store, CONTEXT));
  expect(await turnsDuring(() => past.changes(toHex(deltaId(1))))).toBeGreaterThan(COUNT);
  expect((await past.changes(toHex(deltaId(1))))?.map(({ entity }) => entity)).toEqual(
    actions.map(({ id }) => toHex(id)),
  );
});

it("is not replayed with more actions than nodes write, and named; nothing is known from there on", async () => {
  const [one] = history[1]?.actions ?? [];
  if (one === undefined) throw new Error("the history changes nothing");
  const size = MOST_ACTIONS + 1;
  const action = ActionList.encode({ kind: "ShortIds", actions: [one] }).subarray(4);
  const bytes = new Uint8Array(4 + size * action.length);
  new DataView(bytes.buffer).setUint32(0, size, true);
  for (let at = 0; at < size; at++) bytes.set(action, 4 + at * action.length);
  expect(await read(bytes, ActionList)).toMatchObject({ actions: undefined, unread: { count: size } });
  // Nothing else decodes it either.
  expect(() => ActionList.decode(bytes)).toThrow(
    "at most 100000 elements, found 100001, more than merostore decodes",
  );
  const rows = history.map((delta) => deltaRow(CONTEXT, delta));
  const { value, ...row } = rows[3] as (typeof rows)[number];
  const actionsOf = new Payload(ActionList, bytes);
  rows[3] = { ...row, value: DeltaRow.encode({ ...DeltaRow.decode(value), actions: actionsOf } as never) };
  await using store = await storeWith(rows);
  const replay = await readReplay(store, CONTEXT);
  expect((await replay.positions()).map(({ verdict, unknown }) => `${verdict}: ${unknown}`)).toEqual([
    "unknown: no hash",
    "unknown: no hash",
    "unknown: no hash",
    "unknown: unread",
    "unknown: no hash",
    "unknown: unread",
  ]);
  const [unread] = unreadOf(store).rows;
  expect([...(unread?.reasons.values() ?? [])]).toEqual([
    "delta 00000004 has 100,001 actions, more than 100,000: this answer lacks its changes",
  ]);
});
