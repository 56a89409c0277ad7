/**
 * Hostile bytes: reading them ends, takes little memory, gives keys in order, and fails only with errors that have a
 * code.
 */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openFiles } from "../../../src/engines/files/index.js";
import { loadZstd } from "../../../src/lsm/format/zstd.js";
import { contentsOf } from "../../support/files.js";
import { randomNumbers } from "../../support/random-values.js";
import { countRows } from "../rocksdb/helpers.js";
import { fixture } from "../temporary.js";
import { LOG, MANIFEST, smallDatabase } from "./fuzz/databases.js";
import { exercise } from "./fuzz/exercise.js";
import { bombs } from "./fuzz/hostile-bombs.js";
import { bodies, correct, dictionaries, scrambledBodies, sizes } from "./fuzz/hostile-compression.js";
import { batches, edits, records, texts } from "./fuzz/hostile-logs.js";
import { lengths, places, properties, restartPoints } from "./fuzz/hostile-tables.js";
import type { Below } from "./fuzz/mutations.js";
import { looseBlocks, sealedBlocks, sealedLogs } from "./fuzz/random-files.js";
import { Runner } from "./fuzz/runner.js";
import { MemoryFiles } from "./memory-files.js";

/** Error messages of the readers, each from another depth. */
const REACHED = [
  "does not name a MANIFEST",
  "the parts of a record are out of order",
  "zeros are where a record should be",
  "the log is compressed",
  "the log has a prepared transaction",
  "the sequence numbers in",
  "a version edit has the unknown field",
  "a group of version edits is not complete",
  "a name is not UTF",
  "which OPTIONS",
  "as tables of level",
  "its footer is malformed",
  "tables have the format version",
  "the kind of checksum",
  "the metaindex names no index",
  "a table has no properties",
  "a table is ordered by",
  "an index has first keys",
  "a block is beyond the end of the file",
  "the index names a block beyond the end of the file",
  "keys have over",
  "a block has more restart points than bytes",
  "a restart point is beyond the entries",
  "a key shares more bytes than the previous key has",
  "an entry is truncated",
  "a length in a block is truncated or too long",
  "an internal key is shorter than",
  "an entry has the impossible type",
  "an entry is a merge operand",
  "the keys of a block are out of order",
  "the keys of a block have more than",
  "the blocks of a table are out of order",
  "a range deletion ends before it begins",
  "a block has the unknown compression",
  "the size of a compressed block is impossible",
  "it needs the dictionary",
  "blocks are compressed with a dictionary of",
  "a compressed block cannot be decompressed",
  "the size of a compressed block is not the declared size",
  "decompressed bytes",
];

let runner: Runner;
beforeAll(async () => {
  runner = new Runner();
  await loadZstd(); // takes a moment
  // Opening waits a little and looks again, in case a writer is at work. Here no writer is.
  vi.stubGlobal("setTimeout", (work: () => void) => setImmediate(work));
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await runner.stop();
});

function seeded(seed: number): Below {
  const random = randomNumbers(seed);
  return (bound) => Math.floor(random() * bound);
}

const small = smallDatabase();
const real = contentsOf(fixture("core-0.11/every-kind-tables"));

describe("the inputs of the hostile files", () => {
  it("is correct if it is not changed", async () => {
    for (const files of [small, real]) {
      const { rows, errors } = await exercise(files, { now: true, checksums: true });
      expect(errors).toEqual([]);
      expect(rows).toBeGreaterThan(300);
    }
    for (const { name, files } of correct()) {
      const engine = await openFiles(new MemoryFiles(files, true));
      expect(await countRows(engine), name).toBe(20);
    }
  });
});

describe("random bytes", () => {
  it.each([
    ["blocks without checksums", false, () => looseBlocks(small, 2_000, seeded(1))],
    ["blocks of RocksDB's without checksums", false, () => looseBlocks(real, 200, seeded(2))],
    ["blocks and footers that are sealed", true, () => sealedBlocks(small, 1_500, seeded(3))],
    ["blocks and footers of RocksDB's that are sealed", true, () => sealedBlocks(real, 100, seeded(4))],
    ["a log that is sealed", true, () => sealedLogs(small, LOG, 1_200, seeded(5))],
    ["a MANIFEST that is sealed", true, () => sealedLogs(small, MANIFEST, 1_500, seeded(6))],
    ["compressed blocks", false, () => scrambledBodies(700, seeded(7))],
  ] as const)("do no harm in %s", async (_, checksums, make) => {
    expect(await runner.run(make(), { checksums })).toEqual([]);
  });
});

describe("bytes made to do harm", () => {
  it.each([
    ["lengths", lengths],
    ["restart points", restartPoints],
    ["places of blocks", places],
    ["properties", properties],
    ["sizes of compressed blocks", sizes],
    ["compressed blocks", bodies],
    ["dictionaries", dictionaries],
    ["batches", batches],
    ["records of logs", records],
    ["version edits", edits],
    ["texts", texts],
    ["much of anything, at once", bombs, true],
    ["much of anything, later", bombs, false],
  ] as const)("do none: %s", async (_, make, now?: boolean) => {
    expect(await runner.run(make(), { checksums: true, now })).toEqual([]);
  });

  it("are many, and reach all of the readers", () => {
    expect(runner.cases).toBeGreaterThanOrEqual(20_000);
    expect(runner.whole).toBeGreaterThan(500);
    expect(runner.rows).toBeGreaterThan(1_000_000);
    const met = [...runner.errors.keys()];
    expect(REACHED.filter((what) => !met.some((kind) => kind.includes(what)))).toEqual([]);
  });
});
