/**
 * Ed25519 where there is no Node. Keys and signatures are @noble/ed25519's. Its own verification multiplies by the
 * cofactor, as ZIP 215 does, and so accepts signatures that a node refuses: the check here is dalek's, on its points.
 */

import { CURVE, etc, getPublicKey, Point, sign } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2";
import { copyBytes } from "../bytes/bytes.js";
import { equalBytes } from "../bytes/order.js";
import type { Ed25519 } from "./ed25519-implementation.js";

etc.sha512Sync ??= (...messages) => sha512(etc.concatBytes(...messages));

/** The implementation over @noble. */
export const ed25519Portable: Ed25519 = {
  derivePublicKey: (seed) => getPublicKey(seed),
  sign: (seed, message) => sign(message, seed),
  verify(publicKey, message, signature) {
    const point = decompress(publicKey);
    const r = signature.subarray(0, 32);
    const s = toInteger(signature.subarray(32));
    if (point === undefined || s >= CURVE.n) return false;
    const k = toInteger(sha512(etc.concatBytes(r, publicKey, message))) % CURVE.n;
    const expected = Point.BASE.multiply(s, false).add(point.negate().multiply(k, false));
    return equalBytes(compress(expected), r);
  },
};

/** The point of an encoding, canonical or not; undefined where there is none. */
export function decompress(bytes: Uint8Array): Point | undefined {
  try {
    return Point.fromBytes(bytes, true);
  } catch {
    return undefined;
  }
}

/** y in little-endian, the parity of x in the top bit. The library's own encoder refuses the neutral element. */
function compress(point: Point): Uint8Array {
  const { x, y } = point.toAffine();
  const bytes = etc.hexToBytes(y.toString(16).padStart(64, "0")).reverse();
  if ((x & 1n) === 1n) bytes[31] = (bytes[31] as number) | 0x80;
  return bytes;
}

/** Little-endian. */
function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${etc.bytesToHex(copyBytes(bytes).reverse())}`);
}
