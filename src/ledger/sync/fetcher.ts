/** Bringing objects to this device. */
import { copyBytes, isBytes } from "../../bytes/bytes.js";
import { concatAll } from "../../bytes/concat.js";
import { toHex } from "../../bytes/hex.js";
import { MerostoreError } from "../../errors.js";
import { describeValue, isOneOf } from "../../options.js";
import { digestFits, inlineContent, isInline, pieceType } from "../objects/digest.js";
import { copyIdentifier, type ObjectIdentifier } from "../objects/identifier.js";
import { eagerEdges, edgesOfNode, mergeEdges, type NewPiece } from "../pieces/edges.js";
import type { PieceStatus } from "../rows/page-rows.js";
import type { PageStorage } from "../storage/page-storage.js";
import { decodeFileIndex } from "../tables/file-index.js";
import { damage } from "../tables/table-reader.js";
import { decodeNode } from "../tables/tree-node.js";
import type { FetchedPiece, SyncSource } from "./cloud.js";

/** Asks the cloud for a piece. */
export type AskForPiece = (identifier: ObjectIdentifier) => Promise<FetchedPiece>;

export class Fetcher {
  readonly #storage: PageStorage;
  readonly #ask: AskForPiece;

  constructor(storage: PageStorage, ask: AskForPiece) {
    this.#storage = storage;
    this.#ask = ask;
  }

  /** The content of a piece of a value, which is stored. */
  async piece(identifier: ObjectIdentifier): Promise<Uint8Array> {
    const { piece, source } = await this.#fetch(identifier);
    await this.#store([piece], source);
    return piece.content;
  }

  /**
   * Brings what is missing of a tree: nodes, and values of eager entries. A node is stored after what it refers to, so
   * that of one which is here nothing is missing. Values that were here before count as used by a commit from now on.
   *
   * @param from where the commit of the tree comes from
   */
  async tree(root: ObjectIdentifier, from: SyncSource): Promise<void> {
    if (isInline(root.digest) || (await this.#read(root)) !== undefined) return;
    const fetched: Fetched[] = [];
    const node = decodeNode(await this.#content(root, fetched));
    for (const child of node.children) if (child !== undefined) await this.tree(child, from);
    for (const { value, priority } of node.entries) {
      if (priority === "eager") await this.#value(value, from);
      else await this.#raise(value, from);
    }
    const pieces = fetched.map(({ piece }) => piece);
    const [first, ...others] = pieces as [NewPiece, ...NewPiece[]];
    const edges = mergeEdges(first.edges, edgesOfNode(node));
    const source = fetched.some((one) => one.source === "peer") ? "peer" : "cloud";
    await this.#store([{ ...first, edges }, ...others], source);
  }

  /** All pieces of a value that are missing. */
  async #value(identifier: ObjectIdentifier, from: SyncSource): Promise<void> {
    if (isInline(identifier.digest)) return;
    const content = await this.#read(identifier);
    const fetched = content === undefined ? await this.#fetch(identifier) : undefined;
    for (const child of childrenOf(identifier, content ?? (fetched as Fetched).piece.content))
      await this.#value(child, from);
    if (fetched !== undefined) await this.#store([fetched.piece], fetched.source);
    else await this.#raise(identifier, from);
  }

  /** A piece that is here, with those below it, was perhaps used by no commit so far. */
  async #raise(identifier: ObjectIdentifier, from: SyncSource): Promise<void> {
    const { objects, pieces } = this.#storage;
    const here: ObjectIdentifier[] = [];
    for await (const piece of objects.pieces(identifier)) if (!isInline(piece.digest)) here.push(piece);
    await this.#storage.writes.exclusively(async (write) => write(await pieces.raise(here, statusOf(from))));
  }

  /** The content of a node; its pieces are not stored yet: the edges of its root are in all of them. */
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
    const { content: given, source } = (await this.#ask(copyIdentifier(identifier))) ?? {};
    if (!isBytes(given))
      throw new MerostoreError(
        "INVALID_ARGUMENT",
        `the cloud must return the bytes of a piece, not ${describeValue(given)}`,
      );
    checkSource(source);
    const content = copyBytes(given);
    if (!digestFits(identifier.digest, content))
      throw damage(`what was fetched as ${toHex(identifier.digest)} has another digest`);
    const edges = eagerEdges(childrenOf(identifier, content).map(({ digest }) => digest));
    return { piece: { identifier, content, edges }, source };
  }

  #read({ digest }: ObjectIdentifier): Promise<Uint8Array | undefined> {
    return this.#storage.pieces.read(digest);
  }

  async #store(pieces: readonly NewPiece[], source: SyncSource): Promise<void> {
    await this.#storage.writes.exclusively(async (write) => {
      // A lost piece still has its status row: store its content in any case.
      await write(await this.#storage.pieces.restore(pieces, statusOf(source)));
    });
  }
}

/** @throws MerostoreError INVALID_ARGUMENT for an unknown source */
export function checkSource(source: SyncSource): void {
  const expected = isSource(source);
  if (expected !== undefined)
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      `the source of what is synced must be ${expected}, not ${describeValue(source)}`,
    );
}

const isSource = isOneOf(["cloud", "peer"]);

/** From the cloud it is synced; from a peer it is still to go there. */
function statusOf(source: SyncSource): PieceStatus {
  return source === "cloud" ? "synced" : "local";
}

interface Fetched {
  readonly piece: NewPiece;
  readonly source: SyncSource;
}

/** The pieces that an index names; none for a chunk. */
function childrenOf({ digest }: ObjectIdentifier, content: Uint8Array): ObjectIdentifier[] {
  return pieceType(digest) === "index"
    ? decodeFileIndex(content).children.map(({ identifier }) => identifier)
    : [];
}
