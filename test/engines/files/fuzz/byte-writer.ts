/** Writes RocksDB's variable-length fields, the impossible ones as well. */

import { concatAll } from "../../../../src/bytes/concat.js";

const text = new TextEncoder();

/** Bytes, or text as UTF-8. */
export type Bytes = Uint8Array | string;

export function toBytes(bytes: Bytes): Uint8Array {
  return typeof bytes === "string" ? text.encode(bytes) : bytes;
}

export function join(...parts: readonly Bytes[]): Uint8Array {
  return concatAll(parts.map(toBytes));
}

/** LEB128; of any size. */
export function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let left = BigInt(value);
  for (; left >= 128n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return Uint8Array.of(...bytes, Number(left));
}

export function prefixed(bytes: Bytes): Uint8Array {
  const content = toBytes(bytes);
  return join(varint(content.length), content);
}

export function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

export function u64(value: number | bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return bytes;
}

/** A user key with sequence number and type. */
export function internalKey(key: Bytes, sequence: number | bigint, type: number): Uint8Array {
  return join(toBytes(key), u64((BigInt(sequence) << 8n) | BigInt(type)));
}

/** Numbers where readers break. */
export const hostileNumbers: readonly bigint[] = [
  0n,
  1n,
  7n,
  127n,
  128n,
  16_384n,
  2n ** 24n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 35n - 1n,
  2n ** 53n - 1n,
  2n ** 53n + 1n,
  2n ** 63n,
  2n ** 64n - 6n,
  2n ** 64n - 1n,
  2n ** 70n - 1n,
  2n ** 77n,
];
