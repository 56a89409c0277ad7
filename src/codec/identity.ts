/** The codecs that are not Borsh: raw bytes, and the empty value. */
import { isBytes } from "../bytes/bytes.js";
import { toHex } from "../bytes/hex.js";
import { parseHex } from "./bytes.js";
import { Codec, type Shape, type Size } from "./codec.js";
import { describe, WriteFailure } from "./errors.js";
import type { Json } from "./json.js";
import type { JsonText } from "./json-text.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

class Identity extends Codec<Uint8Array> {
  readonly signature = "raw";
  readonly size: Size = { min: 0, max: undefined };

  override get shape(): Shape {
    return { is: "bytes", length: undefined };
  }

  read(reader: Reader): Uint8Array {
    return reader.take(reader.left);
  }

  write(writer: Writer, value: Uint8Array): void {
    if (!isBytes(value)) throw new WriteFailure("bytes", describe(value));
    writer.bytes(value);
  }

  show(value: Uint8Array): Json {
    return toHex(value);
  }

  override transcribe(reader: Reader, text: JsonText): void {
    text.hex(reader.bytes, reader.pass(reader.left), reader.at);
  }

  parse(json: Json): Uint8Array {
    return parseHex(json);
  }
}

class Unit extends Codec<null> {
  readonly signature = "()";
  readonly size: Size = { min: 0, max: 0 };

  override get shape(): Shape {
    return { is: "unit" };
  }

  read(): null {
    return null;
  }

  write(_writer: Writer, value: null): void {
    this.parse(value);
  }

  show(): Json {
    return null;
  }

  parse(json: Json): null {
    if (json === null) return null;
    throw new WriteFailure("null, the empty value", describe(json));
  }
}

/** Raw bytes without a length: the values of State, PrivateState and Generic. */
export const identity: Codec<Uint8Array> = new Identity();

/** The empty value, for rows whose presence is the information. Decodes to null. */
export const unit: Codec<null> = new Unit();
