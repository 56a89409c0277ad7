/** Numbers with a fraction: IEEE 754, little-endian. NaN is refused, as in borsh-rs. */
import { Codec, type Shape, type Size } from "./codec.js";
import { describe, WriteFailure } from "./errors.js";
import type { Json } from "./json.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

const scratch = new DataView(new ArrayBuffer(8));

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

  override get shape(): Shape {
    return { is: "float", bits: this.#bytes === 4 ? 32 : 64 };
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

  /** `JSON.stringify` writes neither infinities nor negative zero: they become texts. */
  show(value: number): Json {
    if (Object.is(value, -0)) return "-0";
    return Number.isFinite(value) ? value : String(value);
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

/** 4 bytes, a number that 32 bits can hold exactly. NaN is refused; -0 and the infinities are texts in JSON. */
export const f32: Codec<number> = new Float(4);
/** 8 bytes, a number. NaN is refused; -0 and the infinities are texts in JSON. */
export const f64: Codec<number> = new Float(8);
