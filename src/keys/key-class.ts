/** Types of key classes and keys. The parts of a key determine which accesses compile. */
import type { Id, IdLike } from "../bytes/id.js";
import type { Plain } from "../codec/index.js";
import type { Part } from "./part.js";

/** Any part. */
export type AnyPart = Part<string, unknown>;

/** The names of the members of every key: no part can have them. */
export type ReservedName = keyof AnyKey | "PREFIX" | "PARTS" | "prefix" | "constructor" | "__proto__";

/** Compiles for parts whose names are free; otherwise the sentence that the compiler shows. */
export type FreeNames<P extends readonly AnyPart[]> =
  Extract<P[number]["name"], ReservedName> extends never
    ? unknown
    : readonly `no part can be named ${Extract<P[number]["name"], ReservedName>}: every key has a property of that name`[];

/** A part as a property, with the comment of the interface that declares it, if one does. */
export type Property<P> =
  P extends Part<infer N, infer T, infer D>
    ? N extends keyof D
      ? Readonly<Pick<D, N>>
      : { readonly [Q in N]: T }
    : never;

/** The properties of these parts. */
export type Properties<P extends readonly AnyPart[]> = P extends readonly [
  infer H,
  ...infer R extends readonly AnyPart[],
]
  ? Property<H> & Properties<R>
  : P extends readonly []
    ? unknown
    : { readonly [Q in P[number] as Q["name"]]: unknown };

/** The parts of a key by name. */
export type Values<P extends readonly AnyPart[]> = Plain<Properties<P>>;

/** The parts of a key as they are given: an id as bytes, or as their hex or base58 text. */
export type Given<P extends readonly AnyPart[]> =
  Values<P> extends infer V ? { readonly [N in keyof V]: V[N] extends Id ? IdLike : V[N] } : never;

/** The leading runs of a list of parts: none, the first, the first two, … */
export type Leading<P extends readonly AnyPart[], Done extends readonly AnyPart[] = []> =
  | (Given<Done> & { readonly [Q in P[number] as Q["name"]]?: never })
  | (P extends readonly [infer H extends AnyPart, ...infer R extends readonly AnyPart[]]
      ? Leading<R, [...Done, H]>
      : never);

/** A field of a key in the documentation and in `explain`. */
export interface KeyField {
  /** Name of the part; `prefix` for the prefix byte. */
  readonly name: string;
  /** For people: `b32`, `u64BE`, `raw`, … */
  readonly type: string;
  /** Bytes from the beginning of the key. */
  readonly offset: number;
  /** In bytes; undefined for the rest of the key. */
  readonly size: number | undefined;
}

/** Any key. Its parts are additional properties. */
export interface AnyKey<K extends string = string> {
  /** Name of the key class, as `GroupMember`. */
  readonly KIND: K;
  /** Name of the column family that has it. */
  readonly COLUMN: string;
  /** The bytes of the key in the database. Not a copy: do not change them. */
  readonly bytes: Uint8Array;
  /** A copy of `bytes`. */
  toBytes(): Uint8Array;
  /** `GroupMember(groupId=…, identity=…)` with ids in hex. */
  toString(): string;
  /** The parts by name: ids in hex, 64-bit numbers as decimal text. */
  toJSON(): { readonly [part: string]: string | number };
}

/** A key with these parts. */
export type Key<K extends string, X extends number | undefined, P extends readonly AnyPart[]> = Values<P> &
  AnyKey<K> & {
    /** First byte of the key; undefined where the column family holds one kind only. */
    readonly PREFIX: X;
    /** The parts of the key, in the order of their bytes. */
    readonly PARTS: P;
  };

/** The static members of all key classes. */
export interface AnyKeyClass {
  /** Name of the key class, as `GroupMember`. */
  readonly KIND: string;
  /** Name of the column family that has its keys. */
  readonly COLUMN: string;
  /** First byte of every key of this class; undefined where the column family holds one kind only. */
  readonly PREFIX: number | undefined;
  /** Bytes of a key; the fewest if `VARIABLE`. */
  readonly SIZE: number;
  /** True if the last part takes any number of bytes. */
  readonly VARIABLE: boolean;
  /** The parts of a key, in the order of their bytes. */
  readonly PARTS: readonly AnyPart[];
  /** The prefix byte, if there is one, and the parts, with their offsets. */
  readonly FIELDS: readonly KeyField[];
  /** Returns true if bytes are a key of this class: its size, its prefix, and parts that can be read. */
  matches(bytes: Uint8Array): boolean;
  /**
   * Returns the key of a copy of these bytes.
   * @throws MerostoreError `INVALID_KEY` if the size, the prefix byte or a part is wrong.
   */
  fromBytes(bytes: Uint8Array): AnyKey;
  /** {@link fromBytes} without the copy: the bytes must not change as long as the key is used. */
  view(bytes: Uint8Array): AnyKey;
  /** The keys that share these leading parts; all keys of the class for `{}`. */
  range(leading: Readonly<Record<string, unknown>>): KeyRange<AnyKeyClass>;
  /** For types only: the type of a key of the class. */
  readonly prototype: AnyKey;
}

/** A key class as `keyParts` makes it: the static side of `class GroupMember extends keyParts(…) {}`. */
export interface KeyClass<
  K extends string,
  C extends string,
  X extends number | undefined,
  P extends readonly AnyPart[],
> extends AnyKeyClass {
  /** @throws MerostoreError `INVALID_KEY` for a part that is missing, surplus, or of the wrong type or length. */
  new (parts: Given<P>): Key<K, X, P>;
  /** Name of the key class, as `GroupMember`. */
  readonly KIND: K;
  /** Name of the column family that has its keys. */
  readonly COLUMN: C;
  /** First byte of every key of this class; undefined where the column family holds one kind only. */
  readonly PREFIX: X;
  /** The parts of a key, in the order of their bytes. */
  readonly PARTS: P;
  /** For types only: the type of a key of the class. */
  readonly prototype: Key<K, X, P>;
  /**
   * Returns the key of a copy of these bytes.
   * @throws MerostoreError `INVALID_KEY` if the size, the prefix byte or a part is wrong.
   */
  fromBytes<T>(this: new (parts: Given<P>) => T, bytes: Uint8Array): T;
  /** {@link fromBytes} without the copy: the bytes must not change as long as the key is used. */
  view<T>(this: new (parts: Given<P>) => T, bytes: Uint8Array): T;
  /** The keys that share these leading parts; all keys of the class for `{}`. */
  range<T extends AnyKeyClass>(this: T, leading: Leading<P>): KeyRange<T>;
}

/** The keys of a class. */
export type KeyOf<T extends AnyKeyClass> = T["prototype"];

/** The keys of class `key` in `[from, to)` of its column family. An absent bound is open. */
export interface KeyRange<C extends AnyKeyClass> {
  /** The key class. */
  readonly key: C;
  /** Name of the column family. */
  readonly column: string;
  /** The inclusive lower bound: a key or a prefix of one. */
  readonly gte: Uint8Array | undefined;
  /** The exclusive upper bound. */
  readonly lt: Uint8Array | undefined;
}
