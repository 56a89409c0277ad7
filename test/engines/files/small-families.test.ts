/** The rows of a small column family stay in memory from the second scan on. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFiles } from "../../../src/engines/files/index.js";
import { openRocksEngine } from "../../../src/engines/index.js";
import { contentsOf } from "../../support/files.js";
import { fixturePath } from "../../support/fixtures.js";
import { rowText } from "../../support/transfer.js";
import { cleanUpAfterEach, temporaryFolder } from "../temporary.js";
import { MemoryFiles } from "./memory-files.js";

cleanUpAfterEach();

const files = contentsOf(fixturePath("core-0.11/tables", "db"));
const bounds = [{}, { gte: Uint8Array.of(0x21) }, { lt: Uint8Array.of(0x22) }, { gt: Uint8Array.of(0x25) }];
const options = [
  {},
  { reverse: true },
  { keysOnly: true },
  { limit: 3 },
  { limit: 3, reverse: true },
  { keysOnly: true, reverse: true, limit: 1 },
];

/** Scans Group in all ways. Returns the rows, and how often files were read. */
async function scans(cacheBytes: number | undefined) {
  const memory = new MemoryFiles(files, true);
  await using engine = await openFiles(memory, { cacheBytes });
  const before = memory.reads.length;
  const found: string[] = [];
  for (const range of bounds)
    for (const option of options) {
      const rows = await engine.scan("Group", range, option).toArray();
      found.push(...rows.map((row) => rowText("Group", row)), "");
    }
  return { found, reads: memory.reads.length - before };
}

class FailingFiles extends MemoryFiles {
  isFailing = false;

  override open(file: string) {
    const source = super.open(file);
    return (
      source && {
        ...source,
        read: async (offset: number, target: Uint8Array) => {
          if (this.isFailing) throw new Error("a read failed");
          return source.read(offset, target);
        },
      }
    );
  }
}

describe("a small column family", () => {
  it("is read twice for any number of scans, with the same rows", async () => {
    const without = await scans(0);
    const kept = await scans(undefined);
    expect(kept.found).toEqual(without.found);
    expect(kept.found.length).toBeGreaterThan(bounds.length * options.length);
    expect(without.reads).toBeGreaterThan(bounds.length * options.length);
    expect(kept.reads).toBeLessThan(without.reads / 4);
  });

  it("is read again after reads have failed", async () => {
    const path = join(temporaryFolder(), "db");
    const rows = [1, 2, 3].map((key) => ({ key: Uint8Array.of(key), value: Uint8Array.of(key) }));
    {
      await using writer = await openRocksEngine(path, { create: true, columns: ["a"] });
      await writer.write(rows.map((row) => ({ type: "put", column: "a", ...row })));
      await writer.flush();
      // Range deletions are read before the rows.
      await writer.write([{ type: "deleteRange", column: "a", gte: Uint8Array.of(2), lt: Uint8Array.of(3) }]);
      await writer.flush();
    }
    const memory = new FailingFiles(contentsOf(path), false);
    await using engine = await openFiles(memory);
    const keys = async () => (await engine.scan("a").toArray()).flatMap(({ key }) => [...key]);
    memory.isFailing = true;
    for (let count = 0; count < 2; count++) await expect(keys()).rejects.toThrow("a read failed");
    memory.isFailing = false;
    for (let count = 0; count < 3; count++) expect(await keys()).toEqual([1, 3]);
  });

  it("is not kept where damage is left out: only what a scan meets is reported", async () => {
    const memory = new MemoryFiles(files, true);
    const found: string[] = [];
    await using engine = await openFiles(memory, { onDamage: (column) => void found.push(column) });
    for (let count = 0; count < 3; count++) for await (const _ of engine.scan("Group")) break;
    const before = memory.reads.length;
    for await (const _ of engine.scan("Group")) break;
    expect(memory.reads.length).toBeGreaterThan(before);
    expect(found).toEqual([]);
  });
});
