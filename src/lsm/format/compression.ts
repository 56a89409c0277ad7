/**
 * Decompression of blocks. Each library is an optional dependency, loaded when a table needs it.
 *
 * A table may have a dictionary for the compression of its data blocks. Its other blocks are compressed without it.
 */

import { loadFailure, notInstalled } from "../optional-package.js";
import { ByteCursor, MalformedBytes, UnreadableFormat } from "./byte-cursor.js";
import { expandLz4 } from "./lz4.js";
import { checkSnappyLengths } from "./snappy-lengths.js";
import { loadZstd } from "./zstd.js";

/** Expands a block to contents of a known size. */
type Expand = (compressed: Uint8Array, size: number, dictionary: Uint8Array | undefined) => Uint8Array;

/** A supported kind of compression: its number before the checksum of a block. */
interface Compression {
  readonly type: number;
  /** The maximum ratio of decompression. */
  readonly ratio: number;
  /** True if its blocks never use the dictionary, although their tables may have one. */
  readonly ignoresDictionary?: true;
  load(): Expand | Promise<Expand>;
}

const lz4: Compression = { type: 4, ratio: 255, load: () => expandLz4 };
const zstd: Compression = { type: 7, ratio: 65_536, load: loadZstd };

/** The kinds, by their names in the property `rocksdb.compression`. */
const compressions: Readonly<Record<string, Compression>> = {
  Snappy: {
    type: 1,
    ratio: 64,
    ignoresDictionary: true,
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
      // The library drops output that does not fit. One extra byte reveals such output.
      return (compressed, size, dictionary) =>
        inflateSync(compressed, { out: new Uint8Array(size + 1), ...(dictionary && { dictionary }) });
    },
  },
  LZ4: lz4,
  LZ4HC: { ...lz4, type: 5 },
  ZSTD: zstd,
  ZSTDNotFinal: { ...zstd, type: 0x40 },
};

/** The maximum size of a block with an unusually high ratio: Zstandard can declare any size in a few bytes. */
const LARGEST_BY_FAR = 64 * 1024 * 1024;
const FAR = 1100;

const SNAPPY = 1;

/** Before this version of the table format, contents do not begin with their size. */
const FIRST_WITH_SIZE = 2;

/** From this version on, the property lists the numbers of all kinds in the table. */
const FIRST_WITH_LIST = 7;

/** Decompresses the blocks of one table. */
export class Decompressors {
  readonly #kinds: ReadonlyMap<number, Kind>;
  readonly #dictionary: Uint8Array | undefined;

  /** @internal */
  constructor(kinds: ReadonlyMap<number, Kind> = new Map(), dictionary?: Uint8Array) {
    this.#kinds = kinds;
    this.#dictionary = dictionary;
  }

  /** Returns the contents of a block of a type other than 0. @throws MalformedBytes, UnreadableFormat */
  expand(content: BlockContent, type: number, compressed: Uint8Array): Uint8Array {
    const kind = this.#kinds.get(type);
    if (kind === undefined) throw new MalformedBytes(`a block has the unknown compression ${type}`);
    return expanded(kind, compressed, content === "data" ? this.#dictionary : undefined);
  }
}

/** The content of a block: `data` has rows; `other` is an index or a list of range deletions. */
export type BlockContent = "data" | "other";

/** A kind of compression, and its loaded function. */
interface Kind extends Compression {
  readonly expand: Expand;
}

/**
 * Loads the decompressors of a table.
 *
 * @param name the table's property `rocksdb.compression`
 * @param version the table's format version
 * @param readDictionary reads the dictionary, if the table has one; called only if a compression uses it
 * @throws UnreadableFormat for an unknown kind, or if its library is not installed; errors of `readDictionary`
 */
export async function loadDecompressors(
  name: string,
  version: number,
  readDictionary?: () => Promise<Uint8Array>,
): Promise<Decompressors> {
  const used = version >= FIRST_WITH_LIST ? listed(name) : named(name);
  if (used.length > 0 && version < FIRST_WITH_SIZE)
    throw new UnreadableFormat(`blocks are compressed in the format version ${version}`);
  const kinds = await loadKinds(used);
  const needsDictionary = used.some(({ ignoresDictionary }) => !ignoresDictionary);
  return new Decompressors(kinds, needsDictionary ? await readDictionary?.() : undefined);
}

async function loadKinds(used: readonly Compression[]): Promise<Map<number, Kind>> {
  const kinds = new Map<number, Kind>();
  for (const kind of used) kinds.set(kind.type, { ...kind, expand: await kind.load() });
  return kinds;
}

/**
 * Loads the decompressors of a table whose blocks have these types. A block of an unknown type cannot be read.
 *
 * @throws UnreadableFormat if a library is not installed
 */
export async function decompressorsFor(
  types: ReadonlySet<number>,
  dictionary: Uint8Array | undefined,
): Promise<Decompressors> {
  const used = Object.values(compressions).filter(({ type }) => types.has(type));
  return new Decompressors(await loadKinds(used), dictionary);
}

/**
 * Returns the names of a table's compressions, including unknown ones.
 *
 * @param property the table's property `rocksdb.compression`
 * @param version the table's format version
 */
export function compressionNames(property: string, version: number): readonly string[] {
  if (version < FIRST_WITH_LIST) return property === "" || property === NONE ? [] : [property];
  return typesIn(property).map((type) => {
    const known = Object.entries(compressions).find(([, one]) => one.type === type);
    return known?.[0] ?? `type ${type}`;
  });
}

/** The name for no compression. */
const NONE = "NoCompression";

function named(name: string): Compression[] {
  if (name === "" || name === NONE) return [];
  const known = Object.hasOwn(compressions, name) ? compressions[name] : undefined;
  if (known === undefined) throw new UnreadableFormat(`blocks are compressed with ${name}`);
  return [known];
}

/** `BuiltinV2;0407;…`: the compressor, then the used types, two hexadecimal digits each. */
function listed(property: string): Compression[] {
  const [manager] = property.split(";");
  const numbers = typesIn(property);
  if (numbers.length > 0 && manager !== "BuiltinV2")
    throw new UnreadableFormat(`blocks are compressed by ${manager}`);
  return numbers.map((type) => {
    const known = Object.values(compressions).find((one) => one.type === type);
    if (known === undefined) throw new UnreadableFormat(`blocks are compressed with the type ${type}`);
    return known;
  });
}

function typesIn(property: string): number[] {
  const [, types = ""] = property.split(";");
  return (types.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16));
}

/**
 * Returns the handler of a failed import, which throws the error about a missing library. So bundles work without the
 * library too.
 */
function missing(spec: string): (error: unknown) => never {
  return (error) => {
    const reasonOf = () => notInstalled(spec); // the messages of bundlers and browsers differ
    throw new UnreadableFormat("blocks are compressed", loadFailure({ spec, reasonOf }, error));
  };
}

function expanded(
  { type, ratio, expand }: Kind,
  compressed: Uint8Array,
  dictionary: Uint8Array | undefined,
): Uint8Array {
  const fields = new ByteCursor(compressed);
  const size = fields.varint(); // the Snappy library reads it again
  const body = compressed.subarray(type === SNAPPY ? 0 : fields.position);
  if (size > ratio * body.length) throw new MalformedBytes("the size of a compressed block is impossible");
  if (size > LARGEST_BY_FAR && size > FAR * body.length)
    throw new UnreadableFormat(`a block of ${compressed.length} bytes declares ${size} decompressed bytes`);
  let contents: Uint8Array;
  try {
    contents = expand(body, size, dictionary);
  } catch (error) {
    if (error instanceof UnreadableFormat) throw error;
    throw new MalformedBytes(`a compressed block cannot be decompressed: ${String(error)}`);
  }
  if (contents.length === size) return contents;
  throw new MalformedBytes("the size of a compressed block is not the declared size");
}
