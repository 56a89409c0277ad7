/** Secrets that two parties share (Diffie-Hellman), over the curve of Ed25519 and over X25519. */
import { CURVE, etc, Point, utils } from "@noble/ed25519";
import { copyBytes } from "../bytes/bytes.js";
import { decompress } from "./ed25519-portable.js";

/**
 * The point that the owner of an Ed25519 seed shares with the owner of a public key, compressed: 32 bytes. Undefined where
 * the public key is no point, or one of small order.
 */
export function sharedPoint(seed: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined {
  const point = decompress(publicKey);
  if (point === undefined || point.isSmallOrder()) return undefined;
  return multiplied(point, utils.getExtendedPublicKey(seed).scalar)?.toBytes();
}

/**
 * X25519 (RFC 7748): the secret that the owner of a private key shares with the owner of a public key, 32 bytes. Undefined
 * where the public key is not one that an honest party makes.
 */
export function x25519(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined {
  // The same curve in other coordinates: y = (u - 1) / (u + 1). The sign of x does not matter for u.
  const u = etc.mod(littleEndian(publicKey, 0x7f), CURVE.p);
  const y = etc.mod((u - 1n) * invert(u + 1n), CURVE.p);
  const point = decompress(bytesOf(y));
  if (point === undefined || point.isSmallOrder()) return undefined;
  const scalar = copyBytes(privateKey);
  scalar[0] = (scalar[0] as number) & 248;
  scalar[31] = ((scalar[31] as number) & 127) | 64;
  const shared = multiplied(point, littleEndian(scalar, 0xff));
  if (shared === undefined) return undefined;
  const { y: v } = shared.toAffine();
  return bytesOf(etc.mod((1n + v) * invert(1n - v), CURVE.p));
}

function multiplied(point: Point, scalar: bigint): Point | undefined {
  const rest = scalar % CURVE.n;
  const product = rest === 0n ? Point.ZERO : point.multiply(rest);
  return product.is0() ? undefined : product;
}

function invert(value: bigint): bigint {
  const rest = etc.mod(value, CURVE.p);
  return rest === 0n ? 0n : etc.invert(rest, CURVE.p);
}

function littleEndian(bytes: Uint8Array, lastMask: number): bigint {
  const reversed = copyBytes(bytes).reverse();
  reversed[0] = (reversed[0] as number) & lastMask;
  return BigInt(`0x${etc.bytesToHex(reversed)}`);
}

function bytesOf(value: bigint): Uint8Array {
  return etc.hexToBytes(value.toString(16).padStart(64, "0")).reverse();
}
