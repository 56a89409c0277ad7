/** Pieces by themselves: their digests, the sizes in indexes, and the keys of tree nodes. */
import { compareBytes, counted, orUndefined } from "merostore/internal";
import {
  digestFits,
  INLINE_SIZE,
  isInline,
  type ObjectIdentifier,
  objectType,
  pieceType,
} from "../../objects.js";
import { objectRow } from "../../rows/page-rows.js";
import { decodeFileIndex, type FileIndex, totalSize } from "../../tables/file-index.js";
import type { TreeNode } from "../../tables/tree-node.js";
import { levelOf } from "../../tree/level.js";
import type { CheckedPage, ParentPiece } from "../checked-page.js";
import { type PageRule, type Problem, problem, RESTORE } from "../finding.js";

export const objects: PageRule = {
  name: "objects",
  severity: "error",
  says: "Every stored piece has the digest of its content, and every index and tree node decodes.",
  means: "Part of a value or of the tree of keys is damaged. Reading it fails with DATA_INTEGRITY_ERROR.",
  advice: RESTORE,
  async *check(page) {
    for await (const rows of page.rowsOf(objectRow))
      for (const { parts, value } of rows) {
        page.count(1);
        const { digest } = parts;
        const said = (message: string): Problem => problem("error", objectRow, parts, message);
        if (!digestFits(digest, value)) yield said("its content has another digest");
        else if (value.length <= INLINE_SIZE)
          yield said(`content of ${counted(value.length, "byte")} belongs into the digest`);
        else if (await isUnreadable(page, digest, value)) yield said(`it is not ${whatItIs(digest)}`);
      }
  },
};

function whatItIs(digest: Uint8Array): string {
  return pieceType(digest) === "index" ? "an index of pieces" : "a tree node";
}

/**
 * Returns true if an index or a whole tree node cannot be read. A tree node of several pieces may lack one: only its
 * index is read.
 */
async function isUnreadable(page: CheckedPage, digest: Uint8Array, content: Uint8Array): Promise<boolean> {
  if (pieceType(digest) === "index") return orUndefined(() => decodeFileIndex(content)) === undefined;
  return objectType(digest) === "tree-node" && (await page.parentPiece(digest, content)) === undefined;
}

export const indexes: PageRule = {
  name: "indexes",
  severity: "error",
  says: "The size of an index is the sum of its pieces', and each piece has the size that the index says.",
  means: "A large value is damaged. Reading it fails with DATA_INTEGRITY_ERROR.",
  advice: RESTORE,
  async *check(page) {
    for await (const batch of page.parentPieces())
      for (const piece of batch) if (piece.index !== undefined) yield* ofIndex(page, piece, piece.index);
  },
};

async function* ofIndex(
  page: CheckedPage,
  { digest }: ParentPiece,
  { size, children }: FileIndex,
): AsyncGenerator<Problem, void, undefined> {
  page.count(1);
  const said = (message: string): Problem => problem("error", objectRow, { digest }, message);
  if (size !== totalSize(children)) yield said("its size is not the sum of its pieces'");
  for (const [at, { identifier, size }] of children.entries()) {
    if (objectType(identifier.digest) === "tree-node") yield said(`its piece ${at} is marked as a tree node`);
    const found = await contentSize(page, identifier.digest);
    if (found !== undefined && found !== size)
      yield said(`its piece ${at} has ${counted(Number(found), "byte")} of content, the index says ${size}`);
  }
}

/** Bytes of content of a piece; undefined for a missing or damaged piece. */
async function contentSize(page: CheckedPage, digest: Uint8Array): Promise<bigint | undefined> {
  if (pieceType(digest) === "index") return (await page.parentPiece(digest))?.index?.size;
  if (isInline(digest)) return BigInt(digest.length - 1);
  const length = await page.lengthOf(digest);
  return length === undefined ? undefined : BigInt(length);
}

export const treeNodes: PageRule = {
  name: "tree-nodes",
  severity: "error",
  says: "A tree node has the keys of its level; its children are one level lower and have the keys in between.",
  means: "Keys are in the wrong place. Reading may not find them.",
  advice: RESTORE,
  async *check(page) {
    for await (const batch of page.parentPieces())
      for (const { digest, node } of batch) {
        if (node === undefined) continue;
        page.count(1);
        for await (const message of ofNode(page, node))
          yield problem("error", objectRow, { digest }, message);
      }
  },
};

async function* ofNode(
  page: CheckedPage,
  node: TreeNode,
): AsyncGenerator<Problem["message"], void, undefined> {
  const { level, entries, children } = node;
  const misplaced = entries.filter(({ key }) => levelOf(key) !== level).length;
  if (misplaced > 0) yield `${misplaced} of its ${counted(entries.length, "key")} are not of level ${level}`;
  if (entries.length === 0 && children[0] === undefined) yield "it has neither entries nor a child";
  for (const [at, child] of children.entries()) {
    if (child === undefined) continue;
    if (level === 0) {
      yield "it is a leaf, and has a child";
      return;
    }
    const found = await page.node(child);
    if (found === undefined) continue;
    if (found.level !== level - 1) yield `its child ${at} is of level ${found.level}, not ${level - 1}`;
    const before = entries[at - 1]?.key;
    const after = entries[at]?.key;
    const least = await outermost(page, found, "first");
    const greatest = await outermost(page, found, "last");
    const isWithin =
      (before === undefined || least === undefined || compareBytes(before, least) < 0) &&
      (after === undefined || greatest === undefined || compareBytes(greatest, after) < 0);
    if (!isWithin) yield `its child ${at} has keys that belong elsewhere`;
  }
}

/** The first or last key of a subtree; undefined if nodes are missing. Each node by itself is in order. */
async function outermost(
  page: CheckedPage,
  node: TreeNode,
  side: "first" | "last",
): Promise<Uint8Array | undefined> {
  let at: TreeNode | undefined = node;
  while (at !== undefined) {
    const { level, entries, children }: TreeNode = at;
    const child: ObjectIdentifier | undefined = side === "first" ? children[0] : children.at(-1);
    if (child === undefined) return (side === "first" ? entries[0] : entries.at(-1))?.key;
    const below: TreeNode | undefined = await page.node(child);
    // Levels must fall, or a cycle would never end.
    at = below !== undefined && below.level < level ? below : undefined;
  }
  return undefined;
}
