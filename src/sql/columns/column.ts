/** Columns that collect single values and pass them to DuckDB in chunks. */
import { invalidArgument } from "../../errors.js";
import type { Bindings, Vector } from "../binding.js";
import type { NumberType } from "../layout.js";
import { enlarged, Texts, Validity } from "./cells.js";

/** A column, or a part of one. Cells without a value are null. */
export abstract class Column {
  protected readonly validity = new Validity();

  /** Sets a cell to a decoded value. Null and undefined leave it null. */
  put(at: number, value: unknown): void {
    if (value === null || value === undefined) return;
    this.validity.set(at);
    this.set(at, value);
  }

  /** Forgets all cells. */
  clear(): void {
    this.validity.clear();
  }

  /** Copies the first cells to a vector. */
  copyTo(bindings: Bindings, vector: Vector, cells: number): void {
    this.validity.copyTo(bindings, vector, cells);
  }

  /** Sets a cell to a value that is not null. */
  protected abstract set(at: number, value: unknown): void;
}

/** Numbers and truth values of a fixed number of bytes. */
class NumberColumn extends Column {
  readonly #size: number;
  readonly #write: (to: DataView, at: number, value: unknown) => void;
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;

  constructor(size: number, write: (to: DataView, at: number, value: unknown) => void) {
    super();
    this.#size = size;
    this.#write = write;
    this.#bytes = new Uint8Array(8 * size);
    this.#view = new DataView(this.#bytes.buffer);
  }

  protected override set(at: number, value: unknown): void {
    const offset = at * this.#size;
    if (offset + this.#size > this.#bytes.length) {
      this.#bytes = enlarged(this.#bytes, offset + this.#size);
      this.#view = new DataView(this.#bytes.buffer);
    }
    this.#write(this.#view, offset, value);
  }

  override copyTo(bindings: Bindings, vector: Vector, cells: number): void {
    const bytes = Math.min(cells * this.#size, this.#bytes.length);
    if (bytes > 0) bindings.copy_data_to_vector(vector, 0, this.#bytes.buffer, 0, bytes);
    super.copyTo(bindings, vector, cells);
  }
}

/** Truth values. The empty value, null in JavaScript, becomes null, like a missing value. */
export function boolColumn(): Column {
  return new NumberColumn(1, (to, at, value) => to.setUint8(at, value === true ? 1 : 0));
}

const setters: Readonly<Record<NumberType, (to: DataView, at: number, value: never) => void>> = {
  u8: (to, at, value) => to.setUint8(at, value),
  u16: (to, at, value) => to.setUint16(at, value, true),
  u32: (to, at, value) => to.setUint32(at, value, true),
  u64: (to, at, value) => to.setBigUint64(at, value, true),
  i8: (to, at, value) => to.setInt8(at, value),
  i16: (to, at, value) => to.setInt16(at, value, true),
  i32: (to, at, value) => to.setInt32(at, value, true),
  i64: (to, at, value) => to.setBigInt64(at, value, true),
  f32: (to, at, value) => to.setFloat32(at, value, true),
  f64: (to, at, value) => to.setFloat64(at, value, true),
};

/** Numbers of 1 to 8 bytes. @throws for a number that does not fit */
export function numberColumn(is: NumberType): Column {
  const bits = Number(is.slice(1));
  const [least, most] = rangeOf(is, bits);
  const set = setters[is];
  return new NumberColumn(bits / 8, (to, at, value) => {
    if ((typeof value !== "number" && typeof value !== "bigint") || value < least || value > most)
      throw invalidArgument(`expected a number ${is}`);
    set(to, at, value as never);
  });
}

function rangeOf(is: NumberType, bits: number): readonly [least: number | bigint, most: number | bigint] {
  if (is.startsWith("f")) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const half = 1n << BigInt(bits - 1);
  return is.startsWith("i") ? [-half, half - 1n] : [0n, 2n * half - 1n];
}

/** Texts: of strings, of bytes in hex, or of any value by `textOf`. */
export class TextColumn extends Column {
  readonly #texts = new Texts();
  readonly #textOf: ((value: unknown) => string) | undefined;

  constructor(textOf?: (value: unknown) => string) {
    super();
    this.#textOf = textOf;
  }

  protected override set(at: number, value: unknown): void {
    if (this.#textOf !== undefined) this.#texts.addText(at, this.#textOf(value));
    else if (typeof value === "string") this.#texts.addText(at, value);
    else if (value instanceof Uint8Array) this.#texts.addHex(at, value);
    else throw invalidArgument("expected a text or bytes");
  }

  override clear(): void {
    super.clear();
    this.#texts.clear();
  }

  override copyTo(bindings: Bindings, vector: Vector, cells: number): void {
    this.#texts.copyTo(bindings, vector);
    super.copyTo(bindings, vector, cells);
  }
}

/** A column of some type whose cells are all null. */
export class HiddenColumn extends Column {
  readonly #of: Column;

  constructor(of: Column) {
    super();
    this.#of = of;
  }

  override put(): void {
    // Secrets are not shown.
  }

  protected override set(): void {
    // Same as `put`.
  }

  override copyTo(bindings: Bindings, vector: Vector, cells: number): void {
    this.#of.copyTo(bindings, vector, cells);
  }
}
