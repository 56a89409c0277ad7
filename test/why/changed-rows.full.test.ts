/** A row with one other bit leads to a cause, or its fields are named. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import type { RawRow } from "../../src/engine/engine.js";
import {
  ContextConfig,
  ContextGroupRef,
  ContextMeta,
  GroupKeyEntry,
  GroupOpLog,
  NamespaceGovOp,
  ScopeUnifiedOp,
} from "../../src/keys/index.js";
import { core011 } from "../../src/schemas/index.js";
import { openStore, type Store } from "../../src/store/index.js";
import { type WhyPair, whyDiffer } from "../../src/why/index.js";
import { fixturePath } from "../support/fixtures.js";
import { type Change, type Core011, changed, operationKey, sourceOf } from "./changed.js";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
const OFFICE = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";
const MONEY = "57f93142761aef328270caa5cae4ea868d36d60b3a01458df75008c10cd9c03e";
const OPERATION = "73ccb764e31f59303a3384b4cdd20631cf8a82b485c46636c2e5d64717231aad";

let a: Store<Core011>;
beforeAll(async () => {
  a = await openStore(fixturePath("core-0.11/node-a", "db"), { schema: core011 });
});
afterAll(() => a.close());

/** The value of a row with one other bit. */
function flipped(value: Uint8Array, at: number): Uint8Array {
  const bytes = value.slice();
  bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
  return bytes;
}

type Thing = { readonly context: string } | { readonly group: string };

/** The answer about node-a and a copy with another value in a row. */
function beside(column: string, { key, value }: RawRow, of: Thing): Promise<WhyPair> {
  return besideChanged([{ type: "put", column, key, value }], of);
}

/** The answer about node-a and a copy with changes. */
async function besideChanged(changes: readonly Change[], of: Thing): Promise<WhyPair> {
  const [answer] = await whyDiffer([sourceOf("A", a), sourceOf("B", changed(a, changes))], of);
  return answer?.pairs[0] as WhyPair;
}

it("of a state: one byte of every ninth row", async () => {
  const rows = await a.raw.scan("State").toArray();
  const unexplained: string[] = [];
  const verdicts = new Map<string, number>();
  for (const [number, { key, value }] of rows.entries()) {
    if (number % 9 !== 0 || value.length === 0) continue;
    const at = (number * 37) % value.length;
    const of = { context: toHex(key.subarray(0, 32)) };
    const { verdict, unexplainedCount } = await beside("State", { key, value: flipped(value, at) }, of);
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    if (unexplainedCount > 0) unexplained.push(`${toHex(key)} at ${at}`);
  }
  expect(unexplained).toEqual([]);
  // Times and kinds are not hashed.
  expect([...verdicts.keys()].toSorted()).toEqual(["diverged", "equal"]);
  expect(verdicts.get("diverged")).toBeGreaterThan(10 * (verdicts.get("equal") as number));
});

it("of the tree of a state: the field and the right node are named", async () => {
  const context = "321161a6684de1003629590eb6043bc6bffda5423c9cb4c4436f3f4fce172450";
  const key = fromHex(`${context}3cf464cdbddacd876fad1bf4c42b27ae05e73b25a653bdd09a0e5cb8b80e7f01`);
  const value = (await a.raw.get("State", key)) as Uint8Array;
  const found = await beside("State", { key, value: flipped(value, 333) }, { context });
  expect(found).toMatchObject({ verdict: "diverged", about: ["B"], unexplainedCount: 0 });
  expect(found.sentence).toMatch(
    /^both have the same data, but fullHash in the row of entity [0-9a-f]{8} of B differs from the replay of its deltas; A is right$/,
  );
});

it("of an operation: the signature says which node is right", async () => {
  const { bytes: key } = operationKey(OFFICE, OPERATION);
  const value = (await a.raw.get("Group", key)) as Uint8Array;
  const found = await beside("Group", { key, value: flipped(value, value.length - 10) }, { group: OFFICE });
  expect(found).toMatchObject({ verdict: "diverged", about: ["B"], unexplainedCount: 0 });
  expect(found.sentence).toMatch(
    /^both have the same operations, but operation 73ccb764 is not the same at A and B: .* differs; A is right$/,
  );
});

it("of a context: the heads may be older, and another field is named", async () => {
  const key = new ContextMeta({ contextId: fromHex(LOBBY) });
  const meta = await a.get(key);
  if (meta === undefined) throw new Error("node-a has no lobby");
  const { value: codec } = core011.row("ContextMeta");
  const valueWith = (changes: Partial<typeof meta>): Uint8Array =>
    codec.encode({ ...meta, ...changes } as never);
  const before = fromHex("cc7c40a4dbe85138c0d8978b29705b657f76a8198b9e7f99352e2b0eaced6f1c");
  const older = { key: key.bytes, value: valueWith({ dagHeads: [before] }) };
  expect(await beside("Meta", older, { context: LOBBY })).toMatchObject({
    verdict: "equal",
    sentence:
      "both have the same state and the same deltas; B still has the head cc7c40a4, which delta da09c544 follows",
  });
  const third = fromHex("1198df839df8fbf6fa46508f5f7c4c0c1b0ddff497c34afcc61b7443344d642e");
  const several = { key: key.bytes, value: valueWith({ dagHeads: [before, third, ...meta.dagHeads] }) };
  const found = await beside("Meta", several, { context: LOBBY });
  expect(found).toMatchObject({
    verdict: "equal",
    sentence: "both have the same state and the same deltas; B still has 2 heads that deltas follow",
  });
  expect(found.causes.filter(({ rule }) => rule === "heads")).toHaveLength(1);
  const other = { key: key.bytes, value: valueWith({ application: new Uint8Array(32).fill(7) }) };
  expect(await beside("Meta", other, { context: LOBBY })).toMatchObject({
    verdict: "unexplained",
    sentence: "the root hashes are equal, but the row ContextMeta differs for no known cause",
    unexplained: [{ kind: "ContextMeta", fields: ["application"] }],
  });
});

it("of a state: a row that belongs to no entity", async () => {
  const key = fromHex(LOBBY + "ab".repeat(32));
  const stray = { type: "put", column: "State", key, value: new Uint8Array(40).fill(7) } as const;
  const found = await besideChanged([stray], { context: LOBBY });
  expect(found).toMatchObject({
    verdict: "diverged",
    about: ["B"],
    unexplainedCount: 0,
    sentence: "both have the same data, but a row of the state of B belongs to no entity; A is right",
  });
});

it("of an operation and of a context: a row is gone that goes with them", async () => {
  const operation = new ScopeUnifiedOp({ scope: fromHex(OFFICE), opId: fromHex(OPERATION) });
  const config = new ContextConfig({ contextId: fromHex(LOBBY) });
  const gone = [operation, config].map((key) => {
    const { COLUMN: column } = key.constructor as unknown as { readonly COLUMN: string };
    return { type: "delete", column, key: key.bytes } as const;
  });
  expect(await besideChanged(gone, { group: OFFICE })).toMatchObject({
    verdict: "diverged",
    about: ["B"],
    unexplainedCount: 0,
    sentence: "both have the same operations, but B has operation 73ccb764 without its row ScopeUnifiedOp",
  });
  expect(await besideChanged(gone, { context: LOBBY })).toMatchObject({
    verdict: "diverged",
    about: ["B"],
    unexplainedCount: 0,
    sentence: "both have the same state, but B has context b875f1c0 without its row ContextConfig",
  });
});

it("of an operation that no node has: none lacks what the other has", async () => {
  const operation = new ScopeUnifiedOp({ scope: fromHex(OFFICE), opId: fromHex(OPERATION) });
  const value = (await a.raw.get("UnifiedOp", operation.bytes)) as Uint8Array;
  const key = flipped(operation.bytes, 63);
  const stray = { type: "put", column: "UnifiedOp", key, value } as const;
  const { causes } = await besideChanged([stray], { group: OFFICE });
  expect(causes).toMatchObject([
    { rule: "operation", sentence: "neither node has operation 73ccb764", rowCount: 1 },
  ]);
});

it("of the group of a context: the operation that set it is named", async () => {
  const key = new ContextGroupRef({ contextId: fromHex(LOBBY) });
  const group = (await a.get(key)) as Uint8Array;
  for (const value of [flipped(group, 3), fromHex(MONEY)]) {
    const found = await beside("Group", { key: key.bytes, value }, { context: LOBBY });
    expect(found).toMatchObject({ verdict: "diverged", about: ["B"], unexplainedCount: 0 });
    expect(found.sentence).toMatch(
      /but a row of the context at B differs from the replay of the operations: ContextGroupRef has another .* than operation [0-9a-f]{8} set; A is right$/,
    );
  }
});

it("of the group of a context: no node is judged whose operations are sealed", async () => {
  const key = new ContextGroupRef({ contextId: fromHex(LOBBY) });
  const value = flipped((await a.get(key)) as Uint8Array, 3);
  const keys = await a.table(GroupKeyEntry).scan().toArray();
  const sealed = keys.map((row) => ({ type: "delete", column: "Group", key: row.key.bytes }) as const);
  const found = await besideChanged([...sealed, { type: "put", column: "Group", key: key.bytes, value }], {
    context: LOBBY,
  });
  expect(found).toMatchObject({ verdict: "unexplained", unexplained: [{ kind: "ContextGroupRef" }] });
});

it("of operations that the other bit makes unreadable: each is named", async () => {
  const operations = await a.table(NamespaceGovOp).scan().toArray();
  const unnamed: string[] = [];
  let encrypted = 0;
  for (const { key } of operations) {
    const value = (await a.raw.get("Group", key.bytes)) as Uint8Array;
    // A bit of the ciphertext, if there is one.
    const row = { key: key.bytes, value: flipped(value, value.length - 80) };
    const { sentence, verdict, about } = await beside("Group", row, { group: toHex(key.namespaceId) });
    if (verdict !== "diverged" || !about.includes("B")) unnamed.push(`${key.deltaId}: ${sentence}`);
    if (/ciphertext differs; A is right$/.test(sentence)) encrypted++;
  }
  expect(unnamed).toEqual([]);
  expect(encrypted).toBeGreaterThan(10);
});

it("of a key: its bytes are not what its id stands for", async () => {
  for (const { key } of await a.table(GroupKeyEntry).scan().toArray()) {
    const value = flipped((await a.raw.get("Group", key.bytes)) as Uint8Array, 9);
    const found = await beside("Group", { key: key.bytes, value }, { group: toHex(key.groupId) });
    expect(found).toMatchObject({ verdict: "diverged", unexplainedCount: 0 });
    const id = toHex(key.keyId).slice(0, 8);
    expect(found.sentence).toContain(`key ${id} is not the same at A and B: groupKey differs`);
  }
});

it("of a group's own log: the bytes before the operation", async () => {
  const others: string[] = [];
  for (const { key } of await a.table(GroupOpLog).scan().toArray()) {
    const value = (await a.raw.get("Group", key.bytes)) as Uint8Array;
    const parents = (value[37] as number) * 32;
    // After the length: the version, the group, the number of parents, the parents, the signer and the nonce.
    for (const at of [4, 5, 20, 36, ...(parents > 0 ? [41, 40 + parents] : []), 41 + parents, 73 + parents]) {
      const row = { key: key.bytes, value: flipped(value, at) };
      const { verdict, about, sentence, unexplainedCount } = await beside("Group", row, {
        group: toHex(key.groupId),
      });
      if (verdict !== "diverged" || about.join() !== "B" || unexplainedCount > 0)
        others.push(`${at} ${sentence}`);
      else expect(sentence).toMatch(/GroupOpLog.*; A is right$/);
    }
  }
  expect(others).toEqual([]);
});

it("of a group's own log: the operation in it, and its signature", async () => {
  const others: string[] = [];
  let diverged = 0;
  for (const { key } of await a.table(GroupOpLog).scan().toArray()) {
    const value = (await a.raw.get("Group", key.bytes)) as Uint8Array;
    for (const at of [-1, -30, -70]) {
      const row = { key: key.bytes, value: flipped(value, value.length + at) };
      const { verdict, about, sentence } = await beside("Group", row, { group: toHex(key.groupId) });
      expect(about).toEqual(["B"]);
      const isNamed =
        /(GroupOpLog has another (op|signature) than operation .{8} set|no operation set GroupOpLog|signature of GroupOpLog); A is right$/;
      if (verdict === "diverged" && isNamed.test(sentence)) diverged++;
      else others.push(sentence);
    }
  }
  // With the other bit, some operations do not decode.
  expect(new Set(others)).toEqual(new Set(["not known: rows of it cannot be read on B"]));
  expect(diverged).toBeGreaterThan(5 * others.length);
});
