/** Ending before the end: a reader that has read enough, and signals. */
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContextState } from "../../src/keys/index.js";
import { core010 } from "../../src/schemas/index.js";
import { openStore } from "../../src/store/index.js";
import { temporaryFolder } from "../support/fixtures.js";
import { exitOf, start, textOf } from "./run.js";

/** Far more than any pipe holds. */
const ROWS = 300_000;

const folder = temporaryFolder();
const path = join(folder.path, "db");
const scan = ["scan", path, "--revision", "core-0.10"];
const contextId = new Uint8Array(32).fill(7);

function keyOf(index: number): ContextState {
  const stateKey = new Uint8Array(32);
  new DataView(stateKey.buffer).setUint32(0, index);
  return new ContextState({ contextId, stateKey });
}

beforeAll(async () => {
  await using store = await openStore(path, { create: true, schema: core010 });
  for (let from = 0; from < ROWS; from += 10_000) {
    const batch = store.batch();
    for (let index = from; index < from + 10_000; index++) batch.put(keyOf(index), contextId);
    await batch.write();
  }
  await store.flush();
});

afterAll(() => folder[Symbol.dispose]());

/** The lock is free and nothing is missing: the database was closed, not abandoned. */
async function expectWhole(): Promise<void> {
  await using store = await openStore(path, { schema: core010, writable: true });
  expect(store.warnings).toEqual([]);
  expect(await store.get(keyOf(0))).toEqual(contextId);
  expect(await store.get(keyOf(ROWS - 1))).toEqual(contextId);
  await store.put(keyOf(0), contextId);
}

describe("a reader that closes the pipe", () => {
  for (const form of [[], ["--json"], ["--column", "State"]]) {
    it(`ends the scan quietly ${form.join(" ")}`, async () => {
      const child = start([...scan, ...form]);
      const stderr = textOf(child.stderr);
      await once(child.stdout as NodeJS.ReadableStream, "data");
      child.stdout?.destroy();
      expect(await exitOf(child)).toBe(0);
      expect(await stderr).toBe("");
    });
  }

  it("may close stderr too", async () => {
    const child = start(scan);
    await once(child.stdout as NodeJS.ReadableStream, "data");
    child.stderr?.destroy();
    child.stdout?.destroy();
    expect(await exitOf(child)).toBe(0);
  });
});

describe("a signal while nobody reads the output", () => {
  const signals = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const;
  for (const [signal, status] of signals) {
    it(`${signal} ends the scan with status ${status}, the database closed`, async () => {
      const child = start(scan);
      const stderr = textOf(child.stderr);
      // Output has begun, and nobody takes it: without the signal the process waits for ever.
      await once(child.stdout as NodeJS.ReadableStream, "readable");
      child.kill(signal);
      expect(await exitOf(child)).toBe(status);
      expect(await stderr).not.toMatch(/error|warning/i);
      await expectWhole();
    });
  }
});
