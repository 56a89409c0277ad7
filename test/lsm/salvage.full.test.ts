/** The findings in damaged logs and tables, in files that are made by hand. */
import { describe, expect, it } from "vitest";
import { findBlocks, findChecks } from "../../src/engines/files/recover/block-search.js";
import { CrcRanges } from "../../src/lsm/format/crc-ranges.js";
import { crc32c, maskCrc } from "../../src/lsm/format/crc32c.js";
import { type LogPiece, LogSalvage, salvageLog } from "../../src/lsm/format/damaged-log.js";
import { BLOCK } from "../../src/lsm/format/log-records.js";
import { readPartOfManifest } from "../../src/lsm/format/manifest.js";
import { measureBlock as measure } from "../../src/lsm/format/measure-block.js";
import type { FileSource } from "../../src/lsm/source.js";
import { u32 } from "../engines/files/fuzz/byte-writer.js";
import { physical } from "../engines/files/fuzz/logs.js";
import { Random } from "../engines/files/history.js";
import { MemoryFiles } from "../engines/files/memory-files.js";
import { listOf } from "../support/lists.js";

/** One physical record. */
const part = (type: number, payload: Uint8Array): Buffer => Buffer.from(physical(type, payload));

/** The content of a log: the text of each record, and `[offset, end)` of each gap. */
function read(log: Uint8Array, number?: number): string[] {
  return [...salvageLog(log, number)].map(({ record, gap }) =>
    record === undefined ? `[${gap.offset}, ${gap.end})` : Buffer.from(record.payload).toString().slice(0, 8),
  );
}

/** Records in blocks, which are filled with zeros where the next one does not fit. */
function inBlocks(parts: readonly Buffer[]): Buffer[] {
  const blocks: Buffer[] = [];
  let block: Buffer = Buffer.alloc(0);
  for (const one of parts) {
    const longer = Buffer.concat([block, one]);
    if (longer.length > BLOCK - 7) blocks.push(Buffer.concat([block, Buffer.alloc(BLOCK - block.length)]));
    block = longer.length > BLOCK - 7 ? one : longer;
  }
  return [...blocks, Buffer.concat([block, Buffer.alloc(BLOCK - block.length)])];
}

function text({ record, gap }: LogPiece): string {
  return record === undefined
    ? JSON.stringify(gap)
    : `${record.offset} ${Buffer.from(record.payload).toString("hex")}`;
}

function inPieces(log: Uint8Array, size: number): string[] {
  const salvage = new LogSalvage(undefined, {
    size: log.length,
    used: log.findLastIndex((byte) => byte !== 0) + 1,
  });
  const found: string[] = [];
  const memory = Buffer.alloc(size);
  for (let at = 0; at < log.length; at += size) {
    const length = Math.min(size, log.length - at);
    memory.set(log.subarray(at, at + length));
    for (const piece of salvage.read(memory.subarray(0, length))) found.push(text(piece));
  }
  return found;
}

/** Records of 17 bytes: `record 0` at 0, `record 1` at 15, … */
const short = (count: number) =>
  Buffer.concat(Array.from({ length: count }, (_, at) => part(1, Buffer.from(`record ${at}`))));

describe("the records of a damaged log", () => {
  it("go on after a damaged body", () => {
    const log = short(4);
    log[15 + 9] = 0xff;
    expect(read(log)).toEqual(["record 0", "[15, 30)", "record 2", "record 3"]);
  });

  it.each([4, 5, 6])("go on after a damaged header, byte %i of it", (byte) => {
    const log = short(4);
    log[15 + byte] = 0x77;
    expect(read(log)).toEqual(["record 0", "[15, 30)", "record 2", "record 3"]);
  });

  it("go on after zeros, and after several damaged records", () => {
    const log = short(6);
    log.fill(0, 17, 50);
    expect(read(log)).toEqual(["record 0", "[15, 60)", "record 4", "record 5"]);
  });

  it("do not have the bytes of a log that a value contains", () => {
    const inner = part(1, Buffer.from("a record in a value"));
    const log = Buffer.concat([short(1), part(1, Buffer.concat([Buffer.from("value "), inner])), short(1)]);
    log[15 + 8] = 0xff;
    expect(read(log)).toEqual(["record 0", `[15, ${15 + 13 + inner.length})`, "record 0"]);
  });

  it("of several parts come whole or not at all", () => {
    const first = part(2, Buffer.alloc(BLOCK - 15 - 7, "a"));
    const log = Buffer.concat([
      short(1),
      first,
      part(3, Buffer.alloc(BLOCK - 7, "b")),
      part(4, Buffer.from("end")),
      short(1),
    ]);
    expect(read(log)).toEqual(["record 0", "aaaaaaaa", "record 0"]);
    const end = 2 * BLOCK + 10;
    for (const at of [15, 20, BLOCK - 1, BLOCK + 6, BLOCK + 100, 2 * BLOCK + 8]) {
      const damaged = Buffer.from(log);
      damaged[at] = (damaged[at] as number) ^ 0xff;
      expect(read(damaged), `byte ${at}`).toEqual(["record 0", `[15, ${end})`, "record 0"]);
    }
    expect(read(log.subarray(0, end - 1))).toEqual(["record 0", `[15, ${end - 1})`]);
  });

  it("end where those of the log begin that the file was before", () => {
    const recycled = (number: number, text: string) => {
      const bytes = Buffer.alloc(4 + text.length, text);
      bytes.writeUInt32LE(number);
      bytes.write(text, 4);
      const whole = part(5, bytes);
      whole.writeUInt16LE(text.length, 4); // without the number of the log
      return whole;
    };
    const log = Buffer.concat([recycled(9, "new 1"), recycled(9, "new 2"), recycled(4, "old")]);
    expect(read(log, 9)).toEqual(["new 1", "new 2"]);
  });

  it("are found between any number of headers with false lengths", () => {
    const block = Buffer.alloc(BLOCK);
    const count = 900;
    for (let at = 0; at < count; at++) {
      part(1, Buffer.from("whole")).copy(block, 24 * at);
      // To the end of the block, with a checksum that is wrong.
      block.writeUInt16LE(BLOCK - 24 * at - 24 - 8, 24 * at + 16);
      block[24 * at + 18] = 1;
    }
    const found = read(Buffer.concat([block, block, short(1)]));
    expect(found.filter((one) => one === "whole")).toHaveLength(2 * count);
    expect(found.filter((one) => one.startsWith("["))).toHaveLength(2 * count);
    expect(found.slice(0, 3)).toEqual(["whole", "[12, 24)", "whole"]);
    expect(found.at(-1)).toBe("record 0");
  });

  it("are the same if the log is read in pieces, whose memory is used again", () => {
    const random = new Random(7);
    const parts = Array.from({ length: 40 }, (_, at) => part(1, Buffer.alloc(random.below(9000), `${at} `)));
    const long = [
      part(2, Buffer.alloc(BLOCK - 7, "a")),
      part(3, Buffer.alloc(BLOCK - 7, "b")),
      part(4, Buffer.alloc(BLOCK - 7, "c")),
    ];
    const blocks = [...inBlocks(parts), ...long, ...inBlocks(parts), ...long];
    for (let round = 0; round < 200; round++) {
      const log = Buffer.concat(blocks).subarray(
        0,
        random.below(2) === 0 ? undefined : random.below(600_000),
      );
      for (let damage = random.below(6); damage > 0; damage--) {
        const at = random.below(log.length);
        log.subarray(at, at + random.below(40_000)).fill(random.below(2) * 0xa5);
      }
      if (random.below(3) === 0) log.fill(0, random.below(log.length));
      expect(inPieces(log, BLOCK * (1 + random.below(3)))).toEqual([...salvageLog(log, undefined)].map(text));
    }
  });

  it("are looked for by checksums of ranges, which are those of the bytes", () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, at) => (at * 37) % 251);
    const ranges = new CrcRanges(bytes, 10, 300);
    for (const [start, end] of [
      [10, 10],
      [10, 300],
      [11, 12],
      [100, 299],
      [37, 165],
    ] as const)
      expect(ranges.of(start, end)).toBe(crc32c(bytes, start, end));
  });
});

describe("the end of a log", () => {
  it("may be space that was reserved and not used", () => {
    expect(read(Buffer.concat([short(2), Buffer.alloc(2 * BLOCK)]))).toEqual(["record 0", "record 1"]);
  });

  it("is told apart: a record that the file ends in, and a damaged one", () => {
    const isTruncated = (log: Uint8Array) => [...salvageLog(log, undefined)].at(-1)?.gap?.isTruncated;
    const damaged = short(2);
    damaged[15 + 9] = 0xff;
    expect(isTruncated(short(2).subarray(0, 20))).toBe(true);
    expect(isTruncated(short(2).subarray(0, 28))).toBe(true);
    expect(isTruncated(damaged)).toBe(false);
  });
});

describe("the edits of a damaged MANIFEST", () => {
  /** An edit that adds a family. `remaining` says how many edits of its group follow. */
  const add = (id: number, remaining?: number) => {
    const group = remaining === undefined ? [] : [0xac, 0x02, remaining];
    return { offset: 0, payload: Uint8Array.of(0xc8, 1, id, 0xc9, 1, 1, 0x60 + id, ...group) };
  };
  const drop = (id: number) => ({ offset: 0, payload: Uint8Array.of(0xc8, 1, id, 0xca, 1) });
  const names = (...records: Parameters<typeof readPartOfManifest>[0]) =>
    readPartOfManifest(records).columns.map(({ name }) => name);

  it("count as a group or not at all", () => {
    expect(names(add(1, 2), add(2, 1), add(3, 0), add(4))).toEqual(["default", "a", "b", "c", "d"]);
    expect(names(add(1, 2), undefined, add(3, 0), add(4))).toEqual(["default", "d"]);
    expect(names(undefined, add(2, 1), add(3, 0), add(4))).toEqual(["default", "d"]);
    expect(names(add(1, 2), add(3, 0), add(4))).toEqual(["default", "d"]);
    expect(names(add(1, 2), add(4), add(5))).toEqual(["default", "d", "e"]);
  });

  it("name dropped families whose addition is lost", () => {
    expect([6, 7].filter((id) => readPartOfManifest([undefined, drop(7)]).droppedIds.has(id))).toEqual([7]);
  });
});

/** A block with a restart point every two entries, and its trailer: no compression, CRC-32C. */
function block(keys: readonly string[]): Buffer {
  const entries: Buffer[] = [];
  const restarts: number[] = [];
  let at = 0;
  for (const [index, key] of keys.entries()) {
    const shared = index % 2 === 0 ? 0 : 1;
    if (shared === 0) restarts.push(at);
    const trailer = Buffer.from([1, index + 1, 0, 0, 0, 0, 0, 0]);
    const rest = Buffer.concat([Buffer.from(key.slice(shared)), trailer]);
    const entry = Buffer.concat([Buffer.from([shared, rest.length, 5]), rest, Buffer.from("value")]);
    entries.push(entry);
    at += entry.length;
  }
  const words = Buffer.concat([...restarts, restarts.length].map(u32));
  return withSum(Buffer.concat([...entries, words, Buffer.from([0])]));
}

function withSum(contents: Buffer): Buffer {
  return Buffer.concat([contents, u32(maskCrc(crc32c(contents)))]);
}

const source = (bytes: Uint8Array) =>
  new MemoryFiles(new Map([["table", bytes]]), true).open("table") as FileSource;

const measureBlock = (bytes: Uint8Array, start: number, left: number) =>
  measure(bytes, start, left, { left: 1e6 });

async function offsets(bytes: Uint8Array): Promise<number[] | undefined> {
  const checks = await findChecks(source(bytes));
  if (checks === undefined) return undefined;
  return (await listOf(findBlocks(source(bytes), checks))).map(({ offset }) => offset);
}

describe("the blocks of a table without an index", () => {
  const blocks = [block(["a1", "a2", "a3"]), block(["b1", "b2"]), block(["c1", "c2", "c3", "c4", "c5"])];
  const starts = [0, blocks[0]?.length, (blocks[0]?.length ?? 0) + (blocks[1]?.length ?? 0)] as number[];
  const table = Buffer.concat([...blocks, Buffer.alloc(60, 0xee)]);

  it("end after their restart points", () => {
    for (const [at, start] of starts.entries())
      expect(measureBlock(table, start, table.length - start)).toBe((blocks[at]?.length ?? 0) - 5);
    expect(measureBlock(table, 1, table.length - 1)).toBeUndefined();
    expect(measureBlock(table.subarray(0, 30), 0, table.length)).toBe("more");
    expect(measureBlock(table.subarray(0, 30), 0, 30)).toBeUndefined();
  });

  it("are found one after another", async () => {
    expect(await offsets(table)).toEqual(starts);
  });

  it("are found after a damaged one, whichever of its bytes is damaged", async () => {
    for (let at = 0; at < (blocks[0]?.length ?? 0); at++) {
      const damaged = Buffer.from(table);
      damaged[at] = (damaged[at] as number) ^ 0x55;
      expect(await offsets(damaged), `byte ${at}`).toEqual(starts.slice(1));
    }
  });

  it("are found after damage even if one is longer than what is read at once", async () => {
    const entry = Buffer.concat([
      Buffer.from([0, 9, 0x80, 0x80, 0x80, 1]),
      Buffer.from("k\u0001\0\0\0\0\0\0\0"),
    ]);
    const end = Buffer.from([0, 0, 0, 0, 1, 0, 0, 0, 0]);
    const long = withSum(Buffer.concat([entry, Buffer.alloc(2 * 1024 * 1024, 7), end]));
    expect(await offsets(Buffer.concat([Buffer.alloc(1000, 0xee), long, table]))).toEqual([
      1000,
      ...starts.map((start) => 1000 + long.length + start),
    ]);
  });

  it("are looked for with bounded effort where every byte may begin a long block", async () => {
    // Each entry is a key without a value, and each third byte begins one. No block ends.
    const hostile = Buffer.alloc(3 * 1024 * 1024, Buffer.from([0, 3, 0, 0, 3, 0]));
    expect(await offsets(hostile)).toBeUndefined();
    const effort = { left: 1000 };
    expect(measure(hostile, 0, hostile.length, effort)).toBeUndefined();
    expect(effort.left).toBeLessThan(0);
  });

  it("are none where no checksum holds", async () => {
    expect(await offsets(Buffer.alloc(5000))).toBeUndefined();
    expect(await offsets(Buffer.alloc(5000, 0x11))).toBeUndefined();
  });
});
