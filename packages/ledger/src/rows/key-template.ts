/**
 * Templates of keys: literal ASCII text and parts, such as ids, one after another. Ids may have any bytes, `/`
 * included, so keys are parsed by the sizes of the parts, not by separators.
 */

import type { Json } from "merostore/codec";
import { allocate, MerostoreError, toHex } from "merostore/internal";

/** A named part of a key. */
export interface KeyPart<N extends string = string, T = unknown> {
  readonly name: N;
  /** The size in bytes; undefined for the one part of a key that has the rest of it. */
  readonly size: number | undefined;
  encode(value: T): Uint8Array;
  /** Decodes the value; undefined for invalid bytes. */
  decode(bytes: Uint8Array): T | undefined;
  toJson(value: T): Json;
}

/** The declaration of a key: literal ASCII text and parts. */
export type KeySegments = readonly (string | KeyPart<string, unknown>)[];

/** The values of the parts of a key, by name. */
export type KeyValues<S extends KeySegments> = {
  readonly [P in Extract<S[number], KeyPart<string, unknown>> as P["name"]]: P extends KeyPart<
    string,
    infer T
  >
    ? T
    : never;
};

/** Declares a part of `size` bytes; without a size it has the rest of the key. */
export function bytesPart<const N extends string>(name: N, size?: number): KeyPart<N, Uint8Array> {
  return { name, size, encode: (value) => value, decode: (bytes) => bytes, toJson: toHex };
}

const encoder = new TextEncoder();
type Segment = { readonly literal: Uint8Array } | { readonly part: KeyPart<string, unknown> };

/** Encodes and parses the keys of one kind of row. */
export class KeyTemplate<const S extends KeySegments> {
  readonly #segments: readonly Segment[];
  readonly #kind: string;
  /** Bytes of all segments with a size. */
  readonly #fixed: number;
  readonly #variable: boolean;

  constructor(kind: string, segments: S) {
    this.#kind = kind;
    this.#segments = segments.map((segment) =>
      typeof segment === "string" ? { literal: encoder.encode(segment) } : { part: segment },
    );
    this.#fixed = this.#segments.reduce((sum, segment) => sum + (segmentSize(segment) ?? 0), 0);
    this.#variable = this.#segments.some((segment) => segmentSize(segment) === undefined);
  }

  /** The template as text: `heads/{commit}`. */
  get text(): string {
    return this.#segments
      .map((segment) =>
        "part" in segment ? `{${segment.part.name}}` : String.fromCharCode(...segment.literal),
      )
      .join("");
  }

  /** Encodes a key. */
  encode(values: KeyValues<S>): Uint8Array {
    return this.#join(values as Readonly<Record<string, unknown>>, this.#segments.length);
  }

  /**
   * Returns an encoder of keys that differ in one part of bytes only: everything else is encoded once.
   * @param values the values of all parts, with any one of the part that differs
   */
  varying(name: keyof KeyValues<S>, values: KeyValues<S>): (bytes: Uint8Array) => Uint8Array {
    const before = this.#segments.findIndex((segment) => "part" in segment && segment.part.name === name);
    const { part } = this.#segments[before] as { readonly part: KeyPart };
    const at = this.#segments.slice(0, before).reduce((sum, segment) => sum + (segmentSize(segment) ?? 0), 0);
    const template = this.encode(values);
    return (bytes) => {
      const key = allocate(template.length);
      key.set(template);
      key.set(this.#encodePart(part, bytes), at);
      return key;
    };
  }

  /** Encodes the prefix of all keys with these leading parts: up to the first part that is not given. */
  prefix(values: Partial<KeyValues<S>>): Uint8Array {
    const given = values as Readonly<Record<string, unknown>>;
    const end = this.#segments.findIndex(
      (segment) => "part" in segment && given[segment.part.name] === undefined,
    );
    return this.#join(given, end < 0 ? this.#segments.length : end);
  }

  /** Parses a key; undefined if it is not of this kind. Parts of bytes are views. */
  parse(key: Uint8Array): KeyValues<S> | undefined {
    const rest = key.length - this.#fixed;
    if (this.#variable ? rest < 0 : rest !== 0) return undefined;
    const values: Record<string, unknown> = {};
    let at = 0;
    for (const segment of this.#segments) {
      const size = segmentSize(segment) ?? rest;
      if ("part" in segment) {
        const value = segment.part.decode(key.subarray(at, at + size));
        if (value === undefined) return undefined;
        values[segment.part.name] = value;
      } else if (!segment.literal.every((byte, index) => byte === key[at + index])) return undefined;
      at += size;
    }
    return values as KeyValues<S>;
  }

  /** Returns the parts in their JSON form: bytes as hex. */
  toJson(values: KeyValues<S>): { readonly [part: string]: Json } {
    const given = values as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      this.#segments.flatMap((segment) =>
        "part" in segment ? [[segment.part.name, segment.part.toJson(given[segment.part.name])]] : [],
      ),
    );
  }

  #join(values: Readonly<Record<string, unknown>>, end: number): Uint8Array {
    const parts: Uint8Array[] = [];
    let length = 0;
    for (let index = 0; index < end; index++) {
      const segment = this.#segments[index] as Segment;
      const bytes =
        "part" in segment ? this.#encodePart(segment.part, values[segment.part.name]) : segment.literal;
      parts.push(bytes);
      length += bytes.length;
    }
    const key = allocate(length);
    let at = 0;
    for (const part of parts) {
      key.set(part, at);
      at += part.length;
    }
    return key;
  }

  #encodePart(part: KeyPart<string, unknown>, value: unknown): Uint8Array {
    const bytes = part.encode(value);
    if (part.size === undefined || bytes.length === part.size) return bytes;
    throw new MerostoreError(
      "INVALID_KEY",
      `${this.#kind}.${part.name}: expected ${part.size} bytes, found ${bytes.length}`,
    );
  }
}

function segmentSize(segment: Segment): number | undefined {
  return "part" in segment ? segment.part.size : segment.literal.length;
}
