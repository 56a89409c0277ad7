import { describe, expect, it, vi } from "vitest";
import { findUnsupported } from "../../src/lsm/catalog/find-unsupported.js";
import { readOptionsFile } from "../../src/lsm/catalog/options-file.js";
import { ByteCursor, MalformedBytes } from "../../src/lsm/format/byte-cursor.js";
import { crc32c } from "../../src/lsm/format/crc32c.js";
import { readLog } from "../../src/lsm/format/log-records.js";
import { isBeforeRecord } from "../../src/lsm/format/log-tail.js";
import { MOST_FAMILIES, readManifest } from "../../src/lsm/format/manifest.js";
import { join } from "../engines/files/fuzz/byte-writer.js";
import { physical } from "../engines/files/fuzz/logs.js";
import { bytes } from "../engines/rocksdb/helpers.js";

describe("CRC-32C", () => {
  it("returns the known sums", () => {
    expect(crc32c(new TextEncoder().encode("123456789"))).toBe(0xe3069283);
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc32c(new Uint8Array(0))).toBe(0);
  });
});

describe("the log format", () => {
  const one = physical(1, bytes(1, 2, 3));

  it("yields records, joined over their parts", () => {
    const { records, end } = readLog(
      join(one, physical(2, bytes(4)), physical(3, bytes(5)), physical(4, bytes(6))),
    );
    expect(end).toEqual({ kind: "whole" });
    expect(records).toEqual([
      { offset: 0, payload: bytes(1, 2, 3) },
      { offset: 10, payload: bytes(4, 5, 6) },
    ]);
    expect(readLog(bytes())).toEqual({ records: [], end: { kind: "whole" } });
  });

  it("skips padding, reserved space and the records that may be skipped", () => {
    const block = new Uint8Array(32_768 - 7 - 2 - 7);
    const { records, end } = readLog(
      join(physical(1, block), physical(130, bytes()), bytes(0, 0), one, new Uint8Array(500)),
    );
    expect(end.kind).toBe("whole");
    expect(records.map(({ offset }) => offset)).toEqual([0, 32_768]);
  });

  it("detects zeros in place of a record: before others, and between the parts of one", () => {
    const zeros = new Uint8Array(32_768 - 10);
    expect(readLog(join(one, zeros, one)).end).toMatchObject({ kind: "damaged", offset: 10 });
    const first = physical(2, new Uint8Array(32_768 - 7));
    const end = physical(4, bytes(6));
    expect(readLog(join(first, new Uint8Array(32_768), end)).end).toMatchObject({ kind: "damaged" });
    expect(readLog(join(first, new Uint8Array(32_768))).end).toMatchObject({ kind: "torn", offset: 0 });
  });

  it("distinguishes a truncation at every byte from a whole log", () => {
    const log = join(one, physical(2, bytes(4)), physical(4, bytes(6)));
    for (let length = 0; length < log.length; length++) {
      const { end } = readLog(log.subarray(0, length));
      if (length === 0 || length === 10) expect(end.kind).toBe("whole");
      else expect(end, `${length} bytes`).toMatchObject({ kind: "torn", offset: length < 10 ? 0 : 10 });
    }
  });

  it("detects a truncation within the padding of a block", () => {
    const log = join(physical(1, new Uint8Array(32_768 - 7 - 3)), bytes(0, 0, 0));
    for (const [length, kind] of [
      [32_765, "whole"],
      [32_766, "torn"],
      [32_767, "torn"],
      [32_768, "whole"],
    ] as const) {
      expect(readLog(log.subarray(0, length)).end.kind, `${length} bytes`).toBe(kind);
    }
  });

  it("detects every flipped bit", () => {
    const log = join(one, one);
    for (let bit = 0; bit < 80; bit++) {
      const copy = log.slice();
      copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(readLog(copy).end.kind, `bit ${bit}`).not.toBe("whole");
    }
  });

  it("refuses parts out of order and unknown types", () => {
    for (const log of [
      physical(3, bytes(1)),
      physical(4, bytes(1)),
      join(physical(2, bytes(1)), one),
      physical(77, bytes(1)),
      join(physical(2, bytes(1)), physical(130, bytes()), physical(4, bytes(1))),
    ]) {
      expect(readLog(log).end).toMatchObject({ kind: "damaged" });
    }
  });
});

describe("a sector as it was before a record", () => {
  it.each([
    [4, 1020, true],
    [3, 1021, false],
    [1, 1023, false],
    [0, 512, false],
  ])("has %d zeros behind the record's beginning, or more", (_zeros, offset, isBefore) => {
    const file = new Uint8Array(2048).fill(1, 0, offset);
    expect(isBeforeRecord(file, offset)).toBe(isBefore);
    // In the last sector of the file.
    expect(isBeforeRecord(file.subarray(0, 1024), offset)).toBe(isBefore);
  });

  it("has nothing but zeros there", () => {
    const file = new Uint8Array(1024).fill(1, 0, 600);
    expect(isBeforeRecord(file, 600)).toBe(true);
    expect(isBeforeRecord(file.fill(1, 1023), 600)).toBe(false);
  });
});

describe("the MANIFEST", () => {
  const start = bytes(3, 9, 4, 0); // next file 9, last sequence 0
  /** `key` and the type "value", the sequence number 3; with its length before it. */
  const internalKey = (key: number) => [9, key, 1, 3, 0, 0, 0, 0, 0, 0];
  const newFile = (number: number, size: number) => [
    7,
    1,
    number,
    size,
    ...internalKey(0x61),
    ...internalKey(0x62),
  ];
  const edits = (...payloads: Uint8Array[]) => payloads.map((payload, offset) => ({ offset, payload }));

  it("contains added and dropped families, and their files", () => {
    const manifest = readManifest(
      edits(
        start,
        bytes(200, 1, 1, 201, 1, 1, 0x61, 2, 5), // family 1 is "a", its log 5
        bytes(200, 1, 2, 201, 1, 1, 0x62), // family 2 is "b"
        bytes(200, 1, 1, ...newFile(12, 50), ...newFile(13, 60)), // files 12 and 13 in a
        bytes(200, 1, 1, 6, 1, 12), // file 12 deleted
        bytes(200, 1, 2, 202, 1), // b dropped
        bytes(0x85, 0x40, 1, 0x7a), // a field that may be skipped
      ),
    );
    expect(manifest.columns.map(({ name }) => name)).toEqual(["default", "a"]);
    expect([...manifest.dropped]).toEqual([["b", 2]]);
    expect(manifest.liveFiles).toEqual([
      {
        number: 13,
        size: 60,
        column: "a",
        level: 1,
        smallest: { key: bytes(0x61), sequence: 3, type: 1 },
        largest: { key: bytes(0x62), sequence: 3, type: 1 },
        largestSequence: undefined,
        encoded: bytes(...newFile(13, 60)),
      },
    ]);
    expect([11, 12, 13].filter((number) => manifest.deletedFiles.has(number))).toEqual([12]);
    expect(manifest.minLogNumber).toBe(0);
  });

  it("lists logs until the newest of them leaves the list", () => {
    const added = (log: number) => bytes(0x87, 0x40, 1, log);
    const below = (log: number) => bytes(0x88, 0x40, 1, log);
    const tracksLogs = (...some: Uint8Array[]) => readManifest(edits(start, ...some)).tracksLogs;
    expect(tracksLogs()).toBe(false);
    expect(tracksLogs(added(5), added(4), below(5))).toBe(true);
    expect(tracksLogs(added(5), below(6))).toBe(false);
    expect(tracksLogs(added(5), below(6), added(3))).toBe(true);
  });

  it("may choose any numbers: none is a key of a map whose hashes are known in advance, beyond a bound", () => {
    const varint = (number: number): number[] =>
      number < 128 ? [number] : [(number & 127) | 128, ...varint(number >>> 7)];
    const numbers = Array.from({ length: 10_000 }, (_, at) => 2 ** 14 * at);
    const records = edits(
      start,
      ...numbers.map((number) => bytes(7, 1, ...varint(number), 1, ...internalKey(1), ...internalKey(2))),
      ...numbers.map((number) => bytes(6, 1, ...varint(number + 1))),
      ...numbers.map((number) => bytes(200, 1, ...varint(number), 202, 1)),
      ...numbers.map((number) => bytes(200, 1, ...varint(number + 1), 201, 1, 1, 0x61)),
      ...numbers.map((number) => bytes(0x87, 0x40, varint(number).length, ...varint(number))),
    );
    let steps = 0;
    const items = Object.getPrototypeOf(new Set().values()) as Iterator<unknown>;
    const real = { set: Map.prototype.set, add: Set.prototype.add, next: items.next };
    const spies = [
      vi.spyOn(Map.prototype, "set").mockImplementation(function (this: Map<unknown, unknown>, key, value) {
        if (typeof key === "number") steps++;
        return real.set.call(this, key, value);
      }),
      vi.spyOn(Set.prototype, "add").mockImplementation(function (this: Set<unknown>, item) {
        if (typeof item === "number") steps++;
        return real.add.call(this, item);
      }),
      vi.spyOn(items, "next").mockImplementation(function (this: Iterator<unknown>) {
        steps++;
        return real.next.call(this);
      }),
    ];
    let manifest: ReturnType<typeof readManifest>;
    try {
      manifest = readManifest(records);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    expect(manifest.columns).toHaveLength(MOST_FAMILIES);
    expect(manifest.unsupported[0]?.message).toBe("it has more than 4096 column families");
    expect(steps).toBeLessThan(2 * MOST_FAMILIES);
  });

  it("refuses two column families of one name, but not one after the other", () => {
    const made = (id: number) => bytes(200, 1, id, 201, 1, 1, 0x61);
    const found = (...changes: Uint8Array[]) => {
      const manifest = readManifest(edits(start, ...changes));
      const files = { where: (name: string) => name };
      return findUnsupported({ files, manifest, manifestName: "MANIFEST-000001" } as never)?.message;
    };
    expect(found(made(1), made(2))).toContain("two column families have one name, as after a repair");
    expect(found(made(1), bytes(200, 1, 1, 202, 1), made(2))).toBeUndefined();
  });

  it("refuses unreadable edits and a missing beginning", () => {
    const wrong = [
      edits(),
      edits(bytes(3, 9)),
      edits(start, bytes(200)),
      edits(start, bytes(201, 1, 9, 0x61)),
      edits(start, bytes(99, 1)),
      edits(start, bytes(201, 1, 1, 0xff)),
      edits(start, bytes(7, 0, 12, 50, 3, 1, 1, 1, 0)), // keys shorter than a sequence number
      edits(start, bytes(0xac, 2, 1)), // one more edit of its atomic group should follow
      edits(start, bytes(...new Array(11).fill(0xff))),
      // Numbers that no database reaches: the next number of a file, of a log, of a write, and of a write in a table.
      ...[[3], [2], [10], [4], [7, 0], [103, 0, 5, 50, ...internalKey(1), ...internalKey(2), 1]].map(
        (field) => edits(start, bytes(...field, ...new Array(8).fill(0x80), 1)),
      ),
    ];
    for (const records of wrong) expect(() => readManifest(records)).toThrow(MalformedBytes);
  });

  it("names features that only RocksDB can read, and continues", () => {
    const { unsupported, columns } = readManifest(
      edits(
        start,
        bytes(1, 1, 0x78), // ordered by "x"
        bytes(0x90, 3, 1, 1, 1, 0, 0, 0), // a blob file
        bytes(103, 0, 5, 50, ...internalKey(1), ...internalKey(2), 1, 2, 65, 1, 1, 70, 0, 1), // in another folder
      ),
    );
    expect(columns.map(({ name }) => name)).toEqual(["default"]);
    expect(unsupported.map(({ message }) => message)).toEqual([
      "a column family is ordered by x, not bytewise",
      "values are in blob files",
      "table files are in several folders",
      "a table file has the unknown property 70",
    ]);
  });
});

describe("fields", () => {
  it("are read up to their end", () => {
    const cursor = new ByteCursor(bytes(0xac, 0x02, 2, 7, 8));
    expect(cursor.varint()).toBe(300);
    expect(cursor.lengthPrefixed()).toEqual(bytes(7, 8));
    expect(cursor.done).toBe(true);
    expect(() => cursor.varint()).toThrow(MalformedBytes);
  });

  it("are found in an OPTIONS file", () => {
    expect(
      readOptionsFile(
        '[Version]\n[CFOptions "default"]\n  a=b\n[TableOptions/x "default"]\n[CFOptions "Meta"]\n',
      ),
    ).toEqual({
      columns: ["default", "Meta"],
      logFolder: undefined,
      mostLogBytes: 0,
      deepestLevels: new Map([
        ["default", 6],
        ["Meta", 6],
      ]),
      otherTables: [],
    });
    for (const [line, logFolder, infoLogFolder] of [
      ["  wal_dir=/data/logs", "/data/logs"],
      ["  wal_dir=/a b\\:c\\#d", "/a b:c#d"],
      ["  wal_dir=", undefined],
      ["  db_log_dir=/data/logs", undefined, "/data/logs"],
    ] as const)
      expect(readOptionsFile(`[DBOptions]\n  a=b\n${line}\n  c=d\n`)).toEqual({
        columns: [],
        logFolder,
        infoLogFolder,
        mostLogBytes: 0,
        deepestLevels: new Map(),
        otherTables: [],
      });
    for (const [lines, deepest] of [
      ["num_levels=4", 3],
      ["compaction_style=kCompactionStyleLevel\n  num_levels=1", 0],
      ["num_levels=4\n  compaction_style=kCompactionStyleFIFO", 0],
    ] as const) {
      const text = `[CFOptions "other"]\n  a=b\n[CFOptions "Meta"]\n  ${lines}\n[TableOptions/x "Meta"]\n  num_levels=2\n`;
      expect(readOptionsFile(text).deepestLevels.get("Meta")).toBe(deepest);
    }
    const kinds = ["BlockBasedTable", "PlainTable"].map(
      (kind) => `[CFOptions "${kind}"]\n  table_factory=${kind}\n`,
    );
    expect(readOptionsFile(kinds.join("")).otherTables).toEqual(["PlainTable"]);
    expect(readOptionsFile("[DBOptions]\n  max_total_wal_size=268435456\n").mostLogBytes).toBe(268_435_456);
  });

  it("are found in an OPTIONS file at once, however many spaces somebody put there", () => {
    const spaces = " ".repeat(1_000_000);
    const text = `[DBOptions]\n  wal_dir =${spaces}/a${spaces}b${spaces}\n[CFOptions "c"]${spaces}\n`;
    expect(readOptionsFile(text)).toMatchObject({ logFolder: `/a${spaces}b`, columns: ["c"] });
  });
});
