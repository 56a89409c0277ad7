/** X25519 (RFC 7748), computed on the curve of Ed25519, which is the same one in other coordinates. */
import { CURVE, etc, Point, utils } from "@noble/ed25519";
import { copyBytes, isBytes } from "../bytes/bytes.js";
import { invalidArgument } from "../errors.js";
import { x25519PublicKeyWithNode } from "./ed25519-node.js";
import { decompress, fromInteger, toInteger } from "./ed25519-portable.js";
import { nodeCrypto } from "./node-crypto.js";

/**
 * Returns the public key of a private key, 32 bytes.
 *
 * @param secret 32 bytes; some of their bits are fixed, and set or cleared first
 * @throws MerostoreError `INVALID_ARGUMENT` for a secret of another length
 */
export function deriveX25519PublicKey(secret: Uint8Array): Uint8Array {
  if (!isBytes(secret) || secret.length !== 32)
    throw invalidArgument("a private key of X25519 must have 32 bytes");
  if (nodeCrypto !== undefined) return x25519PublicKeyWithNode(nodeCrypto, secret);
  // The order of the base point is not a multiple of 8, so that no clamped scalar is a multiple of it.
  return toU(Point.BASE.multiply(etc.mod(clamped(secret), CURVE.n), true));
}

/**
 * The secret that the owner of a private key shares with the owner of a public key, 32 bytes. Undefined for a public
 * key that no honest party makes.
 */
export function x25519(secret: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined {
  const last = copyBytes(publicKey);
  last[31] = (last[31] as number) & 0x7f;
  const u = etc.mod(toInteger(last), CURVE.p);
  if (u === CURVE.p - 1n) return undefined;
  // The sign of x does not matter for u.
  const y = etc.mod((u - 1n) * etc.invert(u + 1n, CURVE.p), CURVE.p);
  const point = decompress(fromInteger(y));
  if (point === undefined || point.isSmallOrder()) return undefined;
  const scalar = etc.mod(clamped(secret), CURVE.n);
  return scalar === 0n ? undefined : toU(point.multiply(scalar));
}

/** `u = (1 + y) / (1 - y)`. */
function toU(point: Point): Uint8Array {
  const { y } = point.toAffine();
  return fromInteger(etc.mod((1n + y) * etc.invert(etc.mod(1n - y, CURVE.p), CURVE.p), CURVE.p));
}

function clamped(secret: Uint8Array): bigint {
  const scalar = copyBytes(secret);
  scalar[0] = (scalar[0] as number) & 0xf8;
  scalar[31] = ((scalar[31] as number) & 0x7f) | 0x40;
  return toInteger(scalar);
}

/**
 * The point that the owner of a seed shares with the owner of a public key, compressed: 32 bytes. Undefined if
 * the public key is not a point of the curve, or has a small order.
 */
export function sharedPoint(seed: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined {
  const point = decompress(publicKey);
  if (point === undefined || point.isSmallOrder()) return undefined;
  return point.multiply(utils.getExtendedPublicKey(seed).scalar).toBytes();
}
