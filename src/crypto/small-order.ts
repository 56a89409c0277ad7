/**
 * Points of small order: the eight points of the curve whose order divides 8. A signature under such a key proves
 * nothing: anyone can make one without a secret, and it is valid for many messages.
 */
import { copyBytes } from "../bytes/bytes.js";
import { fromHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";

/**
 * Their y coordinates as encoded: 32 bytes, little-endian, without the sign bit of x. With the sign bit, the first five
 * yield the eight canonical encodings and two that set the sign of an x that is 0 (orders 1 and 2); the last two are p
 * and p + 1, not reduced, which decoders read as 0 and 1.
 */
const coordinates: readonly Uint8Array[] = [
  // Order 1, the neutral element: y = 1.
  "0100000000000000000000000000000000000000000000000000000000000000",
  // Order 2: y = p - 1.
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  // Order 4: y = 0.
  "0000000000000000000000000000000000000000000000000000000000000000",
  // Order 8.
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  // Not canonical: p, p + 1.
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
].map(fromHex);

/** Returns whether 32 bytes encode a point of small order, canonically or not. Fourteen encodings do. */
export function isSmallOrder(point: Uint8Array): boolean {
  const y = copyBytes(point);
  if (y.length > 0) y[y.length - 1] = (y[y.length - 1] as number) & 0x7f;
  return coordinates.some((coordinate) => equalBytes(coordinate, y));
}
