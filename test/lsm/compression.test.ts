import { deflateRawSync } from "node:zlib";
import lz4js from "lz4js";
import snappyjs from "snappyjs";
import { describe, expect, it } from "vitest";
import { MalformedBytes, UnsupportedFormat } from "../../src/lsm/format/byte-cursor.js";
import { loadDecompressors } from "../../src/lsm/format/compression.js";
import { join, varint } from "../engines/files/fuzz/byte-writer.js";

const rows = Array.from(
  { length: 200 },
  (_, at) => `row ${(at * at) % 97} of ${at % 7 === 0 ? "something" : "anything"} else;`,
);
const contents = new TextEncoder().encode(rows.join(""));

/** What the program `zstd` makes of the contents. */
const ZSTD =
  "KLUv/WC7EX0IAJKNIBaQKx1rjXjqfUJV2R65ZZIppRT0fxADHpITcpHFQ+/8tfpL5vqGb9mvSSZx5adNiOu87FXtSqacWDxklX26" +
  "/S9my94qGiqVhoqm9TK2+P/WvQrpKYU4L8m4PPvV4RJqp/iVJLK78vI7/MqPRGAAAeMgQAgJQ6EhQCgYyECBJIhDsQiAjajROL39" +
  "z0AvLbUcEmAQ+BEEdmvj3wklPGEx9eqfOHLjsOsngsOoq8eAwVhXPSoYXB3obGL1a46tVU+NXMPKKMxjsEi13r+sRqKnAPT2+gH2" +
  "3+w20RQjW4+3sWSnUhDlDDK4Bwh3vKDQzJzVEr0aR/YsiyKtXhXATRyelKmwcuBRKFMOECzAVgE=";

interface Snappy {
  compress(bytes: Uint8Array): Uint8Array;
}

interface Lz4 {
  compressBlock(from: Uint8Array, to: Uint8Array, at: number, length: number, table: Uint32Array): number;
}

function lz4(bytes: Uint8Array): Uint8Array {
  const target = new Uint8Array(2 * bytes.length);
  const library = lz4js as unknown as Lz4;
  const length = library.compressBlock(bytes, target, 0, bytes.length, new Uint32Array(65_536));
  return target.subarray(0, length);
}

const size = varint(contents.length);
/** Each with the size of the contents before it. */
const compressed: Readonly<Record<string, [type: number, bytes: Uint8Array]>> = {
  Snappy: [1, (snappyjs as unknown as Snappy).compress(contents)],
  Zlib: [2, join(size, deflateRawSync(contents))],
  LZ4: [4, join(size, lz4(contents))],
  LZ4HC: [5, join(size, lz4(contents))],
  ZSTD: [7, join(size, new Uint8Array(Buffer.from(ZSTD, "base64")))],
};

describe.each(Object.entries(compressed))("a block compressed with %s", (name, [type, bytes]) => {
  it("is expanded", async () => {
    const expand = (await loadDecompressors(name, 6)).get(type);
    expect(expand?.(bytes)).toEqual(contents);
  });

  it("is refused if it is truncated, or if its size is not the declared size", async () => {
    const expand = (await loadDecompressors(name, 6)).get(type);
    expect(() => expand?.(bytes.subarray(0, bytes.length - 20))).toThrow(MalformedBytes);
    expect(() => expand?.(bytes.subarray(0, 1))).toThrow(MalformedBytes);
    const body = bytes.subarray(size.length);
    for (const other of [2 ** 40, 0]) {
      expect(() => expand?.(join(varint(other), body)), `${other}`).toThrow(MalformedBytes);
    }
  });
});

describe("compressed blocks", () => {
  it("may declare a large size in few bytes, and do not get the memory", async () => {
    const expand = (await loadDecompressors("ZSTD", 6)).get(7);
    const bomb = join(varint(2 ** 30), new Uint8Array(20_000));
    expect(() => expand?.(bomb)).toThrow(UnsupportedFormat);
  });

  it("have lengths that are not followed backward", async () => {
    const expand = (await loadDecompressors("Snappy", 6)).get(1);
    for (let back = 1; back < 12; back++) {
      const literal = Uint8Array.of(4, 0xfc, 0x100 - back, 0xff, 0xff, 0xff, 1, 2, 3, 4);
      expect(() => expand?.(literal)).toThrow(MalformedBytes);
    }
  });

  it("are refused if their kind is unknown, by name", async () => {
    for (const name of ["BZip2", "constructor", "__proto__"])
      await expect(loadDecompressors(name, 6)).rejects.toThrow(UnsupportedFormat);
  });
});
