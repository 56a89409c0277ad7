/**
 * Decompression of blocks. Nodes do not compress; other builds of RocksDB do. Each library is an optional dependency,
 * loaded when a table needs it.
 */

import { loadFailure, notInstalled } from "../optional-package.js";
import { ByteCursor, MalformedBytes, UnreadableFormat } from "./byte-cursor.js";
import { checkSnappyLengths } from "./snappy-lengths.js";

/** Returns the contents of a block. @throws MalformedBytes */
export type Decompress = (compressed: Uint8Array) => Uint8Array;

/** A supported kind of compression: its number before the checksum of a block. */
interface Compression {
  readonly type: number;
  /** The maximum ratio of decompression. */
  readonly ratio: number;
  load(): Promise<(compressed: Uint8Array, size: number) => Uint8Array>;
}

const lz4: Compression = {
  type: 4,
  ratio: 255,
  async load() {
    const { default: library } = await import("lz4js").catch(missing("lz4js"));
    return (compressed, size) => {
      const contents = new Uint8Array(size);
      const written = library.decompressBlock(compressed, contents, 0, compressed.length, 0);
      if (written > size) throw new MalformedBytes("its size is not the declared size"); // the library discards the rest
      return contents.subarray(0, written);
    };
  },
};

/** By the name that the property `rocksdb.compression` has for it. */
const compressions: Readonly<Record<string, Compression>> = {
  Snappy: {
    type: 1,
    ratio: 64,
    async load() {
      const { default: library } = await import("snappyjs").catch(missing("snappyjs"));
      return (compressed, size) => {
        checkSnappyLengths(compressed);
        return library.uncompress(compressed, size);
      };
    },
  },
  Zlib: {
    type: 2,
    ratio: 1100,
    async load() {
      const { inflateSync } = await import("fflate").catch(missing("fflate"));
      // The library drops output that does not fit; one extra byte reveals that there was more.
      return (compressed, size) => inflateSync(compressed, { out: new Uint8Array(size + 1) });
    },
  },
  LZ4: lz4,
  LZ4HC: { ...lz4, type: 5 },
  ZSTD: {
    type: 7,
    ratio: 65_536,
    async load() {
      const { decompress } = await import("fzstd").catch(missing("fzstd"));
      return (compressed, size) => decompress(compressed, new Uint8Array(size));
    },
  },
};

/** The maximum size of a block whose ratio exceeds the usual: Zstandard can declare any size in a few bytes. */
const LARGEST_BY_FAR = 64 * 1024 * 1024;
const FAR = 1100;

const SNAPPY = 1;

/** Before this version of the table format, contents do not begin with their size. */
const FIRST_WITH_SIZE = 2;

/** From this version on, the property lists the numbers of all kinds in a table. */
const FIRST_WITH_LIST = 7;

/**
 * Loads the functions that decompress the blocks of a table, by type.
 *
 * @param name the table's property `rocksdb.compression`
 * @param version the table's format version
 * @throws UnreadableFormat for an unknown kind, or if its library is not installed
 */
export async function loadDecompressors(
  name: string,
  version: number,
): Promise<ReadonlyMap<number, Decompress>> {
  const found = new Map<number, Decompress>();
  for (const used of version >= FIRST_WITH_LIST ? listed(name) : named(name)) {
    if (version < FIRST_WITH_SIZE)
      throw new UnreadableFormat(`blocks are compressed in the format version ${version}`);
    found.set(used.type, await decompressor(used));
  }
  return found;
}

function named(name: string): Compression[] {
  if (name === "" || name === "NoCompression") return [];
  const known = Object.hasOwn(compressions, name) ? compressions[name] : undefined;
  if (known === undefined) throw new UnreadableFormat(`blocks are compressed with ${name}`);
  return [known];
}

/** `BuiltinV2;0407;…`: the compressor, then the used types, two hexadecimal digits each. */
function listed(property: string): Compression[] {
  const [manager, types = ""] = property.split(";");
  const numbers = (types.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16));
  if (numbers.length > 0 && manager !== "BuiltinV2")
    throw new UnreadableFormat(`blocks are compressed by ${manager}`);
  return numbers.map((type) => {
    const known = Object.values(compressions).find((one) => one.type === type);
    if (known === undefined) throw new UnreadableFormat(`blocks are compressed with the type ${type}`);
    return known;
  });
}

/**
 * Creates the error for a missing library. It is attached to the import, so that bundles work without the library too.
 */
function missing(spec: string): (error: unknown) => never {
  return (error) => {
    const reasonOf = () => notInstalled(spec); // bundlers and browsers have other messages
    throw new UnreadableFormat("blocks are compressed", loadFailure({ spec, reasonOf }, error));
  };
}

async function decompressor({ type, ratio, load }: Compression): Promise<Decompress> {
  const expand = await load();
  return (compressed) => {
    const fields = new ByteCursor(compressed);
    const size = fields.varint(); // the library for Snappy reads it again
    const body = compressed.subarray(type === SNAPPY ? 0 : fields.position);
    if (size > ratio * body.length) throw new MalformedBytes("the size of a compressed block is impossible");
    if (size > LARGEST_BY_FAR && size > FAR * body.length)
      throw new UnreadableFormat(`a block of ${compressed.length} bytes declares ${size} decompressed bytes`);
    let contents: Uint8Array;
    try {
      contents = expand(body, size);
    } catch (error) {
      throw new MalformedBytes(`a compressed block cannot be decompressed: ${String(error)}`);
    }
    if (contents.length === size) return contents;
    throw new MalformedBytes("the size of a compressed block is not the declared size");
  };
}
