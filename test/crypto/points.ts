/** The parts of crafted signatures. */
import { CURVE, etc } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2";
import { fromHex, toHex } from "../../src/bytes/hex.js";

/** 32 bytes, little-endian. */
export const scalar = (value: bigint) => etc.hexToBytes(value.toString(16).padStart(64, "0")).reverse();
/** The number of such bytes. */
export const integer = (bytes: Uint8Array) => BigInt(`0x${toHex(bytes.slice().reverse())}`);
/** A text for each number. */
export const message = (index: number) => new TextEncoder().encode(`message ${index}`);
/** k, the hash that ties a signature to its key and message. */
export const challenge = (r: Uint8Array, a: Uint8Array, text: Uint8Array) =>
  integer(sha512(etc.concatBytes(r, a, text))) % CURVE.n;

/** The eight canonical encodings of points of small order. */
export const canonical = [
  "0100000000000000000000000000000000000000000000000000000000000000",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000080",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
].map(fromHex);

/** The other encodings of these points: y is not reduced, or x is 0 and has a sign. */
export const others = [
  "0100000000000000000000000000000000000000000000000000000000000080",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
].map(fromHex);
