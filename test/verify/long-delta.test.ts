/** A delta with many actions is checked in steps, with the findings of a short one. */
import { expect, it } from "vitest";
import { Payload } from "../../src/codec/index.js";
import { deltaId011 } from "../../src/digests/index.js";
import { ContextDagDelta } from "../../src/keys/index.js";
import { type Action011, ActionList011, type Metadata011 } from "../../src/payloads/index.js";
import { core011 } from "../../src/schemas/index.js";
import { memoryStore } from "../../src/testing/memory-store.js";
import { type Finding, verifyStore } from "../../src/verify/index.js";
import { unsignedDelta } from "../support/plain-rows.js";
import { turnsDuring } from "../support/turns.js";

const MANY = 1000;
const idOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const hexOf = (byte: number): string => byte.toString(16).padStart(2, "0").repeat(32);
const [A, B] = [0x11, 0x22];

const metadata: Metadata011 = {
  createdAt: 1n,
  updatedAt: 1n,
  storageType: {
    kind: "Shared",
    writers: new Map([
      [hexOf(A), 1],
      [hexOf(B), 1],
    ]),
    signatureData: null,
  },
  crdtType: null,
  fieldName: null,
  schemaVersion: null,
};

function listOf(length: number): readonly Action011[] {
  return Array.from({ length }, () => ({ kind: "Add", id: idOf(3), data: idOf(3), ancestors: [], metadata }));
}

/** Bytes with the writers in the other order: nodes read this form, and do not write it. */
function swapped(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => (byte === A ? B : byte === B ? A : byte));
}

/** The findings in a context with one delta, and the number of turns of other work meanwhile. */
async function checked(actions: Uint8Array, deltaId: Uint8Array) {
  await using store = memoryStore(core011);
  await store.put(new ContextDagDelta({ contextId: idOf(0xc0), deltaId }), {
    deltaId,
    parents: [idOf(0)],
    actions: new Payload(ActionList011, actions),
    hlc: { time: 1n << 32n, id: 7n },
    ...unsignedDelta,
  });
  const findings: Finding[] = [];
  const turns = await turnsDuring(async () => {
    for await (const finding of verifyStore(store)) findings.push(finding);
  });
  return { turns, findings: findings.map(({ rule, message }) => `${rule}: ${message}`) };
}

it("leaves others their turn", async () => {
  const few = await checked(ActionList011.encode(listOf(1)), deltaId011([idOf(0)], listOf(1)));
  const many = await checked(ActionList011.encode(listOf(MANY)), deltaId011([idOf(0)], listOf(MANY)));
  expect(many.findings).toEqual(few.findings);
  expect(few.findings.filter((one) => one.startsWith("delta-id"))).toEqual([]);
  expect(many.turns - few.turns).toBeGreaterThan(20);
});

it.each([
  ["a short one", 1],
  ["a long one", MANY],
])("has another id, and bytes that a node would write otherwise: %s", async (_, length) => {
  const bytes = swapped(ActionList011.encode(listOf(length)));
  expect(bytes.length > 65_536).toBe(length === MANY);
  const { findings } = await checked(bytes, idOf(9));
  expect(findings).toContain("delta-id: parents and actions give another id");
  const others = findings.filter((one) => one.includes("differs from what a node writes"));
  expect(others).toEqual([expect.stringMatching(/from byte \d+ on \(actions/)]);
});

it("is named where its list ends too early", async () => {
  const bytes = ActionList011.encode(listOf(MANY)).slice(0, -1);
  const { findings } = await checked(bytes, idOf(9));
  expect(findings).toContainEqual(expect.stringContaining("a node cannot read it: ActionList[999]"));
});
