/** Tables whose writer stores a whole key only after very many others: the keys expand to far more than the file. */

import { describe, expect, it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { compareBytes, sharedLength } from "../../../src/bytes/order.js";
import type { RawRow } from "../../../src/engine/engine.js";
import { type FilesEngine, openFiles } from "../../../src/engines/files/index.js";
import { listOf } from "../../support/lists.js";
import { rejection } from "../../support/rejection.js";
import { internalKey, join, u32, varint } from "./fuzz/byte-writer.js";
import { database } from "./fuzz/databases.js";
import { block, type Entry, handle, type Place, table } from "./fuzz/tables.js";
import { MemoryFiles } from "./memory-files.js";

/** Keys of a length that differ in their last bytes, and now and then near their beginning. */
function keysOf(count: number, length: number): Uint8Array[] {
  return Array.from({ length: count }, (_, at) => {
    const group = `${String(Math.floor(at / 2000)).padStart(8, "0")}`;
    return join(`key1${group}`, new Uint8Array(length - 20).fill(0x2e), String(at).padStart(8, "0"));
  });
}

const rowsOf = (keys: readonly Uint8Array[]): RawRow[] =>
  keys.map((key, at) => ({ key, value: new TextEncoder().encode(`value ${at}`) }));

/** Entries that share bytes with the one before; one in `interval` stores its whole key. */
function sharing(entries: readonly { key: Uint8Array; value: Uint8Array }[], interval: number): Entry[] {
  return entries.map(({ key, value }, at) => {
    const before = at % interval === 0 ? undefined : entries[at - 1]?.key;
    const shared = before === undefined ? 0 : sharedLength(before, 0, before.length, key, 0);
    return { key: key.subarray(shared), value, shared };
  });
}

function dataBlock(rows: readonly RawRow[], interval: number): { contents: Uint8Array } {
  const entries = rows.map(({ key, value }) => ({ key: internalKey(key, 5, 1), value }));
  return { contents: block(sharing(entries, interval)) };
}

/** An index of blocks, under the last key of each. */
const indexOf = (last: readonly Uint8Array[], interval: number) => (places: readonly Place[]) =>
  block(
    sharing(
      places.map(({ offset, size }, at) => ({ key: last[at] as Uint8Array, value: handle(offset, size) })),
      interval,
    ),
  );

/** The same index without lengths of values, and with places as differences. */
const deltasOf = (last: readonly Uint8Array[], interval: number) => (places: readonly Place[]) => {
  const entries = places.map((_, at) => ({ key: last[at] as Uint8Array, value: new Uint8Array(0) }));
  const parts: Uint8Array[] = [];
  const restarts: Uint8Array[] = [];
  let length = 0;
  for (const [at, { key, shared = 0 }] of sharing(entries, interval).entries()) {
    const { offset, size } = places[at] as Place;
    const change = size - (places[at - 1]?.size ?? 0);
    const place = shared === 0 ? handle(offset, size) : varint(change >= 0 ? 2 * change : -2 * change - 1);
    if (shared === 0) restarts.push(u32(length));
    const entry = join(varint(shared), varint(key.length), key, place);
    parts.push(entry);
    length += entry.length;
  }
  return join(...parts, ...restarts, u32(restarts.length));
};

async function openTable(bytes: Uint8Array): Promise<FilesEngine> {
  return openFiles(new MemoryFiles(database({ tables: [{ bytes }] }), true));
}

/** Expects all ways of reading to give these rows. */
async function expectRows(bytes: Uint8Array, rows: readonly RawRow[]): Promise<void> {
  const read = async (from?: number, to?: number, reverse = false): Promise<RawRow[]> => {
    const range = { gte: rows[from ?? -1]?.key, lt: rows[to ?? -1]?.key };
    return (await listOf(engine.scan("a", range, { reverse }).chunks())).flat();
  };
  const expectSame = (found: readonly RawRow[], wanted: readonly RawRow[]): void => {
    expect(found.length).toBe(wanted.length);
    const wrong = wanted.findIndex(({ key, value }, at) => {
      const row = found[at] as RawRow;
      return compareBytes(row.key, key) !== 0 || compareBytes(row.value, value) !== 0;
    });
    expect(wrong).toBe(-1);
  };
  const sample = [0, 1, 30, Math.floor(rows.length / 2), rows.length - 1];
  await using engine = await openTable(bytes);
  // Single keys come first, before anything is in the cache.
  for (const at of sample.toReversed())
    expect(await engine.get("a", (rows[at] as RawRow).key)).toEqual(rows[at]?.value);
  expect(await engine.get("a", join((rows[1] as RawRow).key, "!"))).toBe(undefined);
  expectSame(await read(), rows);
  expectSame(await read(undefined, undefined, true), rows.toReversed());
  for (const from of sample) {
    const to = Math.min(rows.length - 1, from + 1500);
    expectSame(await read(from, to), rows.slice(from, to));
    expectSame(await read(from, to, true), rows.slice(from, to).toReversed());
  }
}

describe("an index whose keys begin anew after 1,024", () => {
  const rows = rowsOf(keysOf(6000, 1000));
  const blocks = Array.from({ length: rows.length / 2 }, (_, at) => rows.slice(2 * at, 2 * at + 2));
  const data = blocks.map((part) => dataBlock(part, 16));
  const last = blocks.map((part) => (part[1] as RawRow).key);

  it.each([5, 1024, 1_000_000])("or after %i is read", async (interval) => {
    await expectRows(table({ data, index: indexOf(last, interval) }), rows);
  });

  it("is read with places as differences", async () => {
    const properties = { "rocksdb.index.value.is.delta.encoded": varint(1) };
    await expectRows(table({ data, index: deltasOf(last, 1024), properties }), rows);
  });

  it("is read with internal keys", async () => {
    const properties = { "rocksdb.index.key.is.user.key": varint(0) };
    const keys = last.map((key) => internalKey(key, 5, 1));
    await expectRows(table({ data, index: indexOf(keys, 1024), properties }), rows);
  });

  it("is damaged when a restart point is within an entry", async () => {
    const index = (places: readonly Place[]) => {
      const right = indexOf(last, 1024)(places);
      const wrong = new DataView(right.buffer, right.byteOffset, right.length);
      wrong.setUint32(right.length - 8, wrong.getUint32(right.length - 8, true) + 1, true);
      return right;
    };
    await using engine = await openTable(table({ data, index }));
    await rejection(
      engine.get("a", last[0] as Uint8Array),
      "DATABASE_DAMAGED",
      "a restart point is within an entry",
    );
  });
});

describe("a block whose keys begin anew after a million", () => {
  it.each([
    [36_000, 1000],
    [40, 200_000],
  ])("is read: %i keys of %i bytes", async (count, length) => {
    const rows = rowsOf(keysOf(count, length));
    const half = Math.floor(count / 2);
    const parts = [rows.slice(0, half), rows.slice(half)];
    const data = parts.map((part) => dataBlock(part, 1_000_000));
    const last = parts.map((part) => (part.at(-1) as RawRow).key);
    await expectRows(table({ data, index: indexOf(last, 1) }), rows);
  });

  it("is left to RocksDB by name when its keys have over a gigabyte", async () => {
    const first = internalKey(`key1${"k".repeat(40_000)}`, 5, 1);
    const more = Array.from({ length: 30_000 }, (_, at) => {
      const key = internalKey(String(at).padStart(8, "0"), 5, 1);
      return { key, value: "", shared: 40_004 };
    });
    const contents = block([{ key: first, value: "" }, ...more]);
    await using engine = await openTable(table({ data: [{ contents }] }));
    const last = engine.scan("a", {}, { reverse: true }).chunks();
    await rejection(
      last.next(),
      "FORMAT_UNSUPPORTED",
      /000010\.sst at byte 0: the keys of a block have more than \d+ bytes/,
    );
    const first8 = engine.scan("a", {}, { limit: 8 }).chunks();
    expect((await first8.next()).value?.map(({ key }: RawRow) => toHex(key.subarray(-8)))).toHaveLength(8);
  });
});
