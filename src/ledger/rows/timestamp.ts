/** Times: i64, little-endian, nanoseconds since the Unix epoch, UTC. */
import type { Json } from "../../codec/index.js";
import { MerostoreError } from "../../errors.js";
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

/** The system's clock; it stands still for some microseconds at a time. */
export const systemClock: Clock = () =>
  BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;
