/** Byte strings of a fixed length, or after a u32 length. Decoded values are views; the JSON form is hex. */

import { toBase58 } from "../bytes/base58.js";
import { isBytes } from "../bytes/bytes.js";
import { fromHex, toHex } from "../bytes/hex.js";
import { parseId } from "../bytes/id.js";
import { invalidArgument } from "../errors.js";
import { Codec, type Shape, type Size } from "./codec.js";
import { describe, WriteFailure } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { JsonText } from "./json-text.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

class FixedBytes extends Codec<Uint8Array> {
  readonly signature: string;
  readonly size: Size;
  readonly #length: number;

  constructor(length: number) {
    super();
    this.signature = `b${length}`;
    this.size = { min: length, max: length };
    this.#length = length;
  }

  override get shape(): Shape {
    return { is: "bytes", length: this.#length };
  }

  read(reader: Reader): Uint8Array {
    return reader.take(this.#length);
  }

  write(writer: Writer, value: Uint8Array): void {
    if (!isBytes(value) || value.length !== this.#length) {
      throw new WriteFailure(`${this.#length} bytes`, describe(value));
    }
    writer.bytes(value);
  }

  show(value: Uint8Array, options?: JsonOptions): Json {
    return options?.base58 && this.#length === 32 ? toBase58(value) : toHex(value);
  }

  override transcribe(reader: Reader, text: JsonText): void {
    if (text.options.base58) super.transcribe(reader, text);
    else text.hex(reader.bytes, reader.pass(this.#length), reader.at);
  }

  parse(json: Json): Uint8Array {
    if (typeof json === "string") {
      try {
        if (this.#length === 32) return parseId(json);
        if (json.length === 2 * this.#length) return fromHex(json);
      } catch {
        // Reported below, with the expected length.
      }
    }
    throw new WriteFailure(
      `${this.#length} bytes as ${2 * this.#length} hex digits${this.#length === 32 ? " or base58" : ""}`,
      typeof json === "string" ? `a text of ${json.length} characters` : describe(json),
    );
  }
}

/** 32 bytes, read as an {@link Id}. `write` also takes plain bytes. */
class IdBytes extends FixedBytes {
  override read(reader: Reader): Uint8Array {
    return reader.id();
  }
}

class Bytes extends Codec<Uint8Array> {
  readonly signature = "bytes";
  readonly size: Size = { min: 4, max: undefined };

  override get shape(): Shape {
    return { is: "bytes", length: undefined };
  }

  read(reader: Reader): Uint8Array {
    return reader.take(lengthOf(reader));
  }

  write(writer: Writer, value: Uint8Array): void {
    if (!isBytes(value)) throw new WriteFailure("bytes", describe(value));
    writer.u32(value.length);
    writer.bytes(value);
  }

  show(value: Uint8Array): Json {
    return toHex(value);
  }

  override transcribe(reader: Reader, text: JsonText): void {
    const length = lengthOf(reader);
    text.hex(reader.bytes, reader.pass(length), reader.at);
  }

  parse(json: Json): Uint8Array {
    return parseHex(json);
  }
}

function lengthOf(reader: Reader): number {
  const length = reader.u32();
  if (length > reader.left) throw reader.fail(`${length} bytes`, `${reader.left}`, reader.at);
  return length;
}

/**
 * Parses bytes from the JSON form. Throws a {@link WriteFailure} for an invalid text, so that the error names the
 * field.
 */
export function parseHex(json: Json): Uint8Array {
  if (typeof json === "string") {
    try {
      return fromHex(json);
    } catch {
      // Reported below.
    }
  }
  throw new WriteFailure("bytes as hex digits", typeof json === "string" ? "other text" : describe(json));
}

/**
 * Exactly `length` bytes, no length prefix.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a length that is not a whole number from 0 to 2^32 - 1
 */
export function fixedBytes(length: number): Codec<Uint8Array> {
  if (!Number.isInteger(length) || length < 0 || length >= 2 ** 32)
    throw invalidArgument(`a length of bytes is a whole number from 0 to 2^32 - 1, and not ${length}`);
  return new FixedBytes(length);
}

/** 12 raw bytes: a nonce of AES-GCM. */
export const b12: Codec<Uint8Array> = fixedBytes(12);
/** 32 raw bytes: an id, a public key, a hash, a key. They are read as an `Id`. */
export const b32: Codec<Uint8Array> = new IdBytes(32);
/** 64 raw bytes: an Ed25519 signature. */
export const b64: Codec<Uint8Array> = fixedBytes(64);
/** u32 length, then that many bytes (`Vec<u8>`, `Box<[u8]>`). */
export const bytes: Codec<Uint8Array> = new Bytes();
