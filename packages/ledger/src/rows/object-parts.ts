/** Digests and object identifiers as parts of keys, and times as values. */
import type { Json } from "merostore/codec";
import { concat, describeValue, invalidArgument, MerostoreError, toHex } from "merostore/internal";
import {
  DIGEST_SIZE,
  identifierJson,
  isInline,
  isValidDigest,
  type ObjectDigest,
  type ObjectIdentifier,
} from "../objects.js";
import type { KeyPart } from "./key-template.js";
import type { ValueFormat } from "./row.js";

const SIZE = DIGEST_SIZE + 4;

/**
 * Declares an identifier in the key of a status row: digest (33) ‖ key index (u32, little-endian), 37 bytes. The digest
 * comes first, so the rows of all identifiers with one digest are adjacent.
 */
export function identifierPart<const N extends string>(name: N): KeyPart<N, ObjectIdentifier> {
  return {
    name,
    size: SIZE,
    encode({ keyIndex, digest }) {
      const index = new Uint8Array(4);
      new DataView(index.buffer).setUint32(0, keyIndex, true);
      return concat(digest, index);
    },
    decode(bytes) {
      const digest = bytes.subarray(0, DIGEST_SIZE);
      if (bytes.length !== SIZE || !isValidDigest(digest) || isInline(digest)) return undefined;
      const keyIndex = new DataView(bytes.buffer, bytes.byteOffset + DIGEST_SIZE).getUint32(0, true);
      return { keyIndex, digest };
    },
    toJson: identifierJson,
  };
}

/** Declares a digest in a key, 33 bytes: never an inline one. */
export function digestPart<const N extends string>(name: N): KeyPart<N, ObjectDigest> {
  return {
    name,
    size: DIGEST_SIZE,
    encode: (digest) => digest,
    decode: (bytes) => (isValidDigest(bytes) && !isInline(bytes) ? bytes : undefined),
    toJson: toHex,
  };
}

/** A time: i64, little-endian, nanoseconds since the Unix epoch, UTC. */
export const timestamp: ValueFormat<bigint> = {
  encode(value) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigInt64(0, value, true);
    return bytes;
  },
  decode(bytes) {
    if (bytes.length !== 8)
      throw new MerostoreError("DECODE_FAILED", `a time is 8 bytes, not ${bytes.length}`);
    return new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0, true);
  },
  toJson: (value): Json => value.toString(),
};

/** A clock: nanoseconds since the Unix epoch, UTC. */
export type Clock = () => bigint;

/** Checks each time of a program's clock: INVALID_ARGUMENT for a time that is not an i64. */
export function checkedClock(clock: Clock): Clock {
  return () => {
    const now: unknown = clock();
    if (typeof now === "bigint" && BigInt.asIntN(64, now) === now) return now;
    const found = typeof now === "bigint" ? `${now}n` : describeValue(now);
    throw invalidArgument(`the clock must give a bigint of 64 bits, not ${found}`);
  };
}

/** The latest time: an i64. */
const LAST_TIME = 2n ** 63n - 1n;

/** Returns the time `now`, or one after the earlier time if the clock is behind it. */
export function timeAfter(earlier: bigint, now: bigint): bigint {
  if (now > earlier) return now;
  return earlier < LAST_TIME ? earlier + 1n : LAST_TIME;
}

/** Makes a clock whose times ascend, even if the read time goes back. @param read milliseconds since the Unix epoch */
export function ascendingClock(read: () => number): Clock {
  let last = 0n;
  return () => {
    last = timeAfter(last, BigInt(read()) * 1_000_000n);
    return last;
  };
}

/** The system clock. It goes on while the machine sleeps. */
export const systemClock: Clock = ascendingClock(() => Date.now());
