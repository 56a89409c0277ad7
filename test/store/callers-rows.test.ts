/** Rows belong to the caller: a program may change their keys and values while it scans. */
import { describe, expect, it } from "vitest";
import { str, struct } from "../../src/codec/index.js";
import { byte, id32, keyParts } from "../../src/keys/index.js";
import { defineSchema, row } from "../../src/schemas/index.js";
import { memoryStore } from "../../src/testing/index.js";

class Short extends keyParts("Short", "Both", undefined, id32("who")) {}
class Long extends keyParts("Long", "Both", undefined, id32("who"), byte("number")) {}
const Text = struct("Text", { text: str });
const schema = defineSchema("callers", [row(Short, Text), row(Long, Text)]);

const ROWS = 100;

function id(at: number): Uint8Array {
  return new Uint8Array(32).fill(0).fill(at + 1, 0, 1);
}

async function filledStore() {
  const store = memoryStore(schema);
  for (let at = 0; at < ROWS; at++) {
    await store.table(Short).put({ who: id(at) }, { text: "short" });
    await store.table(Long).put({ who: id(at), number: 1 }, { text: "long" });
  }
  return store;
}

/** The first byte of each id; overwrites the id once it is read. */
async function wiped(keys: AsyncIterable<{ readonly key: { readonly who: Uint8Array } }>, byte: number) {
  const found: number[] = [];
  for await (const { key } of keys) {
    found.push((key.who[0] as number) - 1);
    key.who.fill(byte);
  }
  return found;
}

describe.each([0, 0xff])("keys that are overwritten with %i", (byte) => {
  it.each([false, true])(
    "do not move a scan with a limit beside another kind, reverse: %s",
    async (reverse) => {
      const store = await filledStore();
      const all = Array.from({ length: ROWS }, (_, at) => (reverse ? ROWS - 1 - at : at));
      expect(await wiped(store.table(Long).scan({ limit: 6, reverse }), byte)).toEqual(all.slice(0, 6));
    },
  );

  it.each([false, true])(
    "do not move a scan of an overlay around deleted rows, reverse: %s",
    async (reverse) => {
      const store = await filledStore();
      const overlay = store.overlay();
      const [from, to] = reverse ? [93, 95] : [5, 7];
      overlay.deleteRange(overlay.table(Short).range({ gte: { who: id(from) }, lt: { who: id(to) } }));
      const all = Array.from({ length: ROWS }, (_, at) => (reverse ? ROWS - 1 - at : at));
      const left = all.filter((at) => at < from || at >= to);
      expect(await wiped(overlay.table(Short).scan({ limit: 10, reverse }), byte)).toEqual(left.slice(0, 10));
    },
  );
});
