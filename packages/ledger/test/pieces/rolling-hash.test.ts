/** The cuts of content. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChunkCutter, MAX_CHUNK, MIN_CHUNK, type RollingHash } from "../../src/pieces/rolling-hash.js";
import { mixedBytes } from "../inputs.js";
import { pieceNames, splitObject, type Variant } from "./split-object.js";

const mixed = mixedBytes(262_144);
const plusOne = (hash: bigint) => hash + 1n;
const variants = ["V1", "V2", "V3"] as const;

/** The bits of a hash from the last to the first. */
const reversed = (hash: bigint) => BigInt(`0b${[...hash.toString(2).padStart(64, "0")].reverse().join("")}`);

describe("cuts", () => {
  it.each([
    ["V1", 65536, { rollingHash: "V1" }, [8478, 13178, 12053, 15106, 14513, 2208]],
    ["V2 as V1", 65536, { rollingHash: "V2" }, [8478, 13178, 12053, 15106, 14513, 2208]],
    ["V3", 65536, { rollingHash: "V3" }, [12327, 5670, 6329, 5228, 12212, 4294, 11282, 8194]],
    [
      "V2 + 1",
      65536,
      { rollingHash: "V2", permutation: plusOne },
      [14508, 12155, 6940, 11494, 7380, 5711, 7348],
    ],
    ["V3 + 1", 65536, { rollingHash: "V3", permutation: plusOne }, [10908, 39393, 15235]],
    ["V1", 262144, { rollingHash: "V1" }, [8478, 13178, 12053, 15106, 14513, 13346, 9257]],
    ["V3", 262144, { rollingHash: "V3" }, [12327, 5670, 6329]],
  ] as [string, number, Variant, number[]][])("of %s in %i mixed bytes", (_name, size, variant, expected) => {
    const { chunks } = splitObject(mixed.subarray(0, size), variant);
    expect(size === 65536 ? chunks : chunks.slice(0, expected.length)).toEqual(expected);
  });

  it.each([
    ["65536 zeros", new Uint8Array(65536), [65535, 1]],
    ["65535 zeros", new Uint8Array(65535), [65535]],
    ["1,000,000 a", new Uint8Array(1_000_000).fill(0x61), [...new Array<number>(15).fill(65535), 16975]],
  ])("of %s are those of the greatest size", (_name, content, expected) => {
    for (const rollingHash of variants)
      expect(splitObject(content, { rollingHash }).chunks).toEqual(expected);
  });

  it("follow the permutation, except in V1", () => {
    for (const [rollingHash, changes] of [
      ["V1", false],
      ["V2", true],
      ["V3", true],
    ] as const) {
      const plain = splitObject(mixed.subarray(0, 65536), { rollingHash }).chunks;
      const other = splitObject(mixed.subarray(0, 65536), { rollingHash, permutation: reversed }).chunks;
      expect(JSON.stringify(other) !== JSON.stringify(plain)).toBe(changes);
    }
  });

  it("come only at the greatest size if the permutation leaves zeros", () => {
    for (const rollingHash of ["V2", "V3"] as const) {
      const { chunks } = splitObject(mixed.subarray(0, 70_000), { rollingHash, permutation: () => 0n });
      expect(chunks).toEqual([65535, 4465]);
    }
  });

  it("are the same with a permutation that changes nothing", () => {
    const bytes = mixed.subarray(0, 65536);
    for (const rollingHash of variants)
      expect(pieceNames(splitObject(bytes, { rollingHash, permutation: (hash) => hash }))).toEqual(
        pieceNames(splitObject(bytes, { rollingHash })),
      );
  });
});

/** The end of the first chunk, where a hash ends it. */
function firstCut(rollingHash: RollingHash, bytes: Uint8Array): number | undefined {
  const cut = new ChunkCutter(rollingHash).next(bytes, 0, bytes.length);
  return cut === undefined || cut.length === MAX_CHUNK ? undefined : cut.length;
}

describe("a cut", () => {
  it.each(variants)("of %s depends on the 64 bytes before it and nothing else", (rollingHash) => {
    fc.assert(
      fc.property(fc.nat({ max: 200_000 }), fc.uint8Array({ maxLength: 5000 }), (at, filler) => {
        const bytes = mixed.subarray(at, at + 60_000);
        const cut = firstCut(rollingHash, bytes);
        fc.pre(cut !== undefined);
        const window = bytes.subarray(cut - 64, cut);
        const before = new Uint8Array(MIN_CHUNK - 64);
        before.set(filler.subarray(0, before.length));
        expect(firstCut(rollingHash, Buffer.concat([before, window]))).toBe(MIN_CHUNK);
        // Another byte in the window prevents the cut.
        const changed = window.slice();
        changed[0] = (changed[0] as number) ^ 1;
        expect(firstCut(rollingHash, Buffer.concat([before, changed]))).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });

  it.each(variants)(
    "of %s do not depend on bytes before the window of the first possible cut",
    (rollingHash) => {
      const whole = firstCut(rollingHash, mixed);
      const changed = mixed.slice();
      changed.fill(0, 0, MIN_CHUNK - 64);
      expect(firstCut(rollingHash, changed)).toBe(whole);
    },
  );

  it("never comes before 4096 bytes, nor without its bytes", () => {
    for (const rollingHash of variants) {
      const cutter = new ChunkCutter(rollingHash);
      const cut = firstCut(rollingHash, mixed) as number;
      expect(cutter.next(mixed, 0, MIN_CHUNK - 1)).toBeUndefined();
      expect(cutter.next(mixed, 0, cut - 1)).toBeUndefined();
      expect(cutter.next(mixed, 0, cut)?.length).toBe(cut);
    }
  });
});

describe("a hash of the whole window", () => {
  /** The cuts as the document of the hash defines them: byte by byte over all content, without shortcuts. */
  function cutsByTheBook(bytes: Uint8Array, isV3: boolean): number[] {
    const ring = new Uint8Array(64);
    const weights = [64n, (64n * 65n) / 2n, (64n * 65n * 66n) / 6n, (64n * 65n * 66n * 67n) / 24n];
    const sums = isV3 ? weights.map((weight) => weight * 31n) : [64n * 31n, 64n * 63n * 31n];
    const cuts: number[] = [];
    let length = 0;
    for (const [at, byte] of bytes.entries()) {
      const drop = BigInt(ring[at % 64] as number);
      ring[at % 64] = byte;
      sums[0] = (sums[0] as bigint) + BigInt(byte) - drop;
      for (let rank = 1; rank < sums.length; rank++)
        sums[rank] =
          (sums[rank] as bigint) + (sums[rank - 1] as bigint) - (weights[rank - 1] as bigint) * (drop + 31n);
      length++;
      const isCut = ((sums.at(-1) as bigint) & 8191n) === 8191n;
      if (length >= MAX_CHUNK || (length >= MIN_CHUNK && isCut)) {
        cuts.push(length);
        length = 0;
      }
    }
    if (length > 0) cuts.push(length);
    return cuts;
  }

  it.each(["V1", "V3"] as const)("returns the cuts of %s", (rollingHash) => {
    const bytes = mixed.subarray(0, 200_000);
    expect(splitObject(bytes, { rollingHash }).chunks).toEqual(cutsByTheBook(bytes, rollingHash === "V3"));
  });
});
