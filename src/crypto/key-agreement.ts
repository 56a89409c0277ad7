/** The secret that two owners of Ed25519 keys share. */
import { utils } from "@noble/ed25519";
import { decompress } from "./ed25519-portable.js";

/**
 * The point that the owner of a seed shares with the owner of a public key, compressed: 32 bytes. Undefined if
 * the public key is not a point of the curve, or has a small order.
 */
export function sharedPoint(seed: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined {
  const point = decompress(publicKey);
  if (point === undefined || point.isSmallOrder()) return undefined;
  return point.multiply(utils.getExtendedPublicKey(seed).scalar).toBytes();
}
