/** Batches of a damaged log that are not where they were written. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BatchOrder } from "../../../src/engines/files/recover/batch-order.js";
import { openFilesEngine, type RecoveryFinding, recoverDatabase } from "../../../src/engines/index.js";
import { BLOCK } from "../../../src/lsm/format/log-records.js";
import { logsOf } from "../../support/files.js";
import { cleanUpAfterEach, temporaryFolder } from "../temporary.js";
import { openTuned } from "./tuned.js";

cleanUpAfterEach();

/** The indexes of the batches that are out of place. A batch is given as `[first, changes]`. */
function outOfPlace(...batches: readonly (readonly [first: number, changes: number])[]): number[] {
  const order = new BatchOrder();
  for (const [first, changes] of batches) order.add(first, changes);
  const isOut = order.outOfPlace();
  return batches.map((_, at) => at).filter((at) => isOut(at));
}

describe("the order of batches", () => {
  it("accepts rising sequence numbers, with or without gaps, and an empty log", () => {
    expect(outOfPlace()).toEqual([]);
    expect(outOfPlace([1, 2], [3, 1], [4, 5])).toEqual([]);
    expect(outOfPlace([7, 2], [300, 1], [0, 0], [301, 5], [900, 1])).toEqual([]);
  });

  it("rejects batches before many with lower numbers, and batches after higher numbers", () => {
    expect(outOfPlace([1, 2], [90, 5], [3, 10], [13, 80])).toEqual([1]);
    expect(outOfPlace([90, 5], [1, 50], [51, 1])).toEqual([0]);
    expect(outOfPlace([1, 50], [10, 5], [51, 50])).toEqual([1]);
    expect(outOfPlace([1, 50], [70, 9], [0, 0], [60, 2], [79, 9])).toEqual([3]);
  });

  it("accepts batches that repeat earlier numbers: recovery leaves them out by their numbers", () => {
    expect(outOfPlace([1, 50], [41, 10], [51, 50])).toEqual([]);
  });

  it("rejects nothing in a log of too many runs", () => {
    const batches = Array.from({ length: 5000 }, (_, at) => [10_000 - 2 * at, 1] as const);
    expect(outOfPlace(...batches)).toEqual([]);
  });
});

it("a block of later writes in the place of another one costs the rows of that block only", async () => {
  const [path, recovered] = [temporaryFolder(), join(temporaryFolder(), "recovered")];
  const tuning = { tableBlockSize: 4096, tableFormatVersion: 5, writeBufferSize: 1 << 24, columns: [] };
  const { engine } = await openTuned(path, tuning);
  const keys = Array.from({ length: 500 }, (_, at) => Buffer.from(`key ${String(at).padStart(3, "0")}`));
  for (const key of keys)
    await engine.write([{ type: "put", column: "default", key, value: new Uint8Array(400) }]);
  await engine.close();
  const [name = ""] = logsOf(path);
  const log = readFileSync(join(path, name));
  log.copyWithin(BLOCK, 5 * BLOCK, 6 * BLOCK);
  writeFileSync(join(path, name), log);
  const found: RecoveryFinding[] = [];
  await recoverDatabase(path, recovered, { onFinding: (finding) => void found.push(finding) });
  const files = await openFilesEngine(recovered);
  const values = await files.getMany("default", keys);
  await files.close();
  const missing = keys.flatMap((_, at) => (values[at] === undefined ? [at] : []));
  expect(missing.length).toBeGreaterThan(70);
  expect((missing.at(-1) ?? 0) - (missing[0] ?? 0)).toBe(missing.length - 1);
  expect(missing.length).toBeLessThan(80);
  expect(found.some(({ message }) => message.includes("another place in the log"))).toBe(true);
});
