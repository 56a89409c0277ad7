import {
  Codec,
  describe,
  type Json,
  type JsonOptions,
  type Reader,
  ReadFailure,
  type Size,
  WriteFailure,
  type Writer,
} from "../../codec/index.js";
import { countParts, readNested, writeNested } from "./nesting.js";

/** A list of a type of the application, which may be recursive or take no bytes. */
export class ListCodec extends Codec<readonly unknown[]> {
  readonly signature: string;
  readonly size: Size = { min: 4, max: undefined };
  readonly #item: () => Codec<unknown>;

  constructor(item: string, codec: () => Codec<unknown>) {
    super();
    this.signature = `[${item}]`;
    this.#item = codec;
  }

  read(reader: Reader): readonly unknown[] {
    return readNested(reader, () => {
      const count = reader.u32();
      const codec = this.#item();
      const values: unknown[] = [];
      while (values.length < count) {
        try {
          countParts(reader);
          values.push(codec.read(reader));
        } catch (error) {
          if (error instanceof ReadFailure) error.steps.unshift(`[${values.length}]`);
          throw error;
        }
      }
      return values;
    });
  }

  write(writer: Writer, values: readonly unknown[]): void {
    if (!Array.isArray(values)) throw new WriteFailure("a list", describe(values));
    writer.u32(values.length);
    const codec = this.#item();
    writeNested(() => {
      for (const value of values) codec.write(writer, value);
    });
  }

  show(values: readonly unknown[], options?: JsonOptions): Json {
    return values.map((value) => this.#item().show(value, options));
  }

  parse(json: Json): readonly unknown[] {
    if (!Array.isArray(json)) throw new WriteFailure("a list", describe(json));
    return json.map((value: Json) => this.#item().parse(value));
  }
}
