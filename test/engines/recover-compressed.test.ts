/** Recoveries of compressed tables whose indexes, footers or dictionaries are damaged. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderFiles } from "../../src/disk/folder.js";
import { readEnds } from "../../src/engines/files/recover/found-ends.js";
import { openFilesEngine } from "../../src/engines/index.js";
import { measureLz4, measureZstd } from "../../src/lsm/format/measure-compressed.js";
import type { FileSource } from "../../src/lsm/source.js";
import { tablesOf } from "../support/files.js";
import { fixturePath } from "../support/fixtures.js";
import { copyInto } from "./files/damage/databases.js";
import { tableLayout } from "./files/damage/table-layout.js";
import { MemoryFiles } from "./files/memory-files.js";
import { recovered, rowCounts, sum } from "./recovered.js";
import { cleanUpAfterEach, temporaryFolder } from "./temporary.js";

cleanUpAfterEach();

const sample = (name: string) => fixturePath("core-1.0", "samples", name);
const FOOTER = 53;

async function whole(path: string) {
  await using engine = await openFilesEngine(path);
  return await rowCounts(engine.columns, (column) => engine.scan(column).chunks());
}

function change(path: string, at: (table: Uint8Array) => number): void {
  const bytes = new Uint8Array(readFileSync(path));
  const place = at(bytes);
  bytes[place] = (bytes[place] as number) ^ 0x55;
  writeFileSync(path, bytes);
}

describe.each(["node-zstd-dictionary", "raw-dictionaries"])("a recovery of %s", (name) => {
  it("finds the blocks and the dictionaries of tables without footers", async () => {
    const path = copyInto(temporaryFolder(), sample(name));
    for (const table of tablesOf(path)) change(join(path, table), ({ length }) => length - FOOTER + 30);
    const { counts, lost } = await recovered(folderFiles(path));
    expect(lost).toEqual([]);
    expect(counts).toEqual(await whole(sample(name)));
  });
});

describe("a recovery of a compressed table", () => {
  const dictionaryOf = async (path: string) => {
    const { blocks } = await tableLayout(new Uint8Array(readFileSync(path)));
    return blocks.find((block) => block.name === "compression_dict")?.handle.offset as number;
  };

  it("reports the loss of the dictionary, with its index and without", async () => {
    const path = copyInto(temporaryFolder(), sample("node-zstd-dictionary"));
    const table = join(path, "000033.sst");
    const offset = await dictionaryOf(table);
    change(table, () => offset + 100);
    const all = await whole(sample("node-zstd-dictionary"));
    const { counts, findings, lost } = await recovered(folderFiles(path));
    expect(findings[0]).toMatchObject({
      file: "000033.sst",
      message: "the dictionary of compressed blocks cannot be read: the checksum of a block is wrong",
    });
    expect(lost.length).toBe(412);
    expect(lost[0]?.message).toMatch(
      /^a block of rows is left out: .*it needs the dictionary \d+, and the table has none/,
    );
    expect(sum(counts)).toBeLessThan(sum(all));
    change(table, ({ length }) => length - FOOTER + 30);
    const without = await recovered(folderFiles(path));
    expect(without.counts).toEqual(counts);
    expect(without.lost).toMatchObject([
      {
        message: "rows are left out: 412 blocks are compressed with a dictionary that was not found",
        column: "State",
        offset: 0,
      },
    ]);
  });
});

describe("the end of a compressed block", () => {
  const measured = (type: number) => (type === 4 ? measureLz4 : measureZstd);

  it("is found by its own lengths", async () => {
    for (const name of ["node-zstd-dictionary", "raw-dictionaries"]) {
      let blocks = 0;
      for (const table of tablesOf(sample(name))) {
        const bytes = new Uint8Array(readFileSync(join(sample(name), table)));
        for (const { handle } of (await tableLayout(bytes)).blocks) {
          const type = bytes[handle.offset + handle.size] as number;
          if (type === 0) continue;
          blocks++;
          const at = (end: number, left: number) =>
            measured(type)(bytes.subarray(0, end), handle.offset, left, { left: 1e6 });
          expect(at(bytes.length, bytes.length - handle.offset), `${table} ${handle.offset}`).toBe(
            handle.size,
          );
          expect(at(handle.offset + handle.size - 1, handle.size)).toBe("more");
          expect(at(bytes.length, handle.size - 1)).toBeUndefined();
        }
      }
      expect(blocks).toBeGreaterThan(10);
    }
  });

  it("is not looked for beyond its effort, and lengths of many bytes cost what they take", () => {
    const lengths = new Uint8Array(1_000_000).fill(255);
    lengths.set([0x80, 0x80, 0x80, 0x40, 0xf0]);
    const effort = { left: 1000 };
    expect(measureLz4(lengths, 0, lengths.length, effort)).toBeUndefined();
    expect(effort.left).toBeLessThan(0);
    // A frame of empty blocks without a last one goes on beyond the given bytes.
    const frame = new Uint8Array(1_000_000);
    frame.set([0x10, 0x28, 0xb5, 0x2f, 0xfd]);
    const little = { left: 1000 };
    expect(measureZstd(frame, 0, 2 * frame.length, little)).toBeUndefined();
    expect(little.left).toBeLessThan(0);
    const enough = { left: 10_000_000 };
    expect(measureZstd(frame, 0, 2 * frame.length, enough)).toBe("more");
    expect(enough.left).toBeLessThan(9_000_000);
  });
});

describe("a dictionary without a metaindex", () => {
  it("is looked for at few of the places that look like its beginning", async () => {
    const name = "rocksdb.num.entries";
    const properties = Uint8Array.of(0, name.length, 1, ...Buffer.from(name), 0, 0, 0, 0, 0, 1, 0, 0, 0);
    const offset = 64 * 1024;
    const bytes = new Uint8Array(offset + properties.length + 5);
    for (let at = 16; at < offset; at += 4) bytes.set([0x37, 0xa4, 0x30, 0xec], at);
    bytes.set(properties, offset);
    const files = new MemoryFiles(new Map([["000001.sst", bytes]]), false);
    let checksums = 0;
    const checksum = () => {
      checksums++;
      return 0;
    };
    const found = [
      { offset: 0, size: 10, type: 7 },
      { offset, size: properties.length, type: 0 },
    ];
    const source = files.open("000001.sst") as FileSource;
    const ends = await readEnds(source, { checksum, baseContext: 0 }, found, undefined);
    expect(ends.properties).toEqual(properties);
    expect(checksums).toBe(1 + 8);
  });
});
