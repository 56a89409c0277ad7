/** The layout of a key: offsets of its parts, encoding and decoding. buffer-layout computes the offsets once. */

import { blob, greedy, struct, u8 } from "buffer-layout";
import { isBytes } from "../bytes/bytes.js";
import { Id } from "../bytes/id.js";
import { ID_BYTES } from "../bytes/id-table.js";
import { allocate } from "../bytes/pool.js";
import { describe } from "../codec/index.js";
import { invalidArgument, MerostoreError } from "../errors.js";
import type { AnyPart, KeyField, ReservedName } from "./key-class.js";
import { thrownByPart } from "./part-json.js";

export class KeyLayout {
  readonly kind: string;
  readonly prefix: number | undefined;
  readonly parts: readonly AnyPart[];
  /** The prefix, if there is one, and the parts. */
  readonly fields: readonly KeyField[];
  /** Bytes of a key; the fewest if `variable`. */
  readonly size: number;
  /** True if the last part takes any number of bytes. */
  readonly variable: boolean;
  readonly #offsets: readonly number[];
  readonly #names: ReadonlySet<string>;
  /** Indexes of the parts that do not accept all bytes. */
  readonly #particular: readonly number[];

  constructor(kind: string, prefix: number | undefined, parts: readonly AnyPart[]) {
    checkDeclaration(kind, prefix, parts);
    const prefixLayout = prefix === undefined ? [] : [u8("prefix")];
    // Only the span of a part's layout is used: the layout may come from another package.
    const spans = parts.map(({ name, layout: { span } }) => blob(span < 0 ? greedy(1) : span, name));
    const layout = struct([...prefixLayout, ...spans]);
    this.kind = kind;
    this.prefix = prefix;
    this.parts = parts;
    this.#names = new Set(parts.map(({ name }) => name));
    this.#offsets = parts.map(({ name }) => layout.offsetOf(name) as number);
    this.#particular = parts.flatMap((part, index) => (part.refuseBytes === undefined ? [] : [index]));
    this.fields = [
      ...(prefix === undefined ? [] : [{ name: "prefix", type: "u8", offset: 0, size: 1 }]),
      ...parts.map(({ name, type, layout: { span } }, index) => {
        return { name, type, offset: this.#offsets[index] as number, size: span < 0 ? undefined : span };
      }),
    ];
    const last = this.fields.at(-1);
    this.variable = last?.size === undefined;
    this.size = (last?.offset ?? 0) + (last?.size ?? parts.at(-1)?.least ?? 0);
  }

  /**
   * Encodes a whole key (`complete`), or the leading parts that are given.
   * @throws MerostoreError `INVALID_KEY` for a part that is missing, surplus, or of the wrong type or length
   */
  encode(values: Readonly<Record<string, unknown>>, complete: boolean): Uint8Array {
    const { parts, prefix } = this;
    let names = 0;
    for (const name in values) {
      if (!complete && values[name] === undefined) continue;
      if (!this.#names.has(name)) {
        const expected = `the parts ${parts.map((part) => part.name).join(", ")}`;
        throw this.#refusal("", expected, `"${name}"`);
      }
      names++;
    }
    const given = complete ? parts.length : names;
    let length = prefix === undefined ? 0 : 1;
    let index = 0;
    try {
      for (; index < given; index++) {
        const part = parts[index] as AnyPart;
        const value = values[part.name];
        const expected = part.refuse(value);
        if (expected !== undefined) throw this.#refusal(`.${part.name}`, expected, describeRefused(value));
        length += part.byteLength?.(value) ?? part.layout.span;
      }
      const bytes = allocate(length);
      if (prefix !== undefined) bytes[0] = prefix;
      for (index = 0; index < given; index++) {
        const part = parts[index] as AnyPart;
        part.write(bytes, this.#offsets[index] as number, values[part.name]);
      }
      return bytes;
    } catch (error) {
      throw thrownByPart(error, this.kind, parts[index]);
    }
  }

  /** Decodes a part of a key. */
  decode(bytes: Uint8Array, index: number): unknown {
    const part = this.parts[index] as AnyPart;
    try {
      return part.read(this.#piece(bytes, index));
    } catch (error) {
      throw thrownByPart(error, this.kind, part);
    }
  }

  /** Returns true if bytes are a key of this layout: its size, its prefix, and parts that can be read. */
  matches(bytes: Uint8Array): boolean {
    const { size, prefix } = this;
    if (this.variable ? bytes.length < size : bytes.length !== size) return false;
    if (prefix !== undefined && bytes[0] !== prefix) return false;
    return this.#particular.length === 0 || this.#wrongPart(bytes) === undefined;
  }

  /** Creates the error for bytes that do not match. */
  mismatch(bytes: Uint8Array): MerostoreError {
    const { size, prefix, variable } = this;
    if (!isBytes(bytes)) return this.#refusal("", "bytes", describe(bytes));
    if (variable ? bytes.length < size : bytes.length !== size) {
      return this.#refusal("", `${variable ? "at least " : ""}${size} bytes`, `${bytes.length}`);
    }
    const wrong = this.#wrongPart(bytes);
    if (wrong === undefined) return this.#refusal("", `prefix ${hex(prefix)}`, hex(bytes[0]));
    return this.#refusal(`.${wrong.name}`, wrong.expected, "other bytes");
  }

  #wrongPart(bytes: Uint8Array): { readonly name: string; readonly expected: string } | undefined {
    for (const index of this.#particular) {
      const part = this.parts[index] as AnyPart;
      try {
        const expected = part.refuseBytes?.(this.#piece(bytes, index));
        if (expected !== undefined) return { name: part.name, expected };
      } catch (error) {
        throw thrownByPart(error, this.kind, part);
      }
    }
    return undefined;
  }

  /** The bytes of a part: a view, not a copy. 32 bytes are an id. */
  #piece(bytes: Uint8Array, index: number): Uint8Array {
    const start = this.#offsets[index] as number;
    const { span } = (this.parts[index] as AnyPart).layout;
    const length = span < 0 ? bytes.length - start : span;
    const View = span === ID_BYTES ? Id : Uint8Array;
    return new View(bytes.buffer, bytes.byteOffset + start, length);
  }

  #refusal(what: string, expected: string, found: string): MerostoreError {
    return new MerostoreError("INVALID_KEY", `${this.kind}${what}: expected ${expected}, found ${found}`);
  }
}

/** Checks a declaration of a key class. */
function checkDeclaration(kind: string, prefix: number | undefined, parts: readonly AnyPart[]): void {
  const check = (isRight: boolean, why: string): void => {
    if (!isRight) throw invalidArgument(`${kind}: ${why}`);
  };
  const isByte = prefix === undefined || (Number.isInteger(prefix) && prefix >= 0 && prefix <= 255);
  check(isByte, `the prefix ${prefix} is not a byte`);
  check(prefix !== undefined || parts.length > 0, "a key has a prefix or a part");
  const names = new Set<string>();
  for (const [at, part] of parts.entries()) {
    const { name, layout } = ((part as unknown) ?? {}) as AnyPart;
    check(typeof name === "string" && name !== "", "a part has no name");
    check(!RESERVED.includes(name as ReservedName), `the name of the part "${name}" is reserved`);
    check(
      !/^\d+$/.test(name),
      `a part cannot be named "${name}": JavaScript puts integers before all other names`,
    );
    check(!names.has(name), `two parts have the name "${name}"`);
    names.add(name);
    check(Number.isInteger(layout?.span), `the part "${name}" needs a layout whose span is a whole number`);
    const isLast = at === parts.length - 1;
    check(
      isLast || layout.span >= 0,
      `the part "${name}" takes the rest of the key: it must be the last part`,
    );
  }
}

/** Properties that every key has. */
const RESERVED: readonly ReservedName[] = [
  "KIND",
  "COLUMN",
  "PREFIX",
  "PARTS",
  "bytes",
  "prefix",
  "toBytes",
  "toString",
  "toJSON",
  "constructor",
  "__proto__",
];

function hex(byte: number | undefined): string {
  return byte === undefined ? "nothing" : `0x${byte.toString(16).padStart(2, "0")}`;
}

/** A value that a part refuses: numbers with their digits. */
function describeRefused(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "number" ? `the number ${value}` : describe(value);
}
