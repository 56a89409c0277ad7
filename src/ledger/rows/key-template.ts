/**
 * Keys of Ledger rows: ASCII text and raw ids, one after another. Ids may hold any byte, `/` included, so that a key is
 * taken apart by sizes, never by separators.
 */
import { toHex } from "../../bytes/hex.js";
import type { Json } from "../../codec/index.js";
import { MerostoreError } from "../../errors.js";

/** A part of a key with a name. */
export interface KeyPart<N extends string = string, T = unknown> {
  readonly name: N;
  /** Bytes; undefined for the one part of a key that takes what the others leave. */
  readonly size: number | undefined;
  encode(value: T): Uint8Array;
  /** The value, or undefined for bytes that are none. */
  decode(bytes: Uint8Array): T | undefined;
  toJson(value: T): Json;
}

/** A key's declaration: literal ASCII text and parts. */
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

/** Bytes of a part; `size` undefined: all that other parts leave. */
export function bytesPart<const N extends string>(name: N, size?: number): KeyPart<N, Uint8Array> {
  return { name, size, encode: (value) => value, decode: (bytes) => bytes, toJson: toHex };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** UTF-8 text that takes what the other parts leave. */
export function textPart<const N extends string>(name: N): KeyPart<N, string> {
  return {
    name,
    size: undefined,
    encode: (value) => encoder.encode(value),
    decode: (bytes) => {
      try {
        return decoder.decode(bytes);
      } catch {
        return undefined;
      }
    },
    toJson: (value) => value,
  };
}

type Segment = { readonly literal: Uint8Array } | { readonly part: KeyPart<string, unknown> };

/** How the keys of one kind of row are laid out. */
export class KeyTemplate<const S extends KeySegments> {
  readonly #segments: readonly Segment[];
  readonly #kind: string;
  /** Bytes of everything but the part without a size. */
  readonly #fixed: number;
  readonly #variable: boolean;

  constructor(kind: string, segments: S) {
    this.#kind = kind;
    this.#segments = segments.map((segment) =>
      typeof segment === "string" ? { literal: encoder.encode(segment) } : { part: segment },
    );
    this.#fixed = this.#segments.reduce((sum, piece) => sum + (segmentSize(piece) ?? 0), 0);
    this.#variable = this.#segments.some((piece) => segmentSize(piece) === undefined);
  }

  /** Parts and texts as a reader of the document wants them: `heads/{commit}`. */
  get text(): string {
    return this.#segments
      .map((piece) => ("part" in piece ? `{${piece.part.name}}` : String.fromCharCode(...piece.literal)))
      .join("");
  }

  /** The key with these parts. */
  encode(values: KeyValues<S>): Uint8Array {
    return this.#join(values as Readonly<Record<string, unknown>>, this.#segments.length);
  }

  /** What all keys begin with that have these leading parts: up to the first part that is not given. */
  prefix(values: Partial<KeyValues<S>>): Uint8Array {
    const given = values as Readonly<Record<string, unknown>>;
    const end = this.#segments.findIndex((piece) => "part" in piece && given[piece.part.name] === undefined);
    return this.#join(given, end < 0 ? this.#segments.length : end);
  }

  /** The parts of a key, or undefined if it is none of this kind. Byte parts are views. */
  parse(key: Uint8Array): KeyValues<S> | undefined {
    const rest = key.length - this.#fixed;
    if (this.#variable ? rest < 0 : rest !== 0) return undefined;
    const values: Record<string, unknown> = {};
    let at = 0;
    for (const piece of this.#segments) {
      const size = segmentSize(piece) ?? rest;
      if ("part" in piece) {
        const value = piece.part.decode(key.subarray(at, at + size));
        if (value === undefined) return undefined;
        values[piece.part.name] = value;
      } else if (!piece.literal.every((byte, index) => byte === key[at + index])) return undefined;
      at += size;
    }
    return values as KeyValues<S>;
  }

  /** The parts in their JSON form: bytes as hex. */
  toJson(values: KeyValues<S>): { readonly [part: string]: Json } {
    const given = values as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      this.#segments.flatMap((piece) =>
        "part" in piece ? [[piece.part.name, piece.part.toJson(given[piece.part.name])]] : [],
      ),
    );
  }

  #join(values: Readonly<Record<string, unknown>>, end: number): Uint8Array {
    const parts = this.#segments
      .slice(0, end)
      .map((piece) =>
        "part" in piece ? this.#encodePart(piece.part, values[piece.part.name]) : piece.literal,
      );
    const key = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
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

function segmentSize(piece: Segment): number | undefined {
  return "part" in piece ? piece.part.size : piece.literal.length;
}
