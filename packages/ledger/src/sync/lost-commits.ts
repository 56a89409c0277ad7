/** Uploads the lost commits of a cloud again, and the pieces of their trees, as far as a page has them. */
import { concatAll, toHex, undefinedIf } from "merostore/internal";
import { warn } from "../callbacks.js";
import { isInline, type ObjectDigest, type ObjectIdentifier, pieceType } from "../objects.js";
import { byGeneration } from "../storage/commit.js";
import { decodeCommit } from "../tables/commit-table.js";
import { decodeFileIndex } from "../tables/file-index.js";
import { decodeNode } from "../tables/tree-node.js";
import type { CommitBytes, SyncedPage } from "./cloud.js";
import type { PackedPiece } from "./folder/pack-format.js";

/** Receives the lost commits and pieces of a cloud. */
export interface LossTaker {
  addPiece(piece: ReachablePiece): Promise<void>;
  addCommit(commit: CommitBytes): Promise<void>;
}

/** Passes on commits, parents first, after the pieces of their trees that the page has. */
export async function restoreLost(
  page: SyncedPage,
  lost: readonly CommitBytes[],
  { addPiece, addCommit }: LossTaker,
): Promise<void> {
  const commits = lost.map((commit) => ({ ...commit, ...decodeCommit(commit.bytes) })).sort(byGeneration);
  const pieces = new ReachablePieces(page, addPiece);
  for (const { root } of commits) await pieces.tree(root);
  for (const { id, bytes } of commits) await addCommit({ id, bytes });
}

/**
 * Reports restored commits as a process warning with the code MEROSTORE_RESTORED: usually no caller waits for a sync.
 */
export function warnOfLoss(page: SyncedPage, lost: readonly CommitBytes[], name: string): void {
  const what = lost.length === 1 ? "a commit" : `${lost.length} commits`;
  const of = `the page ${toHex(page.id)} of ${JSON.stringify(page.ledger)}`;
  warn(`${name} had lost ${what} of ${of}; what this device has is there again`, "MEROSTORE_RESTORED");
}

/** Reads a piece; undefined if it is not here, or damaged here as well. */
export function ownPiece(page: SyncedPage, identifier: ObjectIdentifier): Promise<Uint8Array | undefined> {
  return undefinedIf(page.piece(identifier), "NEEDS_FETCH", "DATA_INTEGRITY_ERROR");
}

/** A piece of a tree or of a value. */
export interface ReachablePiece extends PackedPiece {
  readonly digest: ObjectDigest;
}

/** Visits the pieces of trees, each once. */
export class ReachablePieces {
  readonly #page: SyncedPage;
  readonly #visit: (piece: ReachablePiece) => Promise<void>;
  readonly #seen = new Set<string>();

  constructor(page: SyncedPage, visit: (piece: ReachablePiece) => Promise<void>) {
    this.#page = page;
    this.#visit = visit;
  }

  /** Visits the pieces of a tree. */
  async tree(root: ObjectIdentifier): Promise<void> {
    const name = `tree ${toHex(root.digest)}`;
    if (this.#seen.has(name)) return;
    this.#seen.add(name);
    const parts: Uint8Array[] = [];
    if (!(await this.#object(root, parts))) return;
    const { children, entries } = decodeNode(concatAll(parts));
    for (const child of children) if (child !== undefined) await this.tree(child);
    for (const { value } of entries) await this.#object(value);
  }

  /** Visits the pieces of an object. Returns whether all of a node is here; then `parts` is its content. */
  async #object({ keyIndex, digest }: ObjectIdentifier, parts?: Uint8Array[]): Promise<boolean> {
    if (isInline(digest)) {
      parts?.push(digest.subarray(1));
      return true;
    }
    const name = toHex(digest);
    // Nodes may share chunks, so a seen chunk of a node is read again.
    if (this.#seen.has(name) && parts === undefined) return false;
    const content = await ownPiece(this.#page, { keyIndex, digest });
    if (content === undefined) return false;
    if (!this.#seen.has(name)) await this.#visit({ digest, hash: digest.subarray(1), content });
    this.#seen.add(name);
    if (pieceType(digest) === "chunk") {
      parts?.push(content);
      return true;
    }
    let isWhole = true;
    for (const { identifier } of decodeFileIndex(content).children)
      if (!(await this.#object(identifier, parts))) isWhole = false;
    return isWhole;
  }
}
