/** Fetches objects to this device. */
import {
  concatAll,
  copyBytes,
  describeValue,
  invalidArgument,
  isBytes,
  isOneOf,
  toHex,
} from "merostore/internal";
import {
  copyIdentifier,
  digestFits,
  inlineContent,
  isInline,
  type ObjectIdentifier,
  pieceType,
} from "../objects.js";
import { eagerEdges, edgesOfNode, mergeEdges, type NewPiece } from "../pieces/edges.js";
import type { PieceStatus } from "../rows/page-rows.js";
import type { PageStorage } from "../storage/page-storage.js";
import { decodeFileIndex } from "../tables/file-index.js";
import { damage } from "../tables/table-reader.js";
import { decodeNode, type Priority } from "../tables/tree-node.js";
import type { FetchedPiece, SyncSource } from "./cloud.js";

/** Fetches a piece from the cloud. */
export type FetchFromCloud = (identifier: ObjectIdentifier) => Promise<FetchedPiece>;

export class Fetcher {
  readonly #storage: PageStorage;
  readonly #fetchFromCloud: FetchFromCloud;

  constructor(storage: PageStorage, fetch: FetchFromCloud) {
    this.#storage = storage;
    this.#fetchFromCloud = fetch;
  }

  /** Fetches and stores a piece of a value, and returns its content. */
  async piece(identifier: ObjectIdentifier): Promise<Uint8Array> {
    const { piece, source } = await this.#fetch(identifier);
    await this.#store([piece], source);
    return piece.content;
  }

  /**
   * Fetches the missing nodes of a tree and the missing values of its eager entries. A node is stored after the pieces
   * that it refers to, so a stored node is complete. The status of nodes and values that were stored before is raised:
   * this device may have made the same ones.
   *
   * @param from the source of the commit of the tree
   */
  async tree(root: ObjectIdentifier, from: SyncSource): Promise<void> {
    if (isInline(root.digest)) return;
    const { objects, pieces: stored } = this.#storage;
    const isHere = (await this.#read(root)) !== undefined;
    if (isHere && (from === "peer" || (await stored.statuses([root]))[0] !== "local")) return;
    const fetched: Fetched[] = [];
    const node = isHere ? await objects.node(root) : decodeNode(await this.#content(root, fetched));
    for (const child of node.children) if (child !== undefined) await this.tree(child, from);
    const valuesOf = (wanted: Priority): ObjectIdentifier[] =>
      node.entries.flatMap(({ value, priority }) => (priority === wanted ? [value] : []));
    await this.#values(valuesOf("eager"), from);
    for (const { identifier, isKnown } of await this.#outside(valuesOf("lazy"), from))
      if (!isKnown) await this.#raise(identifier, from);
    if (isHere) return this.#raise(root, from);
    const pieces = fetched.map(({ piece }) => piece);
    const [first, ...others] = pieces as [NewPiece, ...NewPiece[]];
    const edges = mergeEdges(first.edges, edgesOfNode(node));
    const source = fetched.some((one) => one.source === "peer") ? "peer" : "cloud";
    await this.#store([{ ...first, edges }, ...others], source);
  }

  /**
   * Returns the pieces that are not inline. A known piece has a status that a piece from this source gets, or a higher
   * one: it was checked when it came.
   */
  async #outside(
    identifiers: readonly ObjectIdentifier[],
    from: SyncSource,
  ): Promise<{ readonly identifier: ObjectIdentifier; readonly isKnown: boolean }[]> {
    const outside = identifiers.filter(({ digest }) => !isInline(digest));
    const statuses = await this.#storage.pieces.statuses(outside);
    const known: readonly (PieceStatus | undefined)[] = from === "cloud" ? ["synced"] : ["local", "synced"];
    return outside.map((identifier, at) => ({ identifier, isKnown: known.includes(statuses[at]) }));
  }

  /** Fetches the missing pieces of values. The index of a formerly lazy value may be here without its chunks. */
  async #values(identifiers: readonly ObjectIdentifier[], from: SyncSource): Promise<void> {
    for (const { identifier, isKnown } of await this.#outside(identifiers, from)) {
      if (isKnown && pieceType(identifier.digest) === "chunk") continue;
      const content = await this.#read(identifier);
      const fetched = content === undefined ? await this.#fetch(identifier) : undefined;
      await this.#values(childrenOf(identifier, content ?? (fetched as Fetched).piece.content), from);
      if (fetched !== undefined) await this.#store([fetched.piece], fetched.source);
      else if (!isKnown) await this.#raise(identifier, from);
    }
  }

  /** Raises the status of the stored pieces of an object, which may have had no commit that uses them. */
  async #raise(identifier: ObjectIdentifier, from: SyncSource): Promise<void> {
    const { objects, pieces } = this.#storage;
    const here: ObjectIdentifier[] = [];
    for await (const piece of objects.pieces(identifier)) if (!isInline(piece.digest)) here.push(piece);
    await this.#storage.writes.exclusively(async (write) => write(await pieces.raise(here, statusOf(from))));
  }

  /** Fetches the content of a node. Does not store its pieces: the edges of the root piece depend on all of them. */
  async #content(identifier: ObjectIdentifier, fetched: Fetched[]): Promise<Uint8Array> {
    if (isInline(identifier.digest)) return inlineContent(identifier.digest);
    const one = await this.#fetch(identifier);
    fetched.push(one);
    const { content } = one.piece;
    if (pieceType(identifier.digest) === "chunk") return content;
    const parts: Uint8Array[] = [];
    for (const child of childrenOf(identifier, content)) parts.push(await this.#content(child, fetched));
    return concatAll(parts);
  }

  async #fetch(identifier: ObjectIdentifier): Promise<Fetched> {
    const { content: given, source } = (await this.#fetchFromCloud(copyIdentifier(identifier))) ?? {};
    if (!isBytes(given))
      throw invalidArgument(`the cloud must return the bytes of a piece, not ${describeValue(given)}`);
    checkSource(source);
    const content = copyBytes(given);
    if (!digestFits(identifier.digest, content))
      throw damage(`what was fetched as ${toHex(identifier.digest)} has another digest`);
    const edges = eagerEdges(childrenOf(identifier, content).map(({ digest }) => digest));
    return { piece: { identifier, content, edges }, source };
  }

  #read({ digest }: ObjectIdentifier): Promise<Uint8Array | undefined> {
    return this.#storage.pieces.stored(digest);
  }

  async #store(pieces: readonly NewPiece[], source: SyncSource): Promise<void> {
    await this.#storage.writes.exclusively(async (write) => {
      // A lost piece still has its status row: store its content anyway.
      await write(await this.#storage.pieces.restore(pieces, statusOf(source)));
    });
  }
}

/** @throws MerostoreError INVALID_ARGUMENT for an unknown source */
export function checkSource(source: SyncSource): void {
  const expected = isSource(source);
  if (expected !== undefined)
    throw invalidArgument(`the source of a sync must be ${expected}, not ${describeValue(source)}`);
}

const isSource = isOneOf(["cloud", "peer"]);

/** Pieces from the cloud are synced; pieces from a peer are not in the cloud yet. */
function statusOf(source: SyncSource): PieceStatus {
  return source === "cloud" ? "synced" : "local";
}

interface Fetched {
  readonly piece: NewPiece;
  readonly source: SyncSource;
}

/** Returns the children of an index; none for a chunk. */
function childrenOf({ digest }: ObjectIdentifier, content: Uint8Array): ObjectIdentifier[] {
  return pieceType(digest) === "index"
    ? decodeFileIndex(content).children.map(({ identifier }) => identifier)
    : [];
}
