import { Codec, type Shape, type Size } from "./codec.js";
import { describe, WriteFailure } from "./errors.js";
import type { Json } from "./json.js";
import type { JsonText } from "./json-text.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Up to this many ASCII bytes are decoded in a loop, which is faster than a call of `TextDecoder`. */
const SHORT = 24;

class Text extends Codec<string> {
  readonly signature = "str";
  readonly size: Size = { min: 4, max: undefined };

  override get shape(): Shape {
    return { is: "text" };
  }

  read(reader: Reader): string {
    const length = lengthOf(reader);
    const start = reader.at;
    const bytes = reader.bytes;
    if (length <= SHORT) {
      let text = "";
      let at = start;
      for (; at < start + length; at++) {
        const byte = bytes[at] as number;
        if (byte > 0x7f) break;
        text += String.fromCharCode(byte);
      }
      if (at === start + length) {
        reader.at = at;
        return text;
      }
    }
    try {
      return decoder.decode(reader.take(length));
    } catch {
      throw reader.fail("UTF-8", "other bytes", start);
    }
  }

  write(writer: Writer, value: string): void {
    writer.text(check(value));
  }

  show(value: string): Json {
    return value;
  }

  override transcribe(reader: Reader, text: JsonText): void {
    const start = reader.at;
    const length = lengthOf(reader);
    if (text.plain(reader.bytes, reader.at, reader.at + length)) {
      reader.at += length;
      return;
    }
    reader.at = start;
    super.transcribe(reader, text);
  }

  parse(json: Json): string {
    return check(json);
  }
}

function lengthOf(reader: Reader): number {
  const length = reader.u32();
  if (length > reader.left) throw reader.fail(`${length} bytes of text`, `${reader.left}`, reader.at);
  return length;
}

function check(value: unknown): string {
  if (typeof value !== "string") throw new WriteFailure("a string", describe(value));
  if (!value.isWellFormed()) throw new WriteFailure("a string that UTF-8 can hold", "a lone surrogate");
  return value;
}

/** u32 length in bytes, then UTF-8 (`String`, `Box<str>`). Invalid UTF-8 and lone surrogates are errors. */
export const str: Codec<string> = new Text();
