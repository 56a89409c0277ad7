/**
 * Splits content of any size into pieces: chunks, and indexes of chunks, with one root. An edit changes the pieces near
 * it and the indexes above them; all other pieces keep their ids.
 */
import { copyBytes } from "merostore/internal";
import {
  asRoot,
  digestOf,
  isInline,
  type ObjectDigest,
  type ObjectIdentifier,
  type ObjectType,
  type PieceType,
} from "../objects.js";
import { encodeFileIndex, type SizedPiece, totalSize } from "../tables/file-index.js";
import { ChunkCutter, MAX_CHUNK, type Permutation, type RollingHash } from "./rolling-hash.js";

/** A piece of an object. */
export interface Piece {
  readonly identifier: ObjectIdentifier;
  /** A chunk of the content, or an index. */
  readonly content: Uint8Array;
  /** The pieces of an index, in its order, with inline ones; none for a chunk. */
  readonly children: readonly ObjectDigest[];
}

export interface SplitOptions {
  readonly rollingHash: RollingHash;
  readonly permutation?: Permutation | undefined;
  readonly keyIndex: number;
}

/** The most children of an index: with so many it is a little smaller than the largest chunk. */
const MAX_CHILDREN = 851;
/** Bytes of content that are buffered before they are cut. */
const BUFFER_SIZE = 1 << 20;

/**
 * Splits streamed content. Passes pieces to `emit` as soon as they are complete, children before their index, the root
 * last. Inline pieces are not passed: they have no rows.
 */
export class Splitter {
  readonly #object: ObjectType;
  readonly #keyIndex: number;
  readonly #emit: (piece: Piece) => void;
  readonly #cutter: ChunkCutter;
  /** Content that is not cut yet: `[#start, #end)` of the buffer. */
  #buffer: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;
  /** By level: the pieces that are not in an index yet. */
  readonly #levels: SizedPiece[][] = [];
  /** The last piece: the root, if no other follows. */
  #last: Piece | undefined;

  constructor(object: ObjectType, options: SplitOptions, emit: (piece: Piece) => void) {
    this.#object = object;
    this.#keyIndex = options.keyIndex;
    this.#emit = emit;
    this.#cutter = new ChunkCutter(options.rollingHash, options.permutation);
  }

  /** Adds bytes of the content. Copies them. */
  update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const taken = bytes.subarray(at, at + BUFFER_SIZE);
      this.#append(taken);
      at += taken.length;
      // A chunk ends within so many bytes, whatever they are.
      while (this.#end - this.#start >= MAX_CHUNK) this.#cut();
    }
  }

  /** Ends the content, and returns the root. */
  finish(): ObjectIdentifier {
    while (this.#cut());
    if (this.#end > this.#start || this.#levels.length === 0) this.#chunk(this.#end - this.#start);
    for (let level = 0; level < this.#levels.length - 1 || this.#list(level).length > 1; level++)
      this.#close(level);
    const [{ identifier }] = this.#levels.at(-1) as [SizedPiece];
    const root = { ...identifier, digest: asRoot(identifier.digest, this.#object) };
    if (this.#last !== undefined) this.#send({ ...this.#last, identifier: root });
    return root;
  }

  #append(bytes: Uint8Array): void {
    if (this.#end + bytes.length > this.#buffer.length) {
      const rest = this.#buffer.subarray(this.#start, this.#end);
      const needed = rest.length + bytes.length;
      const room = Math.max(needed, Math.min(2 * this.#buffer.length, BUFFER_SIZE));
      const buffer = needed > this.#buffer.length ? new Uint8Array(room) : this.#buffer;
      buffer.set(rest);
      this.#buffer = buffer;
      this.#start = 0;
      this.#end = rest.length;
    }
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Cuts off one chunk, and ends the indexes that end with it. Returns false if no chunk ends in the buffer. */
  #cut(): boolean {
    const cut = this.#cutter.next(this.#buffer, this.#start, this.#end);
    if (cut === undefined) return false;
    this.#chunk(cut.length);
    for (let level = 0; level < cut.level; level++) this.#close(level);
    return true;
  }

  #chunk(length: number): void {
    const content = copyBytes(this.#buffer.subarray(this.#start, this.#start + length));
    this.#start += length;
    this.#add(0, this.#made(content, "chunk", []), BigInt(length));
  }

  /** Ends the index of a level: a single piece moves up as it is, several pieces get an index. */
  #close(level: number): void {
    const children = this.#list(level);
    this.#levels[level] = [];
    const [only] = children;
    if (only === undefined) return;
    const { identifier, size } = children.length === 1 ? only : this.#index(children);
    this.#add(level + 1, identifier, size);
  }

  #index(children: readonly SizedPiece[]): SizedPiece {
    const digests = children.map(({ identifier }) => identifier.digest);
    const identifier = this.#made(encodeFileIndex(children), "index", digests);
    return { identifier, size: totalSize(children) };
  }

  #add(level: number, identifier: ObjectIdentifier, size: bigint): void {
    const list = this.#list(level);
    list.push({ identifier, size });
    this.#levels[level] = list;
    if (list.length === MAX_CHILDREN) this.#close(level);
  }

  #list(level: number): SizedPiece[] {
    return this.#levels[level] ?? [];
  }

  #made(content: Uint8Array, piece: PieceType, children: readonly ObjectDigest[]): ObjectIdentifier {
    if (this.#last !== undefined) this.#send(this.#last);
    const identifier = { keyIndex: this.#keyIndex, digest: digestOf(content, "blob", piece) };
    this.#last = { identifier, content, children };
    return identifier;
  }

  #send(piece: Piece): void {
    if (!isInline(piece.identifier.digest)) this.#emit(piece);
  }
}

/** Splits content that is in memory, and passes its pieces to `emit`. Returns the root. */
export function split(
  content: Uint8Array,
  object: ObjectType,
  options: SplitOptions,
  emit: (piece: Piece) => void,
): ObjectIdentifier {
  const splitter = new Splitter(object, options, emit);
  splitter.update(content);
  return splitter.finish();
}
