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
    const fetched = await this.#fetch(identifier);
    const batch = new FetchedBatch(this.#storage, fetched.source);
    await batch.add(fetched);
    await batch.write();
    return fetched.piece.content;
  }

  /**
   * Fetches the missing nodes of a tree and the missing values of its eager entries. A node is stored after the pieces
   * that it refers to, or with them, so a stored node is complete. The status of nodes and values that were stored
   * before is raised: this device may have made the same ones.
   *
   * @param from the source of the commit of the tree
   */
  async tree(root: ObjectIdentifier, from: SyncSource): Promise<void> {
    const batch = new FetchedBatch(this.#storage, from);
    try {
      await this.#tree(root, batch);
    } finally {
      // After a failure, the next call need not fetch these again.
      await batch.write();
    }
  }

  async #tree(root: ObjectIdentifier, batch: FetchedBatch): Promise<void> {
    if (isInline(root.digest)) return;
    const { objects, pieces: stored } = this.#storage;
    const isHere = (await stored.stored(root.digest)) !== undefined;
    if (isHere && (batch.from === "peer" || (await stored.statuses([root]))[0] !== "local")) return;
    const fetched: Fetched[] = [];
    const node = isHere ? await objects.node(root) : decodeNode(await this.#content(root, fetched));
    for (const child of node.children) if (child !== undefined) await this.#tree(child, batch);
    const valuesOf = (wanted: Priority): ObjectIdentifier[] =>
      node.entries.flatMap(({ value, priority }) => (priority === wanted ? [value] : []));
    await this.#values(valuesOf("eager"), batch);
    for (const { identifier, isKnown } of await this.#outside(valuesOf("lazy"), batch.from))
      if (!isKnown) await batch.raise(identifier);
    if (isHere) return batch.raise(root);
    const source = fetched.some((one) => one.source === "peer") ? "peer" : "cloud";
    // Indexes come before their children.
    for (const [at, { piece }] of [...fetched.entries()].reverse()) {
      const edges = at === 0 ? mergeEdges(piece.edges, edgesOfNode(node)) : piece.edges;
      await batch.add({ piece: { ...piece, edges }, source });
    }
  }

  /** Returns the pieces that are not inline. */
  async #outside(identifiers: readonly ObjectIdentifier[], from: SyncSource): Promise<OutsidePiece[]> {
    const outside = identifiers.filter(({ digest }) => !isInline(digest));
    const statuses = await this.#storage.pieces.statuses(outside);
    const known: readonly (PieceStatus | undefined)[] = from === "cloud" ? ["synced"] : ["local", "synced"];
    return outside.map((identifier, at) => ({
      identifier,
      isKnown: known.includes(statuses[at]),
      isHere: statuses[at] !== undefined,
    }));
  }

  /** Fetches the missing pieces of values. The index of a formerly lazy value may be here without its chunks. */
  async #values(identifiers: readonly ObjectIdentifier[], batch: FetchedBatch): Promise<void> {
    for (const { identifier, isKnown, isHere } of await this.#outside(identifiers, batch.from)) {
      if (batch.has(identifier) || (isKnown && pieceType(identifier.digest) === "chunk")) continue;
      // A lost piece still has its status.
      const content = isHere ? await this.#storage.pieces.stored(identifier.digest) : undefined;
      const fetched = content === undefined ? await this.#fetch(identifier) : undefined;
      const children = childrenOf(identifier, content ?? (fetched as Fetched).piece.content);
      await this.#values(children, batch);
      if (fetched !== undefined) await batch.add(fetched);
      else if (!isKnown) await batch.raise(identifier);
    }
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
}

/** The bytes or the number of fetched pieces that are written at once. */
const BATCH_BYTES = 1 << 20;
const BATCH_PIECES = 1024;

/** Writes fetched pieces many at once. Pieces must be added after those that they refer to. */
class FetchedBatch {
  /** The source of the commits that need the pieces. */
  readonly from: SyncSource;
  readonly #storage: PageStorage;
  /** By the hex of their digests. */
  readonly #fetched = new Map<string, Fetched>();
  #bytes = 0;
  /** Stored pieces whose status is raised. */
  #raised: ObjectIdentifier[] = [];

  constructor(storage: PageStorage, from: SyncSource) {
    this.#storage = storage;
    this.from = from;
  }

  /** Returns whether a piece waits to be written. */
  has({ digest }: ObjectIdentifier): boolean {
    return this.#fetched.has(toHex(digest));
  }

  async add(fetched: Fetched): Promise<void> {
    const { identifier, content } = fetched.piece;
    if (this.has(identifier)) return;
    this.#fetched.set(toHex(identifier.digest), fetched);
    this.#bytes += content.length;
    await this.#writeIfFull();
  }

  /** Raises the status of the stored pieces of an object, which may have had no commit that uses them. */
  async raise(identifier: ObjectIdentifier): Promise<void> {
    const pieces = this.#storage.objects.pieces(identifier);
    for await (const piece of pieces) if (!isInline(piece.digest)) this.#raised.push(piece);
    await this.#writeIfFull();
  }

  /** Writes the pieces that wait. */
  async write(): Promise<void> {
    const { pieces, writes } = this.#storage;
    const raised = this.#raised;
    const all = [...this.#fetched.values()];
    this.#raised = [];
    this.#fetched.clear();
    this.#bytes = 0;
    const from = (wanted: SyncSource): NewPiece[] =>
      all.flatMap(({ piece, source }) => (source === wanted ? [piece] : []));
    await writes.exclusively(async (write) =>
      write([
        // A lost piece still has its status row: its content is stored anyway.
        ...(await pieces.restore(from("cloud"), statusOf("cloud"))),
        ...(await pieces.restore(from("peer"), statusOf("peer"))),
        ...(await pieces.raise(raised, statusOf(this.from))),
      ]),
    );
  }

  async #writeIfFull(): Promise<void> {
    const count = this.#fetched.size + this.#raised.length;
    if (this.#bytes >= BATCH_BYTES || count >= BATCH_PIECES) await this.write();
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

/** A piece that has rows, or gets them. */
interface OutsidePiece {
  readonly identifier: ObjectIdentifier;
  /** True if it has the status of a piece from this source, or a higher one: it was checked when it came. */
  readonly isKnown: boolean;
  /** True if it has a status. */
  readonly isHere: boolean;
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
