/**
 * The factory of key classes. A key class is declared in one line, from its column family, its prefix byte and its
 * parts; sizes, bytes, ranges, text form and static types follow from them.
 */
import { struct, u8 } from "@solana/buffer-layout";
import { allocate } from "../bytes/pool.js";
import { describe } from "../codec/errors.js";
import { MerostoreError } from "../errors.js";
import type { Part } from "./part.js";
import { type KeyRange, rangeOf } from "./range.js";

/** Any part. */
export type AnyPart = Part<string, unknown>;

type Value<P> = P extends Part<string, infer T> ? T : never;

/** The parts of a key by name. */
export type Values<P extends readonly AnyPart[]> = {
  readonly [Q in P[number] as Q["name"]]: Value<Q>;
};

/** The leading runs of a list of parts: none, the first, the first two, … */
export type Leading<P extends readonly AnyPart[], Done extends readonly AnyPart[] = []> =
  | (Values<Done> & { readonly [Q in P[number] as Q["name"]]?: never })
  | (P extends readonly [infer H extends AnyPart, ...infer R extends readonly AnyPart[]]
      ? Leading<R, [...Done, H]>
      : never);

/** A piece of a key as documentation and `explain` show it. */
export interface KeyField {
  readonly name: string;
  readonly type: string;
  /** Bytes from the beginning of the key. */
  readonly offset: number;
  /** In bytes; undefined for the rest of the key. */
  readonly size: number | undefined;
}

/** What every key is: its bytes. The parts are properties beside it. */
export interface AnyKey {
  readonly KIND: string;
  readonly COLUMN: string;
  /** The key as the database has it. Not a copy: must not be changed. */
  readonly bytes: Uint8Array;
  toBytes(): Uint8Array;
  /** `GroupMember(groupId=…, identity=…)` with ids in hex. */
  toString(): string;
}

/** A key with these parts. */
export type Key<K extends string, X extends number | undefined, P extends readonly AnyPart[]> = Values<P> &
  AnyKey & { readonly KIND: K; readonly PREFIX: X; readonly PARTS: P };

/** What all key classes have, whatever their parts. */
export interface AnyKeyClass {
  readonly KIND: string;
  readonly COLUMN: string;
  /** First byte of every key of this class; undefined where the column family holds one kind only. */
  readonly PREFIX: number | undefined;
  /** Bytes of a key; the least where `VARIABLE`. */
  readonly SIZE: number;
  /** Whether the last part takes any number of bytes. */
  readonly VARIABLE: boolean;
  readonly PARTS: readonly AnyPart[];
  readonly FIELDS: readonly KeyField[];
  /** Whether bytes are a key of this class: its size, its prefix, and parts that can be read. */
  matches(bytes: Uint8Array): boolean;
  fromBytes(bytes: Uint8Array): AnyKey;
  range(leading: Readonly<Record<string, unknown>>): KeyRange<AnyKeyClass>;
  readonly prototype: AnyKey;
}

export interface KeyClass<
  K extends string,
  C extends string,
  X extends number | undefined,
  P extends readonly AnyPart[],
> extends AnyKeyClass {
  /** @throws MerostoreError `INVALID_KEY` for a part that is missing, surplus, or of the wrong type or length. */
  new (parts: Values<P>): Key<K, X, P>;
  readonly KIND: K;
  readonly COLUMN: C;
  readonly PREFIX: X;
  readonly PARTS: P;
  readonly prototype: Key<K, X, P>;
  /**
   * The key of these bytes, without copying them.
   * @throws MerostoreError `INVALID_KEY` if the size or the prefix byte is another one.
   */
  fromBytes<T>(this: new (parts: Values<P>) => T, bytes: Uint8Array): T;
  /** The keys that share these leading parts; all keys of the class for `{}`. */
  range<T extends AnyKeyClass>(this: T, leading: Leading<P>): KeyRange<T>;
}

/** The keys of a class. */
export type KeyOf<T extends AnyKeyClass> = T["prototype"];

/**
 * Declares a key class.
 *
 * @example
 * class GroupOpLog extends keyParts("GroupOpLog", "Group", 0x30, id32("groupId"), u64be("sequence")) {}
 * GroupOpLog.SIZE; // 41
 * new GroupOpLog({ groupId, sequence: 1n }).toBytes();
 * GroupOpLog.range({ groupId }); // all operations of one group, in sequence order
 */
export function keyParts<
  const K extends string,
  const C extends string,
  const X extends number | undefined,
  const P extends readonly AnyPart[],
>(kind: K, column: C, prefix: X, ...parts: P): KeyClass<K, C, X, P> {
  const layout = struct([
    ...(prefix === undefined ? [] : [u8("prefix") as never]),
    ...parts.map((part) => part.layout as never),
  ]);
  const fields: readonly KeyField[] = [
    ...(prefix === undefined ? [] : [{ name: "prefix", type: "u8", offset: 0, size: 1 }]),
    ...parts.map(({ name, type, layout: { span } }) => ({
      name,
      type,
      offset: layout.offsetOf(name as never) as number,
      size: span < 0 ? undefined : span,
    })),
  ];
  const offsets = parts.map(({ name }) => fields.find((field) => field.name === name)?.offset as number);
  const checkedParts = parts.flatMap((part, index) => (part.refuseBytes === undefined ? [] : [index]));
  const last = fields.at(-1);
  const variable = last?.size === undefined;
  const size = (last?.offset ?? 0) + (last?.size ?? 0);

  const refuse = (what: string, expected: string, found: string): MerostoreError =>
    new MerostoreError("INVALID_KEY", `${kind}${what}: expected ${expected}, found ${found}`);

  const piece = (bytes: Uint8Array, index: number): Uint8Array => {
    const start = offsets[index] as number;
    const span = (parts[index] as AnyPart).layout.span;
    return new Uint8Array(bytes.buffer, bytes.byteOffset + start, span < 0 ? bytes.length - start : span);
  };

  /** Checks values against the leading parts and writes as many of them as there are. */
  const encode = (values: Readonly<Record<string, unknown>>, complete: boolean): Uint8Array => {
    const names = Object.keys(values).filter((name) => complete || values[name] !== undefined);
    const surplus = names.find((name) => !parts.some((part) => part.name === name));
    if (surplus !== undefined)
      throw refuse("", `the parts ${parts.map(({ name }) => name).join(", ")}`, `"${surplus}"`);
    const count = complete ? parts.length : names.length;
    let length = prefix === undefined ? 0 : 1;
    for (let index = 0; index < count; index++) {
      const part = parts[index] as AnyPart;
      const value = values[part.name];
      const expected = part.refuse(value);
      if (expected !== undefined) throw refuse(`.${part.name}`, expected, describe(value));
      length += part.sizeOf?.(value) ?? part.layout.span;
    }
    const bytes = allocate(length);
    if (prefix !== undefined) bytes[0] = prefix;
    for (let index = 0; index < count; index++) {
      const part = parts[index] as AnyPart;
      part.write(bytes, offsets[index] as number, values[part.name]);
    }
    return bytes;
  };

  const refuseBytes = (bytes: Uint8Array): MerostoreError => {
    if (!(bytes instanceof Uint8Array)) return refuse("", "bytes", describe(bytes));
    if (variable ? bytes.length < size : bytes.length !== size) {
      return refuse("", `${variable ? "at least " : ""}${size} bytes`, `${bytes.length}`);
    }
    if (prefix !== undefined && bytes[0] !== prefix)
      return refuse("", `prefix ${hex(prefix)}`, hex(bytes[0]));
    const index = checkedParts.find(
      (at) => parts[at]?.refuseBytes?.(piece(bytes, at)) !== undefined,
    ) as number;
    const part = parts[index] as AnyPart;
    return refuse(`.${part.name}`, part.refuseBytes?.(piece(bytes, index)) as string, "other bytes");
  };

  class Base implements AnyKey {
    static readonly KIND = kind;
    static readonly COLUMN = column;
    static readonly PREFIX = prefix;
    static readonly SIZE = size;
    static readonly VARIABLE = variable;
    static readonly PARTS = parts;
    static readonly FIELDS = fields;
    declare readonly KIND: K;
    declare readonly COLUMN: C;
    readonly bytes: Uint8Array;

    /** `bytes` is for `fromBytes` alone: it has checked them. */
    constructor(values: Readonly<Record<string, unknown>>, bytes?: Uint8Array) {
      this.bytes = bytes ?? encode(values, true);
    }

    static matches(bytes: Uint8Array): boolean {
      return (
        (variable ? bytes.length >= size : bytes.length === size) &&
        (prefix === undefined || bytes[0] === prefix) &&
        checkedParts.every((index) => parts[index]?.refuseBytes?.(piece(bytes, index)) === undefined)
      );
    }

    static fromBytes(bytes: Uint8Array): Base {
      if (!Base.matches(bytes)) throw refuseBytes(bytes);
      return new this({}, bytes);
    }

    static range(leading: Readonly<Record<string, unknown>>): KeyRange<AnyKeyClass> {
      return rangeOf(this as unknown as AnyKeyClass, encode(leading, false));
    }

    toBytes(): Uint8Array {
      return this.bytes;
    }

    toString(): string {
      const values = this as unknown as Readonly<Record<string, unknown>>;
      return `${kind}(${parts.map((part) => `${part.name}=${part.toJson(values[part.name])}`).join(", ")})`;
    }

    /** What `console.log` shows in Node. */
    [Symbol.for("nodejs.util.inspect.custom")](): string {
      return this.toString();
    }
  }

  const constants = { KIND: kind, COLUMN: column, PREFIX: prefix, PARTS: parts };
  for (const [name, value] of Object.entries(constants))
    Object.defineProperty(Base.prototype, name, { value });
  parts.forEach((part, index) => {
    Object.defineProperty(Base.prototype, part.name, {
      get(this: Base) {
        return part.read(piece(this.bytes, index));
      },
    });
  });
  return Base as unknown as KeyClass<K, C, X, P>;
}

function hex(byte: number | undefined): string {
  return byte === undefined ? "nothing" : `0x${byte.toString(16).padStart(2, "0")}`;
}
