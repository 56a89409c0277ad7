/** Bringing objects to this device. */

import { concatAll } from "../../bytes/concat.js";
import { toHex } from "../../bytes/hex.js";
import { digestFits, inlineContent, isInline, pieceType } from "../objects/digest.js";
import type { ObjectIdentifier } from "../objects/identifier.js";
import type { PageStorage } from "../storage/page-storage.js";
import { decodeFileIndex } from "../tables/file-index.js";
import { damage } from "../tables/table-reader.js";
import { decodeNode, type TreeNode } from "../tables/tree-node.js";
import { eagerReferences, mergeReferences, nodeReferences, type StoredPiece } from "../tree/references.js";
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

  /** Brings what is missing of a tree: nodes, and values of eager entries. */
  async tree(root: ObjectIdentifier): Promise<void> {
    if (isInline(root.digest) || (await this.#isHere(root))) return;
    const node = await this.#node(root);
    for (const child of node.children) if (child !== undefined) await this.tree(child);
    for (const { value, priority } of node.entries) if (priority === "eager") await this.#value(value);
  }

  /** All pieces of a value that are missing. */
  async #value(identifier: ObjectIdentifier): Promise<void> {
    if (isInline(identifier.digest) || (await this.#isHere(identifier))) return;
    const content = await this.piece(identifier);
    if (pieceType(identifier.digest) !== "index") return;
    for (const child of decodeFileIndex(content).children) await this.#value(child.identifier);
  }

  /** A node, of which all pieces are stored at once: only then its edges are known. */
  async #node(root: ObjectIdentifier): Promise<TreeNode> {
    const pieces: StoredPiece[] = [];
    let source: SyncSource = "cloud";
    const contentOf = async (identifier: ObjectIdentifier): Promise<Uint8Array> => {
      if (isInline(identifier.digest)) return inlineContent(identifier.digest);
      const fetched = await this.#fetch(identifier);
      pieces.push(fetched.piece);
      if (fetched.source === "peer") source = "peer";
      if (pieceType(identifier.digest) === "chunk") return fetched.piece.content;
      const parts: Uint8Array[] = [];
      for (const child of decodeFileIndex(fetched.piece.content).children)
        parts.push(await contentOf(child.identifier));
      return concatAll(parts);
    };
    const node = decodeNode(await contentOf(root));
    const [first, ...others] = pieces as [StoredPiece, ...StoredPiece[]];
    const references = mergeReferences(first.references, nodeReferences(node));
    await this.#store([{ ...first, references }, ...others], source);
    return node;
  }

  async #fetch(
    identifier: ObjectIdentifier,
  ): Promise<{ readonly piece: StoredPiece; readonly source: SyncSource }> {
    const { content, source } = await this.#ask(identifier);
    if (!digestFits(identifier.digest, content))
      throw damage(`what was fetched as ${toHex(identifier.digest)} has another digest`);
    const children = pieceType(identifier.digest) === "index" ? decodeFileIndex(content).children : [];
    const references = eagerReferences(children.map((child) => child.identifier.digest));
    return { piece: { identifier, content, references }, source };
  }

  async #isHere({ digest }: ObjectIdentifier): Promise<boolean> {
    return (await this.#storage.pieces.read(digest)) !== undefined;
  }

  /** From the cloud it is synced; from a peer it is still to go there. */
  async #store(pieces: readonly StoredPiece[], source: SyncSource): Promise<void> {
    await this.#storage.exclusively(async (write) => {
      await write(await this.#storage.pieces.store(pieces, source === "cloud" ? "synced" : "local"));
    });
  }
}
