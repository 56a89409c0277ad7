/** The calls of a scan to the native iterator: small at first, because a thousand scans may be open that only began. */

import { describe, expect, it } from "vitest";
import type { RawRow } from "../../../src/engine/engine.js";
import type { NativeIterator, NativeSession } from "../../../src/engines/rocksdb/binding.js";
import { NativeScan } from "../../../src/engines/rocksdb/native-scan.js";

/** A native iterator that makes its rows when a read asks for them. */
class Rows {
  /** Rows asked for, read by read. */
  readonly asked: number[] = [];
  readonly #count: number;
  readonly #valueBytes: number;
  #given = 0;

  constructor(count: number, valueBytes: number) {
    this.#count = count;
    this.#valueBytes = valueBytes;
  }

  session(): NativeSession {
    const iterator = {
      _limit: 0,
      _pendingRead: null,
      _db: { _state: { io: { dec: () => undefined } } },
      _open: async (done: (error?: Error | null) => void) => done(null),
      _destroy: async (done: (error?: Error | null) => void) => done(null),
      _read: async (done: (error?: Error | null) => void) => {
        iterator._pendingRead = done;
        this.asked.push(iterator._limit);
        const count = Math.min(iterator._limit, this.#count - this.#given);
        this.#given += count;
        iterator._onread(
          null,
          Array.from({ length: count }, () => new ArrayBuffer(4)),
          Array.from({ length: count }, () => new ArrayBuffer(this.#valueBytes)),
        );
      },
    } as { -readonly [Name in keyof NativeIterator]: NativeIterator[Name] };
    return { iterator: () => iterator } as unknown as NativeSession;
  }
}

function scanOf(rows: Rows, limit = Number.POSITIVE_INFINITY): NativeScan {
  const plan = { gte: undefined, lt: undefined, reverse: false, keysOnly: false };
  return new NativeScan(rows.session(), { ...plan, limit }, async () => undefined);
}

/** Waits for reads that were started ahead. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function sizes(scan: NativeScan, most = Number.POSITIVE_INFINITY): Promise<number[]> {
  const found: number[] = [];
  let rows: readonly RawRow[] | undefined;
  while (found.length < most) {
    rows = await scan.next();
    if (rows === undefined) break;
    found.push(rows.length);
  }
  await settle();
  return found;
}

describe("a scan", () => {
  it("reads few rows at first, and then more and more ahead", async () => {
    const rows = new Rows(10_000, 3000);
    const scan = scanOf(rows);
    expect(await sizes(scan, 1)).toEqual([16]);
    expect(rows.asked).toEqual([16]);
    expect(await sizes(scan, 1)).toEqual([64]);
    expect(rows.asked).toEqual([16, 64, 256]);
    expect(await sizes(scan, 2)).toEqual([256, 1024]);
    expect(rows.asked).toEqual([16, 64, 256, 1024, 1024]);
    expect((await sizes(scan)).reduce((sum, size) => sum + size, 0)).toBe(10_000 - 16 - 64 - 256 - 1024);
    await scan.close();
  });

  it("reads no more rows than its limit", async () => {
    for (const limit of [1, 15, 16, 17, 80, 81, 2000]) {
      const rows = new Rows(10_000, 10);
      const scan = scanOf(rows, limit);
      expect((await sizes(scan)).reduce((sum, size) => sum + size, 0)).toBe(limit);
      expect(rows.asked.reduce((sum, size) => sum + size, 0)).toBe(limit);
      await scan.close();
    }
  });

  it("ends where the rows end", async () => {
    for (const count of [0, 1, 15, 16, 17, 80, 336, 1360, 1361]) {
      const scan = scanOf(new Rows(count, 10));
      expect((await sizes(scan)).reduce((sum, size) => sum + size, 0)).toBe(count);
      await scan.close();
    }
  });

  it("reads fewer rows at once if they are large", async () => {
    const rows = new Rows(200, 1024 * 1024);
    const scan = scanOf(rows);
    await sizes(scan);
    expect(Math.max(...rows.asked)).toBe(16);
    expect(rows.asked[1]).toBe(4);
    await scan.close();
  });
});
