/** Reads objects of one piece or of many. */
import {
  concatAll,
  counted,
  isMerostoreError,
  LruCache,
  MerostoreError,
  toHex,
  undefinedIf,
} from "merostore/internal";
import { type ObjectIdentifier, objectType, pieceType } from "../objects.js";
import { decodeFileIndex, type FileIndex, totalSize } from "../tables/file-index.js";
import { damage } from "../tables/table-reader.js";
import { decodeNode, type TreeEntry, type TreeNode } from "../tables/tree-node.js";
import type { NodeSource } from "../tree/iterate.js";
import type { PieceStore } from "./piece-store.js";

/** Fetches a piece that is not on this device. */
export type FetchPiece = (identifier: ObjectIdentifier) => Promise<Uint8Array>;

/** Bytes `[from, to)` of the content of an object. */
export interface ContentRange {
  readonly from: number;
  readonly to: number;
}

/** Bytes of encoded nodes that are cached decoded. */
const CACHED_BYTES = 8 << 20;

export class ObjectReader implements NodeSource {
  readonly #pieces: PieceStore;
  readonly #fetchNode: FetchPiece;
  readonly #nodes = new LruCache<TreeNode>(CACHED_BYTES);

  /** @param fetchNode fetches missing pieces of nodes */
  constructor(pieces: PieceStore, fetchNode: FetchPiece = missingNode) {
    this.#pieces = pieces;
    this.#fetchNode = fetchNode;
  }

  async node(identifier: ObjectIdentifier): Promise<TreeNode> {
    const name = toHex(identifier.digest);
    const known = this.#nodes.get(name);
    if (known !== undefined) return known;
    if (objectType(identifier.digest) !== "tree-node")
      throw damage(`${name} should be a tree node, and is not`);
    const content = await this.whole(identifier, this.#fetchNode);
    const node = decodePiece(name, () => decodeNode(content));
    this.cache(identifier, node, content.length);
    return node;
  }

  /** Caches a node that was just made or read. */
  cache({ digest }: ObjectIdentifier, node: TreeNode, bytes: number): void {
    this.#nodes.set(toHex(digest), node, bytes);
  }

  /** Returns the bytes of the content of an object. */
  async size(identifier: ObjectIdentifier, fetch?: FetchPiece): Promise<number> {
    const content = await this.#piece(identifier, fetch);
    return isIndex(identifier) ? Number(readIndex(identifier, content).size) : content.length;
  }

  /** Reads the whole content of an object. */
  async whole(identifier: ObjectIdentifier, fetch?: FetchPiece): Promise<Uint8Array> {
    const first = await this.#piece(identifier, fetch);
    if (!isIndex(identifier)) return first;
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.#content(identifier, first, EVERYTHING, fetch)) chunks.push(chunk);
    return concatAll(chunks);
  }

  /** Reads the contents of several objects; undefined for objects with pieces that are not on this device. */
  async wholes(identifiers: readonly ObjectIdentifier[]): Promise<(Uint8Array | undefined)[]> {
    const roots = await this.#pieces.readMany(identifiers.map(({ digest }) => digest));
    const contents: (Uint8Array | undefined)[] = [];
    for (const [index, identifier] of identifiers.entries()) {
      const root = roots[index];
      contents.push(
        root === undefined || !isIndex(identifier)
          ? root
          : await undefinedIf(this.whole(identifier), "NEEDS_FETCH"),
      );
    }
    return contents;
  }

  /** Streams a range of the content in chunks of at most 64 KiB. */
  async *chunks(
    identifier: ObjectIdentifier,
    range: ContentRange = EVERYTHING,
    fetch?: FetchPiece,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    yield* this.#content(identifier, await this.#piece(identifier, fetch), range, fetch);
  }

  /** Yields the identifiers of all pieces of an object whose indexes are on this device, the root first. */
  async *pieces(identifier: ObjectIdentifier): AsyncGenerator<ObjectIdentifier, void, undefined> {
    yield identifier;
    if (!isIndex(identifier)) return;
    const content = await this.#pieces.read(identifier.digest);
    if (content === undefined) return;
    for (const child of readIndex(identifier, content).children) yield* this.pieces(child.identifier);
  }

  async *#content(
    identifier: ObjectIdentifier,
    content: Uint8Array,
    { from, to }: ContentRange,
    fetch: FetchPiece | undefined,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    if (!isIndex(identifier)) {
      const part = content.subarray(from, Math.min(to, content.length));
      if (part.length > 0) yield part;
      return;
    }
    const index = readIndex(identifier, content);
    let start = 0;
    for (const child of index.children) {
      const end = start + Number(child.size);
      if (end > from && start < to) {
        const piece = await this.#piece(child.identifier, fetch);
        checkSize(child.identifier, piece, child.size);
        const range = { from: Math.max(0, from - start), to: to - start };
        yield* this.#content(child.identifier, piece, range, fetch);
      }
      start = end;
    }
  }

  async #piece(identifier: ObjectIdentifier, fetch: FetchPiece = needsFetch): Promise<Uint8Array> {
    return (await this.#pieces.read(identifier.digest)) ?? fetch(identifier);
  }
}

const EVERYTHING: ContentRange = { from: 0, to: Number.POSITIVE_INFINITY };

function isIndex({ digest }: ObjectIdentifier): boolean {
  return pieceType(digest) === "index";
}

function readIndex({ digest }: ObjectIdentifier, content: Uint8Array): FileIndex {
  const name = toHex(digest);
  const index = decodePiece(name, () => decodeFileIndex(content));
  if (index.size !== totalSize(index.children) || index.size > Number.MAX_SAFE_INTEGER)
    throw damage(`the sizes in the index objects/${name} do not add up`);
  return index;
}

function checkSize(identifier: ObjectIdentifier, content: Uint8Array, size: bigint): void {
  const found = isIndex(identifier) ? readIndex(identifier, content).size : BigInt(content.length);
  if (found !== size)
    throw damage(
      `the piece objects/${toHex(identifier.digest)} has ${counted(Number(found), "byte")} of content, its index says ${size}`,
    );
}

function decodePiece<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!isMerostoreError(cause)) throw cause;
    throw damage(`the piece objects/${name} is damaged: ${cause.message}`, cause);
  }
}

function needsFetch({ digest }: ObjectIdentifier): never {
  throw new MerostoreError(
    "NEEDS_FETCH",
    `the piece ${toHex(digest)} of a value is not on this device: fetch it`,
  );
}

function missingNode({ digest }: ObjectIdentifier): never {
  throw damage(`the tree node objects/${toHex(digest)} is missing`);
}

/**
 * Returns the handler of pieces of an entry's value that are missing on this device.
 *
 * @param fetch fetches a piece from the cloud, which may also have a piece that this device has lost
 * @returns undefined if a missing piece should throw NEEDS_FETCH
 */
export function missingPieces(
  { priority }: Pick<TreeEntry, "priority">,
  fetch?: FetchPiece,
): FetchPiece | undefined {
  if (priority === "lazy") return fetch;
  return async (identifier) => {
    let cause: unknown;
    try {
      if (fetch !== undefined) return await fetch(identifier);
    } catch (error) {
      if (!isMerostoreError(error, "NETWORK_ERROR")) throw error;
      cause = error;
    }
    throw damage(`the piece objects/${toHex(identifier.digest)} of an eager entry's value is missing`, cause);
  };
}

/**
 * Reads the values of entries; undefined for a lazy entry whose value is not completely on this device.
 * @throws MerostoreError DATA_INTEGRITY_ERROR if a piece of an eager entry's value is missing
 */
export async function valuesOf(
  objects: ObjectReader,
  entries: readonly TreeEntry[],
): Promise<(Uint8Array | undefined)[]> {
  const values = await objects.wholes(entries.map(({ value }) => value));
  for (const [index, entry] of entries.entries())
    if (values[index] === undefined && entry.priority === "eager")
      values[index] = await objects.whole(entry.value, missingPieces(entry));
  return values;
}
