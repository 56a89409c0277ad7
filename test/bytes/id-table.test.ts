/** Tables of ids: numbers, the search inside other bytes, and ids that an attacker chooses. */
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { ID_BYTES, IdTable } from "../../src/bytes/id-table.js";

describe("a table of ids", () => {
  it("numbers ids in order, and finds them at any offset", () => {
    const ids = Array.from({ length: 3000 }, () => randomBytes(ID_BYTES));
    const table = new IdTable();
    expect(table.search(new Uint8Array(100))).toEqual([]);
    for (const [at, id] of ids.entries()) expect(table.add(id)).toBe(at);
    for (const [at, id] of ids.entries()) expect(table.add(id)).toBe(at);
    expect(table.size).toBe(3000);
    const hay = Buffer.concat([Buffer.alloc(3), ids[7] as Buffer, ids[2999] as Buffer, Buffer.alloc(1)]);
    expect(table.search(hay)).toEqual([7, 2999]);
    expect(table.search(hay.subarray(4, 4 + 31))).toEqual([]);
    expect(table.find(hay, 3)).toBe(7);
    expect(table.find(hay, 4)).toBe(-1);
    expect([table.has(hay, 3), table.has(hay, 4)]).toEqual([true, false]);
    expect(toHex(table.bytes)).toBe(ids.map(toHex).join(""));
  });

  it("tells ids apart that are parts of one Buffer, by any of their bytes", () => {
    const pool = randomBytes(64 * ID_BYTES);
    const ids = Array.from({ length: 64 }, (_, at) => pool.subarray(ID_BYTES * at, ID_BYTES * (at + 1)));
    const table = new IdTable();
    for (const id of ids.slice(0, 32)) table.add(id);
    expect(ids.map((id) => table.has(id))).toEqual(ids.map((_, at) => at < 32));
    for (let at = 0; at < ID_BYTES; at++) {
      const other = Uint8Array.from(ids[0] as Buffer);
      other[at] = (other[at] as number) ^ 1;
      expect(table.has(other)).toBe(false);
    }
  });
});

/** Chosen ids, each the pattern with a number at an offset. */
function numbered(pattern: number, offset: number, count: number): readonly Uint8Array[] {
  return Array.from({ length: count }, (_, at) => {
    const id = new Uint8Array(ID_BYTES).fill(pattern);
    new DataView(id.buffer).setUint32(offset, at);
    return id;
  });
}

/** Ids that differ in 14 bytes, each 0x00 or 0x80: a weak hash loses such differences most easily. */
const twoBytes = Array.from({ length: 2 ** 14 }, (_, number) => {
  const id = new Uint8Array(ID_BYTES);
  for (let bit = 0; bit < 14; bit++) if (((number >> bit) & 1) !== 0) id[2 * bit + 1] = 0x80;
  return id;
});

describe("chosen ids", () => {
  it.each([
    ["the same first word", numbered(0, 4, 2 ** 14)],
    ["the same first half", numbered(7, 20, 2 ** 14)],
    ["the same bytes except the last", numbered(0xff, 28, 2 ** 14)],
    ["the same bytes except the first", numbered(0, 0, 2 ** 14)],
    ["words that differ in their highest bits", twoBytes],
  ])("with %s take as many steps as others", (_, ids) => {
    const table = new IdTable();
    for (const id of ids) table.add(id);
    expect(table.size).toBe(ids.length);
    // The hash reads each byte of an id once; comparing it with the ids in the slots that follow reads the rest.
    let reads = 0;
    const counted = (id: Uint8Array) =>
      new Proxy(id, {
        get: (target, name) => {
          reads++;
          return target[name as unknown as number];
        },
      });
    for (const id of ids) expect(table.find(counted(id))).toBeGreaterThanOrEqual(0);
    const compared = reads / ids.length - ID_BYTES;
    // Each search compares an id with itself, 32 bytes, and with one or two others.
    expect(compared).toBeLessThan(4 * ID_BYTES);
  });
});
