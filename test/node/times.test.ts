/** The times of operations: the bounds that joinings and deltas give. */
import { describe, expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import { CalimeroNode, type Operation } from "../../src/node/index.js";
import { openStore } from "../../src/store/index.js";
import { fixturePath } from "../support/fixtures.js";

async function operationsOf(name: string): Promise<readonly Operation[]> {
  await using store = await openStore(fixturePath(name, "db"));
  const node = new CalimeroNode(store);
  const operations: Operation[] = [];
  for (const { group } of await node.namespaces())
    for await (const operation of node.history(group.id, { times: true })) operations.push(operation);
  return operations;
}

describe.each([
  { name: "core-0.11/node-a", all: 39, bounded: 39 },
  { name: "core-0.11/node-b", all: 29, bounded: 29 },
  { name: "core-0.11/node-c", all: 29, bounded: 14 },
])("$name", ({ name, all, bounded }) => {
  it("has an upper bound for every operation that a delta knew", async () => {
    const operations = await operationsOf(name);
    expect(operations).toHaveLength(all);
    expect(operations.filter(({ time }) => time?.before !== undefined)).toHaveLength(bounded);
  });

  it("has bounds that fit each other, and those of the operations that follow", async () => {
    const operations = await operationsOf(name);
    const byId = new Map(operations.map((operation) => [operation.id, operation]));
    for (const { time, parents } of operations) {
      if (time?.after !== undefined && time.before !== undefined)
        expect(time.after).toBeLessThanOrEqual(time.before);
      for (const id of parents) {
        expect(fromHex(id)).toHaveLength(32);
        const earlier = byId.get(id)?.time;
        if (time?.before !== undefined) expect(earlier?.before).toBeLessThanOrEqual(time.before);
        if (earlier?.after !== undefined) expect(time?.after).toBeGreaterThanOrEqual(earlier.after);
      }
    }
  });
});

it("are unknown before core-0.11, in which deltas name no operations", async () => {
  for (const { time } of await operationsOf("core-0.10/node-a")) expect(time).toBeUndefined();
});

it("are left out of origins on request, which change in nothing else", async () => {
  await using store = await openStore(fixturePath("core-0.11/node-a", "db"));
  const node = new CalimeroNode(store);
  const timed = (await node.origins("office")).members;
  const { members } = await node.origins("office", { times: false });
  expect(timed.size).toBeGreaterThan(1);
  expect([...timed.values()].every(({ operation }) => operation.time !== undefined)).toBe(true);
  expect([...members.values()].every(({ operation }) => operation.time === undefined)).toBe(true);
  const sequences = (all: typeof members) =>
    [...all].map(([id, { operation, by }]) => [id, operation.id, by?.id]);
  expect(sequences(members)).toEqual(sequences(timed));
});
