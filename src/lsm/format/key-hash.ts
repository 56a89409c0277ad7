/**
 * The hash of a key in the filters of tables: a preview version of 64-bit XXH3, which RocksDB still uses. Numbers of 64
 * bits are in two halves of 32.
 */

import { signedWordAt } from "../../bytes/bytes.js";
import { fromHex } from "../../bytes/hex.js";

/** Longer keys have another hash: tables with such a key are written without a filter. */
export const LONGEST_HASHED_KEY = 240;

/** The constant bytes that are mixed into inputs, as words. */
const SECRET = ((): Uint32Array => {
  const bytes = fromHex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221" +
      "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8" +
      "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb" +
      "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e",
  );
  const words = new Uint32Array(bytes.length);
  // A word at each byte offset, not only at multiples of four.
  for (let at = 0; at + 4 <= bytes.length; at++) words[at] = signedWordAt(bytes, at);
  return words;
})();

const PRIME32_1 = 0x9e3779b1;
const PRIME64_1 = { low: 0x85ebca87, high: 0x9e3779b1 };
const PRIME64_2 = { low: 0x27d4eb4f, high: 0xc2b2ae3d };
const PRIME64_3 = { low: 0x9e3779f9, high: 0x165667b1 };

/** The halves of the current sum or of the last result. */
let low = 0;
let high = 0;

/** Returns the hash of a key of up to {@link LONGEST_HASHED_KEY} bytes: writes its halves to `halves` at `at`. */
export function hashKey(key: Uint8Array, halves: Uint32Array, at: number): void {
  hash(key);
  halves[at] = low;
  halves[at + 1] = high;
}

function hash(key: Uint8Array): void {
  const { length } = key;
  if (length <= 16) {
    hashShort(key);
    return;
  }
  multiply(length, 0, PRIME64_1.low, PRIME64_1.high);
  if (length > 128) {
    for (let at = 0; at < 128; at += 16) mix(key, at, at);
    avalanche();
    for (let at = 128; at + 16 <= length; at += 16) mix(key, at, at - 128 + 3);
    mix(key, length - 16, 136 - 17);
  } else {
    for (let pair = (length - 1) >>> 5; pair >= 0; pair--) {
      mix(key, 16 * pair, 32 * pair);
      mix(key, length - 16 * (pair + 1), 32 * pair + 16);
    }
  }
  avalanche();
}

function hashShort(key: Uint8Array): void {
  const { length } = key;
  if (length > 8) {
    const a = (signedWordAt(key, 0) ^ secret(0)) >>> 0;
    const b = (signedWordAt(key, 4) ^ secret(4)) >>> 0;
    const c = (signedWordAt(key, length - 8) ^ secret(8)) >>> 0;
    const d = (signedWordAt(key, length - 4) ^ secret(12)) >>> 0;
    low = length;
    high = 0;
    add(a, b);
    add(c, d);
    addFolded(a, b, c, d);
  } else if (length >= 4) {
    const a = (signedWordAt(key, 0) ^ secret(0)) >>> 0;
    const b = (signedWordAt(key, length - 4) ^ secret(4)) >>> 0;
    multiply((a ^ (b >>> 19)) >>> 0, b, PRIME32_1, 0);
    add(length, 0);
    multiply((low ^ (high >>> 15)) >>> 0, high, PRIME64_2.low, PRIME64_2.high);
  } else if (length > 0) {
    const bytes =
      (key[0] as number) | ((key[length >>> 1] as number) << 8) | ((key[length - 1] as number) << 16);
    multiply(((bytes | (length << 24)) ^ secret(0)) >>> 0, 0, PRIME64_1.low, PRIME64_1.high);
  } else {
    low = 0;
    high = 0;
    addFolded(secret(0) >>> 0, secret(4) >>> 0, PRIME64_2.low, PRIME64_2.high);
    return;
  }
  avalanche();
}

/** Adds 16 bytes of a key, mixed with 16 bytes of the secret. */
function mix(key: Uint8Array, at: number, secretAt: number): void {
  addFolded(
    (signedWordAt(key, at) ^ secret(secretAt)) >>> 0,
    (signedWordAt(key, at + 4) ^ secret(secretAt + 4)) >>> 0,
    (signedWordAt(key, at + 8) ^ secret(secretAt + 8)) >>> 0,
    (signedWordAt(key, at + 12) ^ secret(secretAt + 12)) >>> 0,
  );
}

/** Adds the xor of the two 64-bit halves of the product of two numbers. */
function addFolded(aLow: number, aHigh: number, bLow: number, bHigh: number): void {
  const low0 = Math.imul(aLow, bLow) >>> 0;
  const low1 = Math.imul(aLow, bHigh) >>> 0;
  const low2 = Math.imul(aHigh, bLow) >>> 0;
  const low3 = Math.imul(aHigh, bHigh) >>> 0;
  const second = highHalf(aLow, bLow, low0) + low1 + low2;
  const third =
    highHalf(aLow, bHigh, low1) + highHalf(aHigh, bLow, low2) + low3 + Math.floor(second / 2 ** 32);
  const fourth = highHalf(aHigh, bHigh, low3) + Math.floor(third / 2 ** 32);
  add((low0 ^ third) >>> 0, (second ^ fourth) >>> 0);
}

/**
 * Returns the upper 32 bits of a product whose lower 32 bits are known. The rounding error of the product is far below
 * 2^32.
 */
function highHalf(a: number, b: number, lowHalf: number): number {
  return Math.round((a * b - lowHalf) / 2 ** 32);
}

function add(otherLow: number, otherHigh: number): void {
  const sum = low + otherLow;
  high = (high + otherHigh + (sum >= 2 ** 32 ? 1 : 0)) >>> 0;
  low = sum >>> 0;
}

/** Sets the result to the lower 64 bits of a product. */
function multiply(aLow: number, aHigh: number, bLow: number, bHigh: number): void {
  low = Math.imul(aLow, bLow) >>> 0;
  high = (highHalf(aLow, bLow, low) + Math.imul(aLow, bHigh) + Math.imul(aHigh, bLow)) >>> 0;
}

function avalanche(): void {
  multiply((low ^ (high >>> 5)) >>> 0, high, PRIME64_3.low, PRIME64_3.high);
  low = (low ^ high) >>> 0;
}

function secret(at: number): number {
  return SECRET[at] as number;
}
