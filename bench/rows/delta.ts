/** Rows of Delta: a chain of causal deltas with their lists of actions. */
import { Payload } from "../../src/codec/index.js";
import { deltaId010 } from "../../src/digests/index.js";
import { ContextDagDelta } from "../../src/keys/index.js";
import { type Action010, ActionList010, type ChildInfo010 } from "../../src/payloads/index.js";
import type { ContextDagDeltaValue010 } from "../../src/values/index.js";
import type { Random } from "../random.js";
import { child, entryMetadata, mapMetadata } from "./metadata.js";
import type { Put } from "./put.js";
import { entryPayload } from "./state.js";

/** The id of the application's root entity. */
const ROOT_VALUE = new Uint8Array(32).fill(0x76);

/** The distribution of the number of actions: most deltas add an entry and update its ancestors. */
const SIZES = [1, 2, ...Array<number>(14).fill(3), 4, 4, 5, 5];

/** The deltas of a context. Every tenth joins two heads. Returns the id of the last. */
export function* fillDeltas(
  put: Put,
  random: Random,
  contextId: Uint8Array,
  rows: number,
): Generator<void, Uint8Array, undefined> {
  let last: Uint8Array = new Uint8Array(32);
  let before: Uint8Array | undefined;
  for (let count = 0; count < rows; count++) {
    const parents = before !== undefined && random.chance(10) ? [last, before] : [last];
    const actions = makeActions(random, contextId, random.pick(SIZES));
    const id = deltaId010(parents, actions);
    const value = makeDelta(
      random,
      parents,
      ActionList010.encode(actions),
      id,
      BEGIN + (BigInt(count) << 32n),
    );
    put(new ContextDagDelta({ contextId, deltaId: id }), value);
    before = count === 0 ? undefined : last;
    last = id;
    yield;
  }
  return last;
}

/** Seconds since 1970 of the year 2026, as a clock has them: in the high half. */
const BEGIN = 1_795_242_408n << 32n;

/** A delta with these parents, actions, id and time; its events are gone, as after their handlers ran. */
export function makeDelta(
  random: Random,
  parents: readonly Uint8Array[],
  actions: Uint8Array,
  id: Uint8Array,
  time: bigint,
): ContextDagDeltaValue010 {
  return {
    deltaId: id,
    parents,
    actions: new Payload(ActionList010, actions),
    hlc: { time, id: (random.u64() << 63n) | random.u64() | 1n },
    applied: true,
    expectedRootHash: random.id(),
    events: null,
  };
}

function makeActions(random: Random, contextId: Uint8Array, count: number): Action010[] {
  const root = child(random, contextId);
  const collection = child(random, random.id(), mapMetadata(random));
  const update = (id: Uint8Array, ancestors: readonly ChildInfo010[]): Action010 => ({
    kind: "Update",
    id,
    data: random.bytes(id === contextId ? 32 : 64),
    ancestors,
    metadata: entryMetadata(random),
  });
  const actions: Action010[] = [];
  for (let added = 0; added < Math.max(1, count - 2); added++) {
    const id = random.id();
    const data = entryPayload(random, id);
    actions.push({ kind: "Add", id, data, ancestors: [collection, root], metadata: entryMetadata(random) });
  }
  if (count > 1) actions.push(update(ROOT_VALUE, [root]));
  if (count > 2) actions.push(update(contextId, []));
  return actions;
}
