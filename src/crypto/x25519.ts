/** X25519 (RFC 7748): the keys that others encrypt to. */
import { CURVE, etc, Point } from "@noble/ed25519";
import { copyBytes, isBytes } from "../bytes/bytes.js";
import { MerostoreError } from "../errors.js";

/**
 * Returns the public key of a private key, 32 bytes: the point of Ed25519 for the same scalar, on the other form of the
 * curve, `u = (1 + y) / (1 − y)`.
 *
 * @param secret 32 bytes; some of their bits are fixed, and set or cleared first
 * @throws MerostoreError `INVALID_ARGUMENT` for a secret of another length
 */
export function deriveX25519PublicKey(secret: Uint8Array): Uint8Array {
  if (!isBytes(secret) || secret.length !== 32)
    throw new MerostoreError("INVALID_ARGUMENT", "a private key of X25519 must have 32 bytes");
  const scalar = copyBytes(secret);
  scalar[0] = (scalar[0] as number) & 0xf8;
  scalar[31] = ((scalar[31] as number) & 0x7f) | 0x40;
  // The order of the base point is not a multiple of 8, so that no clamped scalar is a multiple of it.
  const { y } = Point.BASE.multiply(etc.mod(toInteger(scalar), CURVE.n), true).toAffine();
  const u = etc.mod((1n + y) * etc.invert(etc.mod(1n - y, CURVE.p), CURVE.p), CURVE.p);
  return etc.hexToBytes(u.toString(16).padStart(64, "0")).reverse();
}

function toInteger(littleEndian: Uint8Array): bigint {
  return BigInt(`0x${etc.bytesToHex(copyBytes(littleEndian).reverse())}`);
}
