/**
 * Unsigned integers, little-endian. Up to 32 bits they decode to numbers, above to bigints (decimal strings in JSON).
 */
import { Codec, type Shape, type Size } from "./codec.js";
import { describe, WriteFailure } from "./errors.js";
import type { Json } from "./json.js";
import type { JsonText } from "./json-text.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

abstract class SmallInteger extends Codec<number> {
  readonly signature: string;
  readonly size: Size;
  readonly #max: number;

  constructor(bytes: number) {
    super();
    this.signature = `u${8 * bytes}`;
    this.size = { min: bytes, max: bytes };
    this.#max = 2 ** (8 * bytes) - 1;
  }

  override get shape(): Shape {
    return { is: "integer", bits: this.size.min === 1 ? 8 : 32 };
  }

  show(value: number): Json {
    return value;
  }

  parse(json: Json): number {
    return this.check(json);
  }

  protected check(value: unknown): number {
    if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= this.#max)
      return value;
    const found = typeof value === "number" ? "a number out of range" : describe(value);
    throw new WriteFailure(`a whole number from 0 to ${this.#max}`, found);
  }
}

class U8 extends SmallInteger {
  read(reader: Reader): number {
    return reader.u8();
  }

  write(writer: Writer, value: number): void {
    writer.u8(this.check(value));
  }
}

class U32 extends SmallInteger {
  read(reader: Reader): number {
    return reader.u32();
  }

  write(writer: Writer, value: number): void {
    writer.u32(this.check(value));
  }
}

abstract class BigInteger extends Codec<bigint> {
  readonly signature: string;
  readonly size: Size;
  readonly #max: bigint;

  constructor(bytes: number) {
    super();
    this.signature = `u${8 * bytes}`;
    this.size = { min: bytes, max: bytes };
    this.#max = (1n << BigInt(8 * bytes)) - 1n;
  }

  override get shape(): Shape {
    return { is: "integer", bits: this.size.min === 8 ? 64 : 128 };
  }

  show(value: bigint): Json {
    return value.toString();
  }

  override transcribe(reader: Reader, text: JsonText): void {
    text.raw(`"${this.read(reader)}"`);
  }

  parse(json: Json): bigint {
    // Parsing a bigint takes quadratic time, so the pattern bounds the length.
    if (typeof json !== "string" || !/^(0|[1-9][0-9]{0,38})$/.test(json)) {
      throw new WriteFailure(`a ${this.signature} as a decimal string`, describe(json));
    }
    return this.check(BigInt(json));
  }

  protected check(value: unknown): bigint {
    if (typeof value === "bigint" && value >= 0n && value <= this.#max) return value;
    const found = typeof value === "bigint" ? "a bigint out of range" : describe(value);
    throw new WriteFailure(`a bigint from 0 to 2^${8 * this.size.min} - 1`, found);
  }
}

class U64 extends BigInteger {
  read(reader: Reader): bigint {
    return reader.u64();
  }

  write(writer: Writer, value: bigint): void {
    writer.u64(this.check(value));
  }
}

class U64BE extends BigInteger {
  override readonly signature = "u64BE";

  read(reader: Reader): bigint {
    return reversed(reader.u64());
  }

  write(writer: Writer, value: bigint): void {
    writer.u64(reversed(this.check(value)));
  }
}

/** A number of 64 bits whose bytes are in the other order. */
function reversed(value: bigint): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, value);
  return view.getBigUint64(0, true);
}

class U128 extends BigInteger {
  read(reader: Reader): bigint {
    if (reader.left < 16) throw reader.short(16);
    const low = reader.u64();
    return low | (reader.u64() << 64n);
  }

  write(writer: Writer, value: bigint): void {
    this.check(value);
    writer.u64(BigInt.asUintN(64, value));
    writer.u64(value >> 64n);
  }
}

/** 1 byte, a number from 0 to 255. */
export const u8: Codec<number> = new U8(1);
/** 4 bytes, a number from 0 to 2^32 - 1. */
export const u32: Codec<number> = new U32(4);
/** 8 bytes big-endian, which Borsh does not have: a bigint from 0 to 2^64 - 1. */
export const u64be: Codec<bigint> = new U64BE(8);
/** 8 bytes, a bigint from 0 to 2^64 - 1. */
export const u64: Codec<bigint> = new U64(8);
/** 16 bytes, a bigint from 0 to 2^128 - 1. */
export const u128: Codec<bigint> = new U128(16);
