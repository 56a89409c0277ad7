/**
 * The names of pieces. A digest is a type byte, followed by the content itself if it has at most 32 bytes ("inline"),
 * else by a hash of the content. An identifier is a digest and the number of an encryption key; nothing is encrypted
 * here.
 */

import type { Json } from "merostore/codec";
import { concat, copyBytes, equalBytes, invalidArgument, isBytes, sha256, toHex } from "merostore/internal";

/** Type byte ‖ content (0 to 32 bytes) or hash (32 bytes): 1 to 33 bytes. */
export type ObjectDigest = Uint8Array;

/** The type of an object: a value of the user, or a node of a page's tree. Part of the digest of its root piece. */
export type ObjectType = "blob" | "tree-node";
/** The type of a piece: a chunk of the content, or an index of pieces. */
export type PieceType = "chunk" | "index";

const INLINE = 0x01;
const INDEX = 0x02;
const TREE_NODE = 0x04;

/** The most bytes of inline content. */
export const INLINE_SIZE = 32;
/** Bytes of a digest that is a hash. Only such pieces have rows. */
export const DIGEST_SIZE = 33;

/** Returns SHA-256 of the length (u64, little-endian) and the content, 32 bytes. */
export function sha256WithLength(content: Uint8Array): Uint8Array {
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(content.length), true);
  return sha256(length, content);
}

/** Returns the digest of a piece with this content. */
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

/** Returns the digest of the same piece as the root of an object of this type. */
export function asRoot(digest: ObjectDigest, object: ObjectType): ObjectDigest {
  const root = copyBytes(digest);
  root[0] = ((root[0] as number) & ~TREE_NODE) | (object === "tree-node" ? TREE_NODE : 0);
  return root;
}

/** Returns whether bytes are a digest: known type bits, and the length of that type. */
export function isValidDigest(bytes: Uint8Array): boolean {
  const type = bytes[0];
  if (type === undefined || (type & ~(INLINE | INDEX | TREE_NODE)) !== 0) return false;
  return (type & INLINE) !== 0 ? bytes.length <= 1 + INLINE_SIZE : bytes.length === DIGEST_SIZE;
}

/** Returns whether the content is in the digest itself. Such a piece has no row. */
export function isInline(digest: ObjectDigest): boolean {
  return ((digest[0] as number) & INLINE) !== 0;
}

/** Returns a copy of the content of an inline digest. */
export function inlineContent(digest: ObjectDigest): Uint8Array {
  return copyBytes(digest.subarray(1));
}

/** Returns the type of a piece. */
export function pieceType(digest: ObjectDigest): PieceType {
  return ((digest[0] as number) & INDEX) !== 0 ? "index" : "chunk";
}

/** Returns the type of the object whose root a piece is. */
export function objectType(digest: ObjectDigest): ObjectType {
  return ((digest[0] as number) & TREE_NODE) !== 0 ? "tree-node" : "blob";
}

/** Returns whether a digest that is a hash is the digest of this content. */
export function digestFits(digest: ObjectDigest, content: Uint8Array): boolean {
  return equalBytes(sha256WithLength(content), digest.subarray(1));
}

/** The name of a piece: its digest, and the number of the key that it would be encrypted with. */
export interface ObjectIdentifier {
  /** A whole number from 0 to 2^32 - 1. */
  readonly keyIndex: number;
  /** 1 to 33 bytes: a type byte, and the content itself if it has at most 32 bytes, else a hash of it. */
  readonly digest: ObjectDigest;
}

export function equalIdentifiers(a: ObjectIdentifier, b: ObjectIdentifier): boolean {
  return a.keyIndex === b.keyIndex && equalBytes(a.digest, b.digest);
}

/**
 * Copies an identifier of a caller.
 * @throws MerostoreError INVALID_ARGUMENT for a digest that is not bytes
 */
export function copyIdentifier({ keyIndex, digest }: ObjectIdentifier): ObjectIdentifier {
  if (isBytes(digest)) return { keyIndex, digest: copyBytes(digest) };
  throw invalidArgument("the digest of an identifier must be bytes");
}

/** Returns the JSON form of an identifier. */
export function identifierJson({ keyIndex, digest }: ObjectIdentifier): Json {
  return { keyIndex, digest: toHex(digest) };
}
