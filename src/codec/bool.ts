import { Codec, type Shape, type Size } from "./codec.js";
import { describe, WriteFailure } from "./errors.js";
import type { Json } from "./json.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

class Bool extends Codec<boolean> {
  readonly signature = "bool";
  readonly size: Size = { min: 1, max: 1 };

  override get shape(): Shape {
    return { is: "bool" };
  }

  read(reader: Reader): boolean {
    const byte = reader.u8();
    if (byte > 1) throw reader.fail("00 or 01", `byte ${byte}`);
    return byte === 1;
  }

  write(writer: Writer, value: boolean): void {
    writer.u8(check(value) ? 1 : 0);
  }

  show(value: boolean): Json {
    return value;
  }

  parse(json: Json): boolean {
    return check(json);
  }
}

function check(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new WriteFailure("true or false", describe(value));
}

/** 1 byte, 00 or 01; any other byte is an error. */
export const bool: Codec<boolean> = new Bool();
