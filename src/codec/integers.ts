/**
 * Integers, little-endian. Up to 32 bits they decode to numbers, above to bigints (decimal strings in JSON).
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
  readonly #min: number;
  readonly #max: number;

  constructor(bytes: 1 | 2 | 4, signed = false) {
    super();
    this.signature = `${signed ? "i" : "u"}${8 * bytes}`;
    this.size = { min: bytes, max: bytes };
    this.#min = signed ? -(2 ** (8 * bytes - 1)) : 0;
    this.#max = 2 ** (8 * bytes) - 1 + this.#min;
  }

  override get shape(): Shape {
    return { is: "integer", bits: (8 * this.size.min) as 8 | 16 | 32, signed: this.#min < 0 };
  }

  show(value: number): Json {
    return value;
  }

  parse(json: Json): number {
    return this.check(json);
  }

  protected check(value: unknown): number {
    if (typeof value === "number" && Number.isInteger(value) && value >= this.#min && value <= this.#max)
      return value;
    const found = Number.isInteger(value) ? "a number out of range" : describe(value);
    throw new WriteFailure(`a whole number from ${this.#min} to ${this.#max}`, found);
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

class U16 extends SmallInteger {
  read(reader: Reader): number {
    const at = reader.pass(2);
    return (reader.bytes[at] as number) | ((reader.bytes[at + 1] as number) << 8);
  }

  write(writer: Writer, value: number): void {
    this.check(value);
    writer.u8(value & 0xff);
    writer.u8((value >> 8) & 0xff);
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

/** An integer in two's complement, read and written by the unsigned codec of its size. */
class Signed extends SmallInteger {
  readonly #unsigned: Codec<number>;
  readonly #shift: number;

  constructor(bytes: 1 | 2 | 4, unsigned: Codec<number>) {
    super(bytes, true);
    this.#unsigned = unsigned;
    this.#shift = 32 - 8 * bytes;
  }

  read(reader: Reader): number {
    return (this.#unsigned.read(reader) << this.#shift) >> this.#shift;
  }

  write(writer: Writer, value: number): void {
    this.#unsigned.write(writer, (this.check(value) << this.#shift) >>> this.#shift);
  }
}

abstract class BigInteger extends Codec<bigint> {
  readonly signature: string;
  readonly size: Size;
  readonly #min: bigint;
  readonly #max: bigint;

  constructor(bytes: 8 | 16, signed = false) {
    super();
    this.signature = `${signed ? "i" : "u"}${8 * bytes}`;
    this.size = { min: bytes, max: bytes };
    this.#min = signed ? -(1n << BigInt(8 * bytes - 1)) : 0n;
    this.#max = (1n << BigInt(8 * bytes)) - 1n + this.#min;
  }

  override get shape(): Shape {
    return { is: "integer", bits: (8 * this.size.min) as 64 | 128, signed: this.#min < 0n };
  }

  show(value: bigint): Json {
    return value.toString();
  }

  override transcribe(reader: Reader, text: JsonText): void {
    text.raw(`"${this.read(reader)}"`);
  }

  parse(json: Json): bigint {
    // Parsing a bigint takes quadratic time, so the pattern bounds the length.
    if (typeof json !== "string" || !/^(0|-?[1-9][0-9]{0,38})$/.test(json)) {
      throw new WriteFailure(`a ${this.signature} as a decimal string`, describe(json));
    }
    return this.check(BigInt(json));
  }

  protected check(value: unknown): bigint {
    if (typeof value === "bigint" && value >= this.#min && value <= this.#max) return value;
    const found = typeof value === "bigint" ? "a bigint out of range" : describe(value);
    const bits = 8 * this.size.min;
    const range = this.#min === 0n ? `0 to 2^${bits} - 1` : `-2^${bits - 1} to 2^${bits - 1} - 1`;
    throw new WriteFailure(`a bigint from ${range}`, found);
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

/** Returns a 64-bit number with its bytes in reverse order. */
function reversed(value: bigint): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, value);
  return view.getBigUint64(0, true);
}

class I64 extends BigInteger {
  read(reader: Reader): bigint {
    return BigInt.asIntN(64, reader.u64());
  }

  write(writer: Writer, value: bigint): void {
    writer.u64(BigInt.asUintN(64, this.check(value)));
  }
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
    writer.u64(BigInt.asUintN(64, value >> 64n));
  }
}

class I128 extends U128 {
  override read(reader: Reader): bigint {
    return BigInt.asIntN(128, super.read(reader));
  }
}

/** 1 byte, a number from 0 to 255. */
export const u8: Codec<number> = new U8(1);
/** 2 bytes, a number from 0 to 65,535. */
export const u16: Codec<number> = new U16(2);
/** 4 bytes, a number from 0 to 2^32 - 1. */
export const u32: Codec<number> = new U32(4);
/** 8 bytes big-endian, which Borsh does not have: a bigint from 0 to 2^64 - 1. */
export const u64BigEndian: Codec<bigint> = new U64BE(8);
/** 8 bytes, a bigint from 0 to 2^64 - 1. */
export const u64: Codec<bigint> = new U64(8);
/** 16 bytes, a bigint from 0 to 2^128 - 1. */
export const u128: Codec<bigint> = new U128(16);
/** 1 byte in two's complement, a number from -128 to 127. */
export const i8: Codec<number> = new Signed(1, u8);
/** 2 bytes in two's complement, a number from -32,768 to 32,767. */
export const i16: Codec<number> = new Signed(2, u16);
/** 4 bytes in two's complement, a number from -2^31 to 2^31 - 1. */
export const i32: Codec<number> = new Signed(4, u32);
/** 8 bytes in two's complement, a bigint from -2^63 to 2^63 - 1. */
export const i64: Codec<bigint> = new I64(8, true);
/** 16 bytes in two's complement, a bigint from -2^127 to 2^127 - 1. */
export const i128: Codec<bigint> = new I128(16, true);
