import type { Reader, Writer } from "../codec/index.js";
import {
  checked,
  type Decoded,
  type Json,
  ntp64,
  Recoded,
  struct,
  u64,
  u128,
  WriteFailure,
} from "../codec/index.js";

const NOT_ZERO = "an id other than 0";

/** A clock's id: never 0 in memory. A stored 0 is read as 1, as in the node. */
class ClockId extends Recoded<bigint> {
  override get strict(): boolean {
    return false;
  }

  read(reader: Reader): bigint {
    return u128.read(reader) || 1n;
  }

  write(writer: Writer, value: bigint): void {
    u128.write(writer, notZero(value));
  }

  override parse(json: Json): bigint {
    return notZero(this.of.parse(json));
  }
}

function notZero(id: bigint): bigint {
  if (id === 0n) throw new WriteFailure(NOT_ZERO, "0");
  return id;
}

/** A hybrid logical clock's timestamp. The default is time 0, id 1. 16 bytes. */
export const HybridTimestamp = struct("HybridTimestamp", {
  /** NTP64: seconds since 1970 in the high 32 bits, a binary fraction below; its lowest 16 bits are a counter. */
  time: ntp64(u64),
  /** The clock's id, never 0. */
  id: checked(u64, NOT_ZERO, (id) => id !== 0n),
});
export type HybridTimestamp = Decoded<typeof HybridTimestamp>;

/** A hybrid logical clock's timestamp in core-0.11. 24 bytes. */
export const HybridTimestamp011 = struct("HybridTimestamp", {
  /** NTP64: seconds since 1970 in the high 32 bits, a binary fraction below; its lowest 16 bits are a counter. */
  time: ntp64(u64),
  /** The clock's id, never 0. */
  id: checked(u128, NOT_ZERO, (id) => id !== 0n),
});
export type HybridTimestamp011 = Decoded<typeof HybridTimestamp011>;

/** A hybrid logical clock's timestamp in core-0.10, where an id of 0 is read as 1 and not canonical. 24 bytes. */
export const HybridTimestamp010 = struct("HybridTimestamp", {
  /** NTP64: seconds since 1970 in the high 32 bits, a binary fraction below; its lowest 16 bits are a counter. */
  time: ntp64(u64),
  /** The clock's id, never 0: a stored 0 is read as 1. */
  id: new ClockId(u128, u128.size),
});
export type HybridTimestamp010 = Decoded<typeof HybridTimestamp010>;
