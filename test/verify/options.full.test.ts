/** Options that do not exist or have a wrong type are refused before anything is read. */
import { describe, expect, it } from "vitest";
import { core011 } from "../../src/schemas/index.js";
import { blobFolder, type Verifiable, verifyStore, workerThreads } from "../../src/verify/index.js";
import { inMemory } from "./altered.js";

/** A store that fails when it is looked at. */
const untouched = new Proxy({} as Verifiable, {
  get(_, name) {
    throw new Error(`the store was asked for ${String(name)}`);
  },
});

const refused = (options: unknown) => () => verifyStore(untouched, options as never);

describe("verifyStore", () => {
  it("refuses options that do not exist", () => {
    expect(refused({ rule: [] })).toThrow(
      'unknown name "rule" in the options of verifyStore; the known names are rules, context, group, blobs, work, record, leftOut, onProgress, signal',
    );
    expect(refused(null)).toThrow("expected the options of verifyStore as a plain object, not null");
    expect(refused([])).toThrow("expected the options of verifyStore as a plain object, not an array");
  });

  it("refuses options of a wrong type", () => {
    for (const rules of [null, "delta-id", ["delta-id"], [null]])
      expect(refused({ rules })).toThrow("rules in the options of verifyStore must be a list of rules");
    for (const context of [null, "00", new Uint8Array(31), new Uint16Array(32)])
      expect(refused({ context })).toThrow("context in the options of verifyStore must be 32 bytes");
    expect(refused({ group: new Uint8Array(31) })).toThrow(
      "group in the options of verifyStore must be 32 bytes",
    );
    const id = new Uint8Array(32);
    expect(refused({ context: id, group: id })).toThrow("verifyStore takes a context or a group, not both");
    for (const blobs of [null, "node/blobs", {}])
      expect(refused({ blobs })).toThrow("blobs in the options of verifyStore must be the files of blobs");
    for (const work of [null, {}, { verify: () => [] }])
      expect(refused({ work })).toThrow("work in the options of verifyStore must be work");
    expect(refused({ onProgress: 1 })).toThrow("onProgress in the options of verifyStore must be a function");
  });

  it("keeps a context whose bytes are used again before the check begins", async () => {
    const store = await inMemory("core-0.11/node-a", core011);
    const context = Buffer.from("321161a6684de1003629590eb6043bc6bffda5423c9cb4c4436f3f4fce172450", "hex");
    const verification = verifyStore(store, { context, rules: undefined });
    context.fill(0);
    expect((await verification.summary()).rows).toBeGreaterThan(0);
  });
});

it("workerThreads refuses what is no number of threads or signatures", () => {
  const refused = (options: unknown) => () => workerThreads(options as never);
  expect(refused({ thread: 1 })).toThrow('unknown name "thread" in the options of workerThreads');
  for (const threads of [0, 1.5, "2", null])
    expect(refused({ threads })).toThrow(
      "threads in the options of workerThreads must be a whole number from 1",
    );
  expect(refused({ patience: -1 })).toThrow(
    "patience in the options of workerThreads must be a whole number from 0",
  );
  expect(refused(null)).toThrow("expected the options of workerThreads as a plain object, not null");
});

it("blobFolder refuses what is no path", async () => {
  for (const path of [undefined, null, 1, ""])
    await expect(blobFolder(path as never)).rejects.toThrow(
      "the folder of blob files must be a non-empty string or a URL",
    );
});
