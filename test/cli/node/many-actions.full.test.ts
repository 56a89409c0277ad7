/** Deltas of more actions than are decoded: each command names them, and takes little memory for them. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { Payload } from "../../../src/codec/index.js";
import { applicationStateId, collectionId } from "../../../src/digests/index.js";
import { ContextConfig, ContextDagDelta, ContextMeta } from "../../../src/keys/index.js";
import { type Action011, ActionList011, type Metadata011 } from "../../../src/payloads/index.js";
import { core011 } from "../../../src/schemas/index.js";
import { openStore } from "../../../src/store/index.js";
import { temporaryFolder } from "../../support/fixtures.js";
import { publicMetadata, unsignedDelta } from "../../support/plain-rows.js";
import { textOf } from "../run.js";

const main = fileURLToPath(new URL("../../../dist/cli/merostore.js", import.meta.url));
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const CONTEXT = new Uint8Array(32).fill(0xc0);
const context = toHex(CONTEXT);
const idOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const metadata: Metadata011 = publicMetadata(1n);
const map = collectionId("items");
const above = [{ id: CONTEXT, merkleHash: idOf(1), metadata }];

/** The bytes of a list that repeats one action. */
function repeated(action: Action011, count: number): Uint8Array {
  const one = ActionList011.encode([action]).subarray(4);
  const bytes = new Uint8Array(4 + count * one.length);
  new DataView(bytes.buffer).setUint32(0, count, true);
  for (let at = 0; at < count; at++) bytes.set(one, 4 + at * one.length);
  return bytes;
}

/** A database with one context of three deltas. The second has `count` actions. */
async function made(name: string, count: number): Promise<string> {
  const path = join(folder.path, name);
  await using store = await openStore(path, { create: true, schema: core011 });
  const state = applicationStateId();
  const lists = [
    ActionList011.encode([
      { kind: "Add", id: map, data: map, ancestors: above, metadata },
      { kind: "Update", id: state, data: map, ancestors: above, metadata },
      { kind: "Update", id: CONTEXT, data: CONTEXT, ancestors: [], metadata },
    ]),
    repeated({ kind: "DeleteRef", id: idOf(9), deletedAt: 2n, metadata }, count),
    ActionList011.encode([{ kind: "Add", id: idOf(8), data: idOf(8), ancestors: above, metadata }]),
  ];
  const batch = store.batch();
  for (const [at, bytes] of lists.entries()) {
    const deltaId = idOf(at + 1);
    batch.put(new ContextDagDelta({ contextId: CONTEXT, deltaId }), {
      deltaId,
      parents: [idOf(at)],
      actions: new Payload(ActionList011, bytes),
      hlc: { time: BigInt(1_795_242_408 + at) << 32n, id: 7n },
      ...unsignedDelta,
      authorId: idOf(5),
    });
  }
  batch.put(new ContextConfig({ contextId: CONTEXT }), { applicationRevision: 1n, membersRevision: 1n });
  batch.put(new ContextMeta({ contextId: CONTEXT }), {
    ...{ application: idOf(3), rootHash: idOf(4), dagHeads: [idOf(3)], serviceName: null },
  });
  await batch.write();
  return path;
}

/** Runs the built program with a heap that is too small for a million actions. */
async function run(...words: readonly string[]) {
  const child = spawn(process.execPath, ["--max-old-space-size=100", main, ...words]);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  return { status: await ended, all: stdout + stderr };
}

describe.each([
  ["100,001", 100_001],
  ["1,000,000", 1_000_000],
])("a delta of %s actions", async (text, count) => {
  const path = await made(text, count);
  const twin = await made(`${text} again`, count);
  const named = `delta 02020202 has ${text} actions, more than 100,000: this answer lacks its changes`;

  it.each([
    ["log", [path, context]],
    ["log", [path, context, "--patch"]],
    ["log", [path, context, "--entry", "items.a"]],
    ["sql", [path, "select * from deltas"]],
    ["state", [path, context, "--at", "2"]],
    ["bisect", [path, context, "--entry", "items.a"]],
  ])("is named by %s %j, with status 3", async (command, words) => {
    const { status, all } = await run(command, ...words);
    expect(all).toContain(named);
    expect(status).toBe(3);
  });

  it("is named by why, whose verdict is that it does not know", async () => {
    const { status, all } = await run("why", path, twin, context, "--json");
    expect(all).toContain('"verdict":"unknown"');
    expect(all).toContain(named);
    expect(status).toBe(3);
  });

  it("has a row without a value in the table of its kind, which says why, with status 1", async () => {
    const { status, all } = await run(
      "sql",
      path,
      'select "deltaId", actions, error from ContextDagDelta',
      "--json",
    );
    expect(all).toContain(`found ${count}, more than merostore decodes`);
    expect(status).toBe(1);
  });

  it("is not checked by verify, which says why", async () => {
    const { all } = await run("verify", path, "--json");
    expect(all).toContain(
      `not checked: ActionList at byte 4: expected at most 100000 elements, found ${count}`,
    );
  });
});
