import { deflateRawSync } from "node:zlib";
import snappyjs from "snappyjs";
import { describe, expect, it } from "vitest";
import { MalformedBytes, UnsupportedFormat } from "../../src/lsm/format/byte-cursor.js";
import { loadDecompressors } from "../../src/lsm/format/compression.js";
import { join, u32, varint } from "../engines/files/fuzz/byte-writer.js";
import { compressLz4 } from "./lz4-encoder.js";

const rows = Array.from(
  { length: 200 },
  (_, at) => `row ${(at * at) % 97} of ${at % 7 === 0 ? "something" : "anything"} else;`,
);
const contents = new TextEncoder().encode(rows.join(""));
const dictionary = contents.subarray(300, 1500);

/** The frames that the program `zstd` makes of the contents. */
const ZSTD =
  "KLUv/WC7EX0IAJKNIBaQKx1rjXjqfUJV2R65ZZIppRT0fxADHpITcpHFQ+/8tfpL5vqGb9mvSSZx5adNiOu87FXtSqacWDxklX26" +
  "/S9my94qGiqVhoqm9TK2+P/WvQrpKYU4L8m4PPvV4RJqp/iVJLK78vI7/MqPRGAAAeMgQAgJQ6EhQCgYyECBJIhDsQiAjajROL39" +
  "z0AvLbUcEmAQ+BEEdmvj3wklPGEx9eqfOHLjsOsngsOoq8eAwVhXPSoYXB3obGL1a46tVU+NXMPKKMxjsEi13r+sRqKnAPT2+gH2" +
  "3+w20RQjW4+3sWSnUhDlDDK4Bwh3vKDQzJzVEr0aR/YsiyKtXhXATRyelKmwcuBRKFMOECzAVgE=";

interface Snappy {
  compress(bytes: Uint8Array): Uint8Array;
}

const size = varint(contents.length);
const snappy = (snappyjs as unknown as Snappy).compress(contents);
const zstd = new Uint8Array(Buffer.from(ZSTD, "base64"));

interface Case {
  readonly type: number;
  /** With the size of the contents before it. */
  readonly bytes: Uint8Array;
  readonly dictionary?: Uint8Array;
}

const compressed: Readonly<Record<string, Case>> = {
  Snappy: { type: 1, bytes: snappy },
  "Snappy, which ignores a dictionary": { type: 1, bytes: snappy, dictionary },
  Zlib: { type: 2, bytes: join(size, deflateRawSync(contents)) },
  "Zlib and a dictionary": {
    type: 2,
    bytes: join(size, deflateRawSync(contents, { dictionary })),
    dictionary,
  },
  LZ4: { type: 4, bytes: join(size, compressLz4(contents)) },
  "LZ4 and a dictionary": { type: 4, bytes: join(size, compressLz4(contents, dictionary)), dictionary },
  LZ4HC: { type: 5, bytes: join(size, compressLz4(contents)) },
  ZSTD: { type: 7, bytes: join(size, zstd) },
  ZSTDNotFinal: { type: 0x40, bytes: join(size, zstd) },
};

async function expandWith(name: string, dictionary?: Uint8Array) {
  const property = name.split(/[ ,]/)[0] as string;
  const decompressors = await loadDecompressors(property, 6, dictionary && (async () => dictionary));
  return (type: number, bytes: Uint8Array) => decompressors.expand("data", type, bytes);
}

describe.each(Object.entries(compressed))(
  "a block compressed with %s",
  (name, { type, bytes, dictionary }) => {
    it("is expanded", async () => {
      const expand = await expandWith(name, dictionary);
      expect(Buffer.from(expand(type, bytes))).toEqual(Buffer.from(contents));
    });

    it("is refused if it is truncated, or if its size is not the declared size", async () => {
      const expand = await expandWith(name, dictionary);
      expect(() => expand(type, bytes.subarray(0, bytes.length - 20))).toThrow(MalformedBytes);
      expect(() => expand(type, bytes.subarray(0, 1))).toThrow(MalformedBytes);
      const body = bytes.subarray(size.length);
      for (const other of [2 ** 40, 0]) {
        expect(() => expand(type, join(varint(other), body)), `${other}`).toThrow(MalformedBytes);
      }
    });
  },
);

describe("compressed blocks", () => {
  it("may declare a large size in few bytes, and do not get the memory", async () => {
    const expand = await expandWith("ZSTD");
    const bomb = join(varint(2 ** 30), new Uint8Array(20_000));
    expect(() => expand(7, bomb)).toThrow(UnsupportedFormat);
    // One block whose single byte stands for many, in a frame that declares 4 GiB, or no size.
    const block = u32((1 << 3) | (2 << 1) | 1).subarray(0, 3);
    const frame = (...header: number[]) =>
      join(u32(0xfd2fb528), Uint8Array.from(header), block, Uint8Array.of(7));
    for (const bytes of [frame(0xa0, 0, 0, 0, 0), frame(0xe0, 0, 0, 0, 0, 1, 0, 0, 0), frame(0, 0x58)]) {
      for (const declared of [2 ** 19, 2 ** 32])
        expect(() => expand(7, join(varint(declared), bytes))).toThrow(MalformedBytes);
    }
  });

  it("have lengths that are not followed backward", async () => {
    const expand = await expandWith("Snappy");
    for (let back = 1; back < 12; back++) {
      const literal = Uint8Array.of(4, 0xfc, 0x100 - back, 0xff, 0xff, 0xff, 1, 2, 3, 4);
      expect(() => expand(1, literal)).toThrow(MalformedBytes);
    }
  });

  it("do not copy from before the dictionary, nor beyond their size", async () => {
    const copy = (back: number) => Uint8Array.of(5, 0x10, 1, back, 0, 0);
    expect(await expandWith("LZ4", Uint8Array.of(9, 8, 7)).then((expand) => expand(4, copy(4)))).toEqual(
      Uint8Array.of(1, 9, 8, 7, 1),
    );
    const expand = await expandWith("LZ4", Uint8Array.of(9, 8, 7));
    for (const back of [0, 5]) expect(() => expand(4, copy(back))).toThrow(MalformedBytes);
    expect(() => expand(4, Uint8Array.of(4, 0x10, 1, 1, 0, 0))).toThrow(MalformedBytes);
  });

  it("are refused if their kind is unknown, by name", async () => {
    for (const name of ["BZip2", "constructor", "__proto__"])
      await expect(loadDecompressors(name, 6)).rejects.toThrow(UnsupportedFormat);
  });
});

describe("dictionaries", () => {
  it("serve only blocks of rows", async () => {
    const decompressors = await loadDecompressors("LZ4", 6, async () => dictionary);
    const bytes = join(size, compressLz4(contents, dictionary));
    expect(() => decompressors.expand("other", 4, bytes)).toThrow(MalformedBytes);
    const plain = join(size, compressLz4(contents));
    expect(Buffer.from(decompressors.expand("other", 4, plain))).toEqual(Buffer.from(contents));
  });

  it("are not read if nothing uses them", async () => {
    const unread = async () => {
      throw new Error("it was read");
    };
    for (const name of ["", "NoCompression", "Snappy"]) await loadDecompressors(name, 6, unread);
    await expect(loadDecompressors("ZSTD", 6, unread)).rejects.toThrow("it was read");
  });

  it("are refused if they have another id, or are garbage", async () => {
    const trained = (id: number) => join(u32(0xec30a437), u32(id), new Uint8Array(500).fill(0xa5));
    const frame = (id: number) =>
      join(u32(0xfd2fb528), Uint8Array.of(0x23), u32(id), Uint8Array.of(1, 9, 0, 0, 65));
    const bytes = join(varint(1), frame(77));
    const mismatch = /needs the dictionary 77, and the table has/;
    for (const other of [undefined, Uint8Array.of(1, 2, 3), trained(78)]) {
      const expand = await expandWith("ZSTD", other);
      expect(() => expand(7, bytes)).toThrow(mismatch);
      expect(() => expand(7, bytes)).toThrow(MalformedBytes);
    }
    const expand = await expandWith("ZSTD", trained(77));
    expect(() => expand(7, bytes)).toThrow(MalformedBytes);
    expect(() => expand(7, bytes)).not.toThrow(mismatch);
    // The library still works.
    expect((await expandWith("ZSTD"))(7, join(size, zstd))).toEqual(contents);
  });
});
