/** Compressed blocks that lie about their size, or expand to wrong bytes. */

import { deflateRawSync } from "node:zlib";
import { hostileNumbers, join, u32, varint } from "./byte-writer.js";
import { database, type Hostile } from "./databases.js";
import { type Below, scrambled } from "./mutations.js";
import { dataBlock, handle, block as indexBlock, type Place, type Stored, table } from "./tables.js";

const contents = dataBlock(
  Array.from({ length: 20 }, (_, at) => `key${100 + at}`),
  5,
);

interface Compression {
  readonly type: number;
  /** The name in the properties. */
  readonly name: string;
  /** `contents`, compressed, without a size before them. */
  readonly body: Uint8Array;
}

/** All contents as one literal, which each of these formats has. */
const compressions: readonly Compression[] = [
  { type: 1, name: "Snappy", body: join(Uint8Array.of(61 << 2), u16(contents.length - 1), contents) },
  { type: 2, name: "Zlib", body: new Uint8Array(deflateRawSync(contents)) },
  { type: 4, name: "LZ4", body: join(Uint8Array.of(0xf0), lengthOfLz4(contents.length - 15), contents) },
  { type: 5, name: "LZ4HC", body: join(Uint8Array.of(0xf0), lengthOfLz4(contents.length - 15), contents) },
  { type: 7, name: "ZSTD", body: zstdFrame(contents) },
];

function u16(value: number): Uint8Array {
  return u32(value).subarray(0, 2);
}

function lengthOfLz4(length: number): Uint8Array {
  return Uint8Array.of(...new Array(Math.floor(length / 255)).fill(255), length % 255);
}

/** A frame with one block that is not compressed. */
function zstdFrame(bytes: Uint8Array): Uint8Array {
  const block = u32((bytes.length << 3) | 1).subarray(0, 3);
  return join(u32(0xfd2fb528), Uint8Array.of(0xa0), u32(bytes.length), block, bytes);
}

function withBlock(name: string, { type, name: property }: Compression, bytes: Uint8Array): Hostile {
  const parts = { data: [{ contents: bytes, compression: type }] };
  return {
    name: `${property}: ${name}`,
    files: database({
      tables: [{ bytes: table({ ...parts, properties: { "rocksdb.compression": property } }) }],
    }),
  };
}

/** A database of 20 rows for each compression. */
export function correct(): Hostile[] {
  return compressions.map((one) => withBlock("correct", one, join(varint(contents.length), one.body)));
}

/** Wrong sizes of the contents. */
export function* sizes(): Generator<Hostile> {
  for (const compression of compressions) {
    const { body } = compression;
    const size = BigInt(contents.length);
    const few = hostileNumbers.filter((number) => number !== 2n ** 24n);
    for (const number of [...few, size - 1n, size, size + 1n, 2n * size, 2n ** 30n]) {
      yield withBlock(`size ${number}`, compression, join(varint(number), body));
      const long = new Uint8Array(20_000);
      yield withBlock(`size ${number} of a long block`, compression, join(varint(number), body, long));
    }
    for (let cut = 0; cut < body.length; cut += 7) {
      yield withBlock(`${cut} bytes`, compression, join(varint(size), body.subarray(0, cut)));
    }
    for (let type = 0; type < 256; type++) {
      yield withBlock(`type ${type}`, { ...compression, type }, join(varint(size), body));
    }
  }
}

/** Dictionaries that are garbage, have a wrong id, or are in a wrong place. */
export function* dictionaries(): Generator<Hostile> {
  const trained = (id: number, rest: Uint8Array) => join(u32(0xec30a437), u32(id), rest);
  const noise = Uint8Array.from({ length: 500 }, (_, at) => (at * at) % 251);
  // The second byte of the frame announces a dictionary's id.
  const body = (compression: Compression) =>
    compression.type === 7
      ? join(compression.body.subarray(0, 4), Uint8Array.of(0xa3), u32(77), compression.body.subarray(5))
      : compression.body;
  for (const compression of compressions) {
    const block = join(varint(contents.length), body(compression));
    const data = [{ contents: block, compression: compression.type }];
    const properties = { "rocksdb.compression": compression.name };
    const made = (name: string, place: Uint8Array, before: readonly Stored[] = []): Hostile => ({
      name: `${compression.name}: a dictionary, ${name}`,
      files: database({
        tables: [
          {
            bytes: table({
              data: [...data, ...before],
              index: ([first]) => oneBlock(first as Place),
              properties,
              metaindex: { "rocksdb.compression_dict": place },
            }),
          },
        ],
      }),
    });
    const after = block.length + 5;
    for (const [name, bytes] of [
      ["empty", new Uint8Array(0)],
      ["of plain bytes", noise],
      ["without an id", trained(77, noise).subarray(0, 6)],
      ["that is garbage", trained(77, noise)],
      ["with another id", trained(78, noise)],
      ["of a megabyte and more", new Uint8Array(1024 * 1024 + 1)],
    ] as const)
      yield made(name, handle(after, bytes.length), [{ contents: bytes }]);
    yield made("that is compressed", handle(after, 500), [{ contents: noise, compression: 7 }]);
    yield made("of a GiB", handle(0, 2 ** 30));
    yield made("beyond the end", handle(2 ** 40, 100));
    yield made("of no place", new Uint8Array(0));
    for (const number of hostileNumbers) yield made(`of ${number} bytes`, join(varint(0), varint(number)));
  }
}

/** An index of one block. */
function oneBlock({ offset, size }: Place): Uint8Array {
  return indexBlock([{ key: "key900", value: handle(offset, size) }]);
}

/** Bodies that once were trouble. */
export function* bodies(): Generator<Hostile> {
  const [snappy, , lz4] = compressions as [Compression, Compression, Compression];
  for (let back = 1; back < 12; back++) {
    // A literal with a length of four bytes, which is negative if it is taken as signed.
    const literal = join(Uint8Array.of(63 << 2), u32(2 ** 32 - back), contents);
    yield withBlock(`a literal of -${back} bytes`, snappy, join(varint(contents.length), literal));
  }
  const copies = new Uint8Array(3_000).fill(0xff);
  for (const compression of compressions) {
    yield withBlock("nothing but copies", compression, join(varint(100_000), copies));
    yield withBlock("nothing", compression, new Uint8Array(0));
  }
  yield withBlock("more than it says", lz4, join(varint(contents.length - 20), lz4.body));
}

/** Random changes. */
export function* scrambledBodies(count: number, below: Below): Generator<Hostile> {
  for (let at = 0; at < count; at++) {
    const compression = compressions[below(compressions.length)] as Compression;
    const bytes = join(varint(contents.length), compression.body);
    yield withBlock(`changed, ${at}`, compression, scrambled(bytes, below));
  }
}
