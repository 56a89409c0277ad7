/** Times: i64, little-endian, nanoseconds since the Unix epoch, UTC. */
import type { Json } from "merostore/codec";
import { describeValue, MerostoreError } from "merostore/internal";
import type { ValueFormat } from "./row.js";

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
    throw new MerostoreError("INVALID_ARGUMENT", `the clock must give a bigint of 64 bits, not ${found}`);
  };
}

/** The clock of the system, with a resolution of microseconds. */
export const systemClock: Clock = () =>
  BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;
