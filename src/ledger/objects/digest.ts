/**
 * Object digests: what a piece of an object is called. A type byte, then the content itself where it is at most 32
 * bytes long ("inline"), else a hash of it.
 */
import { copyBytes } from "../../bytes/bytes.js";
import { concat } from "../../bytes/concat.js";
import { equalBytes } from "../../bytes/order.js";
import { sha256 } from "../../crypto/sha256.js";

/** Type byte ‖ content (0 to 32 bytes) or hash (32 bytes): 1 to 33 bytes. */
export type ObjectDigest = Uint8Array;

/** What an object is: a value of the user, or a node of a page's tree. Said by the digest of its root piece. */
export type ObjectType = "blob" | "tree-node";
/** What a piece holds: a chunk of the content, or an index of pieces. */
export type PieceType = "chunk" | "index";

const INLINE = 0x01;
const INDEX = 0x02;
const TREE_NODE = 0x04;

/** Bytes up to which content is inline. */
export const INLINE_SIZE = 32;
/** Bytes of a digest that is a hash: the only ones that rows have. */
export const DIGEST_SIZE = 33;

/** SHA-256 of the length (u64, little-endian) and the content, 32 bytes. */
export function sha256WithLength(content: Uint8Array): Uint8Array {
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(content.length), true);
  return sha256(length, content);
}

/** The digest of a piece with this content. */
export function digestOf(
  content: Uint8Array,
  object: ObjectType = "blob",
  piece: PieceType = "chunk",
): ObjectDigest {
  const type = (piece === "index" ? INDEX : 0) | (object === "tree-node" ? TREE_NODE : 0);
  return content.length <= INLINE_SIZE
    ? concat(Uint8Array.of(type | INLINE), content)
    : concat(Uint8Array.of(type), sha256WithLength(content));
}

/** The same piece as the root of an object of this type. */
export function asRoot(digest: ObjectDigest, object: ObjectType): ObjectDigest {
  const root = copyBytes(digest);
  root[0] = ((root[0] as number) & ~TREE_NODE) | (object === "tree-node" ? TREE_NODE : 0);
  return root;
}

/** Whether bytes are a digest: known type bits, and the length that goes with them. */
export function isValidDigest(bytes: Uint8Array): boolean {
  const type = bytes[0];
  if (type === undefined || (type & ~(INLINE | INDEX | TREE_NODE)) !== 0) return false;
  return (type & INLINE) !== 0 ? bytes.length <= 1 + INLINE_SIZE : bytes.length === DIGEST_SIZE;
}

/** Whether the content is in the digest itself: then there is no row for it. */
export function isInline(digest: ObjectDigest): boolean {
  return ((digest[0] as number) & INLINE) !== 0;
}

/** The content of an inline digest: a copy. */
export function inlineContent(digest: ObjectDigest): Uint8Array {
  return copyBytes(digest.subarray(1));
}

export function pieceType(digest: ObjectDigest): PieceType {
  return ((digest[0] as number) & INDEX) !== 0 ? "index" : "chunk";
}

export function objectType(digest: ObjectDigest): ObjectType {
  return ((digest[0] as number) & TREE_NODE) !== 0 ? "tree-node" : "blob";
}

/** Whether content is what a digest that is a hash stands for. */
export function digestFits(digest: ObjectDigest, content: Uint8Array): boolean {
  return equalBytes(sha256WithLength(content), digest.subarray(1));
}
