/** Splitting content into pieces. */
import fc from "fast-check";
import { toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { isInline, objectType, pieceType } from "../../src/objects.js";
import { MAX_CHUNK, MIN_CHUNK } from "../../src/pieces/rolling-hash.js";
import { type Piece, Splitter } from "../../src/pieces/splitter.js";
import { decodeFileIndex, type FileIndex } from "../../src/tables/file-index.js";
import { expectedHash, KEY_INDEX, mixedBytes, named } from "../inputs.js";
import { pieceNames, splitObject, type Variant } from "./split-object.js";

const V1: Variant = { rollingHash: "V1" };
const V2: Variant = { rollingHash: "V2" };
const V3: Variant = { rollingHash: "V3" };
const plusOne = (hash: bigint) => hash + 1n;
const V2plus: Variant = { rollingHash: "V2", permutation: plusOne };
const V3plus: Variant = { rollingHash: "V3", permutation: plusOne };

const mixed = mixedBytes(1 << 20);
const zeros = new Uint8Array(65536);

const CONTENTS: Readonly<Record<string, Uint8Array>> = {
  zeros,
  letters: new Uint8Array(1_000_000).fill(0x61),
  mixed64k: mixed.subarray(0, 65536),
  mixed256k: mixed.subarray(0, 262144),
  mixed1m: mixed,
};
const VARIANTS: Readonly<Record<string, Variant>> = { V1, V2, V3, V2plus, V3plus };

/** Content, variant, the numbers of chunks and indexes, and the root. */
const ROOTS = `
zeros V1 2 1 0254c06c907626859965b7e9035a56da3266e64eae8be33f0e23033bea7f1d4129
zeros V3 2 1 0254c06c907626859965b7e9035a56da3266e64eae8be33f0e23033bea7f1d4129
letters V1 16 1 02221c386c35d4fd51c7facae258b10bbcf7f07b02439bb2a4316d72a9857aa16d
letters V3 16 1 02221c386c35d4fd51c7facae258b10bbcf7f07b02439bb2a4316d72a9857aa16d
mixed64k V1 6 2 023b2712c13f6fd2db49b365c9e6b0f4dc6e370ac7e1ac9c752b30419d056d9444
mixed64k V3 8 1 029a1e5525a1d374f39225e9e8d4ed32d1f30befc969d1f2fbac01b661c633b223
mixed64k V2plus 7 3 020ac7e537d87282a4d7ea420337a53d4c8c854662d6f642c2ac7ae2499d0b797d
mixed64k V3plus 3 1 02514ab1c6cb43fdf07b70268e1241f3a50a22ce5e04b2ab9b41fbd609a6953708
mixed256k V1 19 6 02e0c02b9f140f4b2686ba2b214993d741f4ba7a5802554181d147d008ab05cdee
mixed1m V1 88 13 024fc7a9c9ec726dcfe09272221b4feeceed9f51fc4f2337d82c5c07cd75a84817
mixed1m V3 87 7 02127cf2c652bcc6a0baed7c9f741a178f2b65ebe161b2b0178197333d7f934e4b`;

describe("the root of an object", () => {
  it.each(
    ROOTS.trim()
      .split("\n")
      .map((line) => line.split(" ") as [string, string, string, string, string]),
  )("%s, %s", (content, variant, chunks, indexes, root) => {
    const bytes = CONTENTS[content] as Uint8Array;
    const object = splitObject(bytes, VARIANTS[variant] as Variant);
    expect(named(object.root)).toBe(root);
    expect(object.chunks).toHaveLength(Number(chunks));
    expect(object.indexes).toBe(Number(indexes));
    expect(Buffer.compare(object.content, bytes)).toBe(0);
  });

  it.each([V1, V2, V3])("of 65535 zeros is one chunk in every variant: %o", (variant) => {
    const object = splitObject(zeros.subarray(1), variant);
    expect(named(object.root)).toBe("00ee629bb456b6faf6adae1cd958e57d708cb0fe2accbd5b3f05f15194a538e4b5");
    expect(object.pieces).toHaveLength(1);
  });

  it.each([0, 12, 32, 33, 100, 1024, 4096])("of %i bytes is one piece of the type asked for", (size) => {
    for (const type of ["blob", "tree-node"] as const) {
      const { root, pieces, content } = splitObject(mixed.subarray(0, size), V1, type);
      expect(objectType(root.digest)).toBe(type);
      expect(pieceType(root.digest)).toBe("chunk");
      expect(root.keyIndex).toBe(KEY_INDEX);
      expect(content).toHaveLength(size);
      // Inline ones have no rows.
      expect(pieces.map(({ identifier }) => identifier)).toEqual(size <= 32 ? [] : [root]);
      expect(isInline(root.digest)).toBe(size <= 32);
    }
  });

  it.each([65536, 32 * 65535])("of %i bytes is an index of the type asked for", (size) => {
    for (const type of ["blob", "tree-node"] as const) {
      const { root, pieces } = splitObject(new Uint8Array(size).fill(7), V1, type);
      expect(objectType(root.digest)).toBe(type);
      expect(pieceType(root.digest)).toBe("index");
      // Only the root has the type of the object.
      expect(pieces.at(-1)?.identifier).toEqual(root);
      expect(pieces.slice(0, -1).map(({ identifier }) => objectType(identifier.digest))).not.toContain(
        "tree-node",
      );
    }
  });
});

describe("pieces", () => {
  it.each([V1, V2, V3, V2plus, V3plus])("keep the bounds of chunks: %o", (variant) => {
    const { chunks, sizes, content } = splitObject(mixed.subarray(0, 300_000), variant);
    expect(Math.max(...chunks)).toBeLessThanOrEqual(MAX_CHUNK);
    expect(Math.min(...chunks.slice(0, -1))).toBeGreaterThanOrEqual(MIN_CHUNK);
    for (const [said, held] of sizes) expect(said).toBe(held);
    expect(Buffer.compare(content, mixed.subarray(0, 300_000))).toBe(0);
  });

  it("have digests of their content", () => {
    for (const { identifier, content } of splitObject(mixed.subarray(0, 262144)).pieces)
      expect(toHex(identifier.digest.subarray(1))).toBe(expectedHash(content));
  });

  it("come after the pieces that they name", () => {
    const seen = new Set<string>();
    for (const { identifier, content, children: digests } of splitObject(mixed).pieces) {
      const children = pieceType(identifier.digest) === "index" ? decodeFileIndex(content).children : [];
      expect(digests).toEqual(children.map((child) => child.identifier.digest));
      for (const digest of digests) expect(seen.has(toHex(digest)) || isInline(digest)).toBe(true);
      seen.add(toHex(identifier.digest));
    }
  });
});

describe("content that comes piece by piece", () => {
  it.each([
    [1, 20_000],
    [7, 65_536],
    [4096, 262_144],
    [65_535, 1 << 20],
    [65_537, 1 << 20],
  ])("%i bytes at a time returns the pieces of the whole", (step, size) => {
    for (const variant of [V1, V3]) {
      const whole = splitObject(mixed.subarray(0, size), variant);
      const fed = splitObject(mixed.subarray(0, size), variant, "blob", step);
      expect(pieceNames(fed)).toEqual(pieceNames(whole));
      expect(Buffer.compare(fed.content, mixed.subarray(0, size))).toBe(0);
    }
  });

  it("may change afterwards", () => {
    const pieces: Piece[] = [];
    const splitter = new Splitter("blob", { ...V1, keyIndex: KEY_INDEX }, (piece) => pieces.push(piece));
    const source = new Uint8Array(1000).fill(5);
    splitter.update(source);
    source.fill(6);
    splitter.finish();
    expect(pieces[0]?.content).toEqual(new Uint8Array(1000).fill(5));
  });

  it("is split as it arrives: of 128 MiB of zeros no more than two chunks are held back", () => {
    const MiB = new Uint8Array(1 << 20);
    let given = 0;
    const indexes: FileIndex[] = [];
    const splitter = new Splitter("blob", { ...V1, keyIndex: KEY_INDEX }, ({ identifier, content }) => {
      if (pieceType(identifier.digest) === "chunk") given += content.length;
      else indexes.push(decodeFileIndex(content));
    });
    for (let count = 1; count <= 128; count++) {
      splitter.update(MiB);
      expect(count * MiB.length - given).toBeLessThanOrEqual(2 * MAX_CHUNK);
    }
    expect(pieceType(splitter.finish().digest)).toBe("index");
    expect(given).toBe(128 << 20);
    // 2048 whole chunks and 2048 bytes; 851 in an index at most, and the root above them.
    expect(indexes.map(({ children }) => children.length)).toEqual([851, 851, 347, 3]);
    expect(indexes.at(-1)?.size).toBe(128n << 20n);
  });
});

describe("random content", () => {
  // Runs of one byte and of random ones: chunks of all sizes.
  const run = fc.record({
    size: fc.integer({ min: 0, max: 70_000 }),
    at: fc.nat({ max: mixed.length - 70_000 }),
    isMixed: fc.boolean(),
  });
  const content = fc
    .array(run, { maxLength: 5 })
    .map((runs) =>
      Buffer.concat(
        runs.map(({ size, at, isMixed }) =>
          isMixed ? mixed.subarray(at, at + size) : new Uint8Array(size).fill(at & 255),
        ),
      ),
    );

  it("is put together again from its pieces, however it came", () => {
    fc.assert(
      fc.property(
        content,
        fc.constantFrom(V1, V2, V3),
        fc.integer({ min: 500, max: 200_000 }),
        (bytes, variant, step) => {
          const object = splitObject(bytes, variant, "blob", step);
          expect(Buffer.compare(object.content, bytes)).toBe(0);
          expect(named(object.root)).toBe(named(splitObject(bytes, variant).root));
        },
      ),
      { numRuns: 40 },
    );
  });

  it("shares the parts away from the edit with an edited value", () => {
    const before = new Set(pieceNames(splitObject(mixed, V3)));
    const edited = Buffer.concat([mixed.subarray(0, 500_000), Buffer.from("!"), mixed.subarray(500_000)]);
    const after = pieceNames(splitObject(edited, V3));
    expect(after.length).toBeGreaterThan(80);
    expect(after.filter((name) => !before.has(name)).length).toBeLessThan(10);
  });
});
