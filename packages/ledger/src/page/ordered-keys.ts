/**
 * Keys that sort like the values in them. Entries are in the order of the bytes of their keys, so numbers need a fixed
 * width with the most significant byte first.
 */
import { concatAll, invalidArgument, isBytes } from "merostore/internal";
import { type EntryKey, keyBytes, textOrBytes } from "./key.js";

const GREATEST = 2n ** 64n - 1n;

/** Encodes a whole number from 0 to 2^64 - 1 as 8 bytes, big-endian: 2 comes before 10. */
export function ascendingNumber(value: number | bigint): Uint8Array {
  return u64(checked(value));
}

/**
 * Encodes a whole number as 8 bytes that sort in descending order: 10 comes before 2. With times the newest entries
 * come first, without `reverse`.
 */
export function descendingNumber(value: number | bigint): Uint8Array {
  return u64(GREATEST - checked(value));
}

/** Decodes the number of {@link ascendingNumber} from the 8 bytes at `offset`. */
export function readAscending(key: Uint8Array, offset = 0): bigint {
  if (!isBytes(key) || !(offset >= 0 && offset + 8 <= key.length))
    throw invalidArgument(`the key has no 8 bytes at ${offset}`);
  return new DataView(key.buffer, key.byteOffset).getBigUint64(offset);
}

/** Decodes the number of {@link descendingNumber} from the 8 bytes at `offset`. */
export function readDescending(key: Uint8Array, offset = 0): bigint {
  return GREATEST - readAscending(key, offset);
}

/** Returns 16 random bytes, a version 4 UUID. At the end of a key they make it unique. */
export function uniqueSuffix(): Uint8Array {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes;
}

/**
 * Joins the parts of a key.
 *
 * @throws MerostoreError INVALID_ARGUMENT for more than 256 bytes
 * @example
 * // Messages, the newest first, and those of the last week.
 * await page.put(joinedKey("message/", descendingNumber(Date.now()), uniqueSuffix()), "Hello");
 * await using snapshot = await page.snapshot({ prefix: "message/" });
 * for await (const { key, value } of snapshot.entries()) {
 *   if (readDescending(key, 8) < Date.now() - 7 * 86_400_000) break;
 * }
 */
export function joinedKey(...parts: readonly EntryKey[]): Uint8Array {
  return keyBytes(concatAll(parts.map((part) => textOrBytes(part, "a part of a key"))));
}

function checked(value: number | bigint): bigint {
  if (
    typeof value === "bigint" ? value >= 0n && value <= GREATEST : Number.isSafeInteger(value) && value >= 0
  )
    return BigInt(value);
  throw invalidArgument("a number in a key is whole, from 0 to 2^64 - 1");
}

function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}
