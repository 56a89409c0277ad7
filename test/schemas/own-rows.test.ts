/** Rows that a program declares by itself: a part of keys, detection, explanation and rules. */
import { expect, it } from "vitest";
import { str, struct, u64 } from "../../src/codec/index.js";
import { byte, keyParts, u64be } from "../../src/keys/index.js";
import { defineSchema, detectRevision, explainRow, row } from "../../src/schemas/index.js";
import { memoryStore } from "../../src/testing/index.js";
import { onEach, verifyStore } from "../../src/verify/index.js";

const refuse = (day: unknown) => (Number(day) < 7 ? undefined : "a day from 0 to 6");
const weekday = { ...byte("weekday"), refuse, refuseBytes: ([day]: Uint8Array) => refuse(day) };
class Visit extends keyParts("Visit", "Visits", 0x01, weekday, u64be("number")) {}
const VisitValue = struct("VisitValue", { who: str, at: u64 });
const visits = defineSchema("visits-1", [row(Visit, VisitValue)]);
const earlier = defineSchema("visits-0", [row(Visit, struct("VisitValue", { who: str }))]);

const key = { weekday: 3, number: 1n };
const value = { who: "Alice", at: 5n };

it("a part of one's own refuses what it does not take", async () => {
  await using store = memoryStore(visits);
  await expect(store.table(Visit).put({ ...key, weekday: 7 }, value)).rejects.toThrow("a day from 0 to 6");
  const stored = new Visit(key).bytes;
  stored[1] = 7;
  await store.raw.write([{ type: "put", column: "Visits", key: stored, value: VisitValue.encode(value) }]);
  expect(await store.table(Visit).scan().toArray()).toEqual([]);
  expect(visits.identify("Visits", stored)).toBeUndefined();
});

it("the schema that reads all rows is found", async () => {
  await using store = memoryStore(visits);
  expect(await detectRevision(store.raw, { among: [earlier, visits] })).toBeUndefined();
  await store.table(Visit).put(key, value);
  expect(await detectRevision(store.raw, { among: [earlier, visits] })).toBe(visits);
  expect(await detectRevision(store.raw, { among: [earlier] })).toBeUndefined();
});

it("a schema that does not read a row whose key begins with ff is not found", async () => {
  class Last extends keyParts("Last", "Visits", 0xff, u64be("number")) {}
  const last = defineSchema("last", [row(Last, u64)]);
  await using store = memoryStore(last);
  await store.table(Last).put({ number: 1n }, 5n);
  expect(await detectRevision(store.raw, { among: [last] })).toBe(last);
  const { bytes } = new Last({ number: 2n });
  await store.raw.write([{ type: "put", column: "Visits", key: bytes, value: Uint8Array.of(1) }]);
  expect(await detectRevision(store.raw, { among: [last] })).toBeUndefined();
});

it("rows are explained", () => {
  const explained = explainRow(visits, "Visits", new Visit(key).bytes, VisitValue.encode(value));
  expect(explained.map(({ title }) => title)).toEqual(["Key of Visits: Visit", "Value: VisitValue"]);
  expect(explained[0]?.pieces.map(({ name }) => name)).toEqual(expect.arrayContaining(["weekday", "number"]));
  expect(explained[1]?.pieces.map(({ name }) => name)).toEqual(expect.arrayContaining(["who", "at"]));
});

it("a key that a part refuses is explained by the reason of the part", () => {
  const bytes = new Visit(key).bytes.slice();
  bytes[1] = 7;
  const [explained] = explainRow(visits, "Visits", bytes, new Uint8Array(0));
  expect(explained?.stopped?.reason).toBe("Visit.weekday: expected a day from 0 to 6, found other bytes");
});

it("rows are checked by rules of one's own, and by no rule of a node", async () => {
  await using store = memoryStore(visits);
  await store.table(Visit).put(key, value);
  const rule = {
    name: "weekdays",
    relations: [],
    severity: "error" as const,
    says: "A visit is on its weekday.",
    means: "The time or the key is wrong.",
    advice: "Correct one of them.",
    checks: [
      onEach([visits], Visit, function* ({ key: { weekday }, key, value: { at } }) {
        const found = Number((at / 86_400n + 4n) % 7n);
        if (found !== weekday) yield { key, message: `the time is on day ${found}` };
      }),
    ],
  };
  const findings: unknown[] = [];
  for await (const { rule: name, message } of verifyStore(store, { rules: [rule] }))
    findings.push([name, message]);
  expect(findings).toEqual([["weekdays", "the time is on day 4"]]);
  expect((await verifyStore(store).summary()).errors).toBe(0);
});
