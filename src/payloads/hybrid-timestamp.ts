import type { Reader, Writer } from "../codec/index.js";
import {
  Codec,
  checked,
  type Decoded,
  type Json,
  type Size,
  struct,
  u64,
  u128,
  WriteFailure,
} from "../codec/index.js";

/** A clock's id: never 0 in memory, and a stored 0 is read as 1, as the node reads it. */
class ClockId extends Codec<bigint> {
  readonly signature = "u128";
  readonly size: Size = u128.size;

  override get strict(): boolean {
    return false;
  }

  read(reader: Reader): bigint {
    return u128.read(reader) || 1n;
  }

  write(writer: Writer, value: bigint): void {
    u128.write(writer, notZero(value));
  }

  show(value: bigint): Json {
    return u128.show(value);
  }

  parse(json: Json): bigint {
    return notZero(u128.parse(json));
  }
}

function notZero(id: bigint): bigint {
  if (id === 0n) throw new WriteFailure("an id other than 0", "0");
  return id;
}

/**
 * A hybrid logical clock's timestamp, 24 bytes. `time` is NTP64: seconds since 1970 in the high 32 bits, a binary
 * fraction below, whose lowest 16 bits are a logical counter. `id` is the clock's, never 0; stored zeros are read as 1
 * and are not canonical. The default is time 0, id 1.
 */
export const HybridTimestamp010 = struct("HybridTimestamp", { time: u64, id: new ClockId() });
export type HybridTimestamp010 = Decoded<typeof HybridTimestamp010>;

/** The same in core-0.11, which refuses a stored id of 0. 24 bytes. */
export const HybridTimestamp = struct("HybridTimestamp", {
  time: u64,
  id: checked(u128, "an id other than 0", (id) => id !== 0n),
});
export type HybridTimestamp = Decoded<typeof HybridTimestamp>;
