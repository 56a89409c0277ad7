/** LZ4 blocks that the library writes, expanded again. */
import { describe, expect, it } from "vitest";
import { compressLz4 } from "../../src/lsm/format/encode-lz4.js";
import { expandLz4 } from "../../src/lsm/format/lz4.js";
import { Random } from "../engines/files/history.js";

const random = new Random(20_261_126);

/** Bytes with repeated pieces of different lengths, at any distance. */
function repetitive(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const piece = Math.min(length - at, Math.floor(random.next() ** 3 * 600) + 1);
    const from = Math.floor(random.next() * at);
    const isNew = at === 0 || random.next() < 0.3;
    for (let end = at + piece, back = at - from; at < end; at++)
      bytes[at] = isNew ? Math.floor(random.next() * 256) : (bytes[at - back] as number);
  }
  return bytes;
}

describe("A block of LZ4", () => {
  it("expands to the bytes that it was made of", () => {
    let shorter = 0;
    for (let length = 0; length < 700; length++) {
      const bytes = repetitive(length < 600 ? length : length * 200);
      const block = compressLz4(bytes);
      if (block === undefined) continue;
      shorter++;
      expect(block.length).toBeLessThanOrEqual((bytes.length * 7) / 8 + 1);
      expect(Buffer.compare(expandLz4(block, bytes.length), bytes)).toBe(0);
    }
    expect(shorter).toBeGreaterThan(300);
  });

  it("has lengths of any size", () => {
    for (const length of [100, 274, 275, 529, 530, 5_000, 70_000, 200_000]) {
      const bytes = new Uint8Array(length + 700).map((_, at) =>
        at < 700 ? Math.floor(random.next() * 256) : 1,
      );
      const block = compressLz4(bytes);
      if (length > 500) expect(block).toBeDefined();
      if (block !== undefined) expect(Buffer.compare(expandLz4(block, bytes.length), bytes)).toBe(0);
    }
  });

  it("is left out if it would not be shorter by an eighth", () => {
    expect(compressLz4(new Uint8Array(0))).toBeUndefined();
    expect(compressLz4(Uint8Array.from({ length: 4_096 }, () => random.next() * 256))).toBeUndefined();
  });
});
