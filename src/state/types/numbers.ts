/** Codecs of the numbers that the node's own rows do not have. Little-endian, as in Borsh. */
import {
  Codec,
  describe,
  type Json,
  type Reader,
  type Size,
  WriteFailure,
  type Writer,
} from "../../codec/index.js";

const scratch = new DataView(new ArrayBuffer(8));

/** A whole number of 2 or 4 bytes, or one byte with a sign: a number. */
class ShortInteger extends Codec<number> {
  readonly signature: string;
  readonly size: Size;
  readonly #bytes: number;
  readonly #least: number;
  readonly #most: number;

  constructor(bytes: 1 | 2 | 4, signed: boolean) {
    super();
    this.signature = `${signed ? "i" : "u"}${8 * bytes}`;
    this.size = { min: bytes, max: bytes };
    this.#bytes = bytes;
    this.#least = signed ? -(2 ** (8 * bytes - 1)) : 0;
    this.#most = 2 ** (8 * bytes) - 1 + this.#least;
  }

  read(reader: Reader): number {
    const at = reader.pass(this.#bytes);
    let value = 0;
    for (let byte = this.#bytes - 1; byte >= 0; byte--)
      value = value * 256 + (reader.bytes[at + byte] as number);
    return value > this.#most ? value - 2 ** (8 * this.#bytes) : value;
  }

  write(writer: Writer, value: number): void {
    let rest = this.#check(value);
    if (rest < 0) rest += 2 ** (8 * this.#bytes);
    for (let byte = 0; byte < this.#bytes; byte++) {
      writer.u8(rest % 256);
      rest = Math.floor(rest / 256);
    }
  }

  show(value: number): Json {
    return value;
  }

  parse(json: Json): number {
    return this.#check(json);
  }

  #check(value: unknown): number {
    if (typeof value === "number" && Number.isInteger(value) && value >= this.#least && value <= this.#most)
      return value;
    const found = typeof value === "number" ? "a number out of range" : describe(value);
    throw new WriteFailure(`a whole number from ${this.#least} to ${this.#most}`, found);
  }
}

/** A whole number of 8 or 16 bytes with a sign: a bigint. */
class LongInteger extends Codec<bigint> {
  readonly signature: string;
  readonly size: Size;
  readonly #bits: number;

  constructor(bytes: 8 | 16) {
    super();
    this.#bits = 8 * bytes;
    this.signature = `i${this.#bits}`;
    this.size = { min: bytes, max: bytes };
  }

  read(reader: Reader): bigint {
    let value = reader.u64();
    if (this.#bits === 128) value |= reader.u64() << 64n;
    return BigInt.asIntN(this.#bits, value);
  }

  write(writer: Writer, value: bigint): void {
    const whole = BigInt.asUintN(this.#bits, this.#check(value));
    writer.u64(whole & 0xffff_ffff_ffff_ffffn);
    if (this.#bits === 128) writer.u64(whole >> 64n);
  }

  show(value: bigint): Json {
    return value.toString();
  }

  parse(json: Json): bigint {
    if (typeof json === "string" && /^-?\d{1,39}$/.test(json)) return this.#check(BigInt(json));
    throw new WriteFailure("a whole number as decimal text", describe(json));
  }

  #check(value: unknown): bigint {
    if (typeof value === "bigint" && BigInt.asIntN(this.#bits, value) === value) return value;
    throw new WriteFailure(`a bigint of ${this.#bits} bits`, describe(value));
  }
}

/** A number with a fraction. NaN is refused, as Borsh refuses it. */
class Float extends Codec<number> {
  readonly signature: string;
  readonly size: Size;
  readonly #bytes: 4 | 8;

  constructor(bytes: 4 | 8) {
    super();
    this.#bytes = bytes;
    this.signature = `f${8 * bytes}`;
    this.size = { min: bytes, max: bytes };
  }

  read(reader: Reader): number {
    const at = reader.pass(this.#bytes);
    for (let byte = 0; byte < this.#bytes; byte++) scratch.setUint8(byte, reader.bytes[at + byte] as number);
    const value = this.#bytes === 4 ? scratch.getFloat32(0, true) : scratch.getFloat64(0, true);
    if (Number.isNaN(value)) throw reader.fail("a number", "NaN", at);
    return value;
  }

  write(writer: Writer, value: number): void {
    this.#check(value);
    if (this.#bytes === 4) scratch.setFloat32(0, value, true);
    else scratch.setFloat64(0, value, true);
    for (let byte = 0; byte < this.#bytes; byte++) writer.u8(scratch.getUint8(byte));
  }

  /** JSON has no infinite numbers and no negative zero: those are texts. */
  show(value: number): Json {
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : Object.is(value, -0)
        ? "-0"
        : String(value);
  }

  parse(json: Json): number {
    return this.#check(json === "Infinity" || json === "-Infinity" || json === "-0" ? Number(json) : json);
  }

  #check(value: unknown): number {
    if (typeof value !== "number" || Number.isNaN(value)) throw new WriteFailure("a number", describe(value));
    if (this.#bytes === 4 && !Object.is(Math.fround(value), value))
      throw new WriteFailure("a number that 32 bits can hold", "a number with more digits");
    return value;
  }
}

export const u16: Codec<number> = new ShortInteger(2, false);
export const i8: Codec<number> = new ShortInteger(1, true);
export const i16: Codec<number> = new ShortInteger(2, true);
export const i32: Codec<number> = new ShortInteger(4, true);
export const i64: Codec<bigint> = new LongInteger(8);
export const i128: Codec<bigint> = new LongInteger(16);
export const f32: Codec<number> = new Float(4);
export const f64: Codec<number> = new Float(8);
