/**
 * Ed25519 outside Node, based on @noble/ed25519. The verification of that package multiplies by the cofactor, as in ZIP
 * 215, and accepts signatures that a node refuses, so this module verifies as dalek does.
 */

import { CURVE, etc, getPublicKey, Point, sign } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2";
import { copyBytes } from "../bytes/bytes.js";
import { equalBytes } from "../bytes/order.js";
import { LruCache } from "../collections/lru-cache.js";
import { PointMultiples } from "./point-multiples.js";

/** The number of public keys whose points are kept. */
export const KEPT_KEYS = 32;

/**
 * An implementation of Ed25519: this one, or `node:crypto`. `verify` follows the permissive rule of `ed25519.ts`.
 * Callers have checked all lengths.
 */
export interface Ed25519 {
  /** The public key of a seed of 32 bytes: 32 bytes. */
  derivePublicKey(seed: Uint8Array): Uint8Array;
  /** The signature of a message: 64 bytes. */
  sign(seed: Uint8Array, message: Uint8Array): Uint8Array;
  /** Returns whether a signature of 64 bytes is valid. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
}

etc.sha512Sync ??= (...messages) => sha512(etc.concatBytes(...messages));

/** The implementation over @noble/ed25519. */
export const ed25519Portable: Ed25519 = {
  derivePublicKey: (seed) => getPublicKey(seed),
  sign: (seed, message) => sign(message, seed),
  verify(publicKey, message, signature) {
    const key = negatedKey(publicKey);
    const r = signature.subarray(0, 32);
    const s = toInteger(signature.subarray(32));
    if (key === undefined || s >= CURVE.n) return false;
    const k = toInteger(sha512(etc.concatBytes(r, publicKey, message))) % CURVE.n;
    const expected = Point.BASE.multiply(s, false).add(key.times(k));
    return equalBytes(compress(expected), r);
  },
};

/** The points of the keys that were used last, negated. */
const keys = new LruCache<PointMultiples>(KEPT_KEYS);

function negatedKey(publicKey: Uint8Array): PointMultiples | undefined {
  const name = etc.bytesToHex(publicKey);
  const kept = keys.get(name);
  const point = kept === undefined ? decompress(publicKey) : undefined;
  if (point === undefined) return kept;
  const key = new PointMultiples(point.negate());
  keys.set(name, key);
  return key;
}

/** Decodes a point, canonically encoded or not. Returns undefined if no point has this encoding. */
export function decompress(bytes: Uint8Array): Point | undefined {
  try {
    return Point.fromBytes(bytes, true);
  } catch {
    return undefined;
  }
}

/**
 * Encodes a point: y in little-endian, the parity of x in the top bit. The library's encoder refuses the neutral
 * element.
 */
function compress(point: Point): Uint8Array {
  const { x, y } = point.toAffine();
  const bytes = fromInteger(y);
  if ((x & 1n) === 1n) bytes[31] = (bytes[31] as number) | 0x80;
  return bytes;
}

/** The number that little-endian bytes encode. */
export function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${etc.bytesToHex(copyBytes(bytes).reverse())}`);
}

/** The 32 bytes of a number, little-endian. */
export function fromInteger(value: bigint): Uint8Array {
  return etc.hexToBytes(value.toString(16).padStart(64, "0")).reverse();
}
