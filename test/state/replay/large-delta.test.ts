/** A delta with many actions, which is decoded with pauses. */
import { expect, it } from "vitest";
import { concat } from "../../../src/bytes/concat.js";
import { Payload } from "../../../src/codec/index.js";
import { Pause } from "../../../src/pause.js";
import { type Action011, ActionList011 } from "../../../src/payloads/index.js";
import { deltaOf } from "../../../src/state/replay/delta.js";

const COUNT = 2000;

function idOf(number: number): Uint8Array {
  const id = new Uint8Array(32);
  new DataView(id.buffer).setUint32(0, number);
  return id;
}

const metadata = {
  createdAt: 1n,
  updatedAt: (1n << 64n) - 1n,
  storageType: { kind: "Public" },
  crdtType: null,
  fieldName: null,
  schemaVersion: null,
} as const;

const actions = Array.from(
  { length: COUNT },
  (_, at): Action011 => ({ kind: "Add", id: idOf(at), data: idOf(at), ancestors: [], metadata }),
);

async function actionsIn(bytes: Uint8Array) {
  const value = {
    parents: [],
    actions: new Payload(ActionList011, bytes),
    hlc: { time: 1n, id: 1n },
    applied: true,
    checkpointRootHash: null,
    authorId: null,
  };
  const row = { key: { contextId: idOf(0), deltaId: idOf(1) }, value };
  return (await deltaOf(row as never, new Pause())).actions;
}

it("is decoded to the same actions as at once", async () => {
  expect(await actionsIn(ActionList011.encode(actions))).toEqual(actions);
});

it("has no actions if its list ends too early, or does not end with its last action", async () => {
  const bytes = ActionList011.encode(actions);
  expect(await actionsIn(bytes.slice(0, -1))).toBeUndefined();
  expect(await actionsIn(concat(bytes, Uint8Array.of(0)))).toBeUndefined();
});
