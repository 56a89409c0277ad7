import { isBytes } from "../bytes/bytes.js";
import { bytes } from "./bytes.js";
import type { Codec } from "./codec.js";
import { describe, WriteFailure } from "./errors.js";
import { u64 } from "./integers.js";
import type { Reader } from "./reader.js";
import { Wrapped } from "./wrap.js";
import type { Writer } from "./writer.js";

/** Bytes of the longest number: nine of seven bits, and one bit. */
const LONGEST = 10;

class Varint extends Wrapped<bigint> {
  override readonly signature = "varint";
  override readonly size = { min: 1, max: LONGEST };
  /** True if the tenth byte may have bits beyond the 64th, which are dropped. */
  readonly #drops: boolean;

  constructor(drops: boolean) {
    super(u64);
    this.#drops = drops;
  }

  override get strict(): boolean {
    return !this.#drops;
  }

  override read(reader: Reader): bigint {
    const start = reader.at;
    let value = 0n;
    for (let count = 0; count < LONGEST; count++) {
      const byte = reader.u8();
      value |= BigInt(byte & 0x7f) << BigInt(7 * count);
      if (byte >= 0x80) continue;
      if (byte === 0 && count > 0)
        throw reader.fail("a number in its shortest form", "zeros at its end", start);
      if (value >> 64n > 0n && !this.#drops)
        throw reader.fail("a number of at most 64 bits", "a longer one", start);
      return BigInt.asUintN(64, value);
    }
    throw reader.fail(`a number of at most ${LONGEST} bytes`, "a longer one", start);
  }

  override write(writer: Writer, value: bigint): void {
    let rest = this.parse(this.show(value));
    for (; rest >= 0x80n; rest >>= 7n) writer.u8(Number(rest & 0x7fn) | 0x80);
    writer.u8(Number(rest));
  }
}

/**
 * A number from 0 to 2^64 - 1 as unsigned LEB128: seven bits in each byte, the lowest first, in the shortest form. 1 to
 * 10 bytes.
 */
export const varint = new Varint(false) as Wrapped<bigint>;

/** The same, except that reading drops the bits of a tenth byte beyond the 64th. */
export const cutVarint = new Varint(true) as Wrapped<bigint>;

class VarintBytes extends Wrapped<Uint8Array> {
  override readonly size = { min: 1, max: undefined };

  override read(reader: Reader): Uint8Array {
    const start = reader.at;
    const length = varint.read(reader);
    if (length > BigInt(reader.left)) throw reader.fail(`${length} bytes`, `${reader.left}`, start);
    return reader.take(Number(length));
  }

  override write(writer: Writer, value: Uint8Array): void {
    if (!isBytes(value)) throw new WriteFailure("bytes", describe(value));
    varint.write(writer, BigInt(value.length));
    writer.bytes(value);
  }
}

/** A length as {@link varint}, then that many bytes. */
export const varintBytes: Codec<Uint8Array> = new VarintBytes(bytes);
