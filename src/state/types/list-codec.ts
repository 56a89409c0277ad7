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

/** The most items without bytes: their number is not bounded by the bytes that hold them. */
export const MOST_EMPTY_ITEMS = 65_536;

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
    const count = reader.u32();
    const codec = this.#item();
    const values: unknown[] = [];
    const start = reader.at;
    while (values.length < count) {
      try {
        values.push(codec.read(reader));
      } catch (error) {
        if (error instanceof ReadFailure) error.steps.unshift(`[${values.length}]`);
        throw error;
      }
      if (reader.at === start && values.length > MOST_EMPTY_ITEMS)
        throw reader.fail(`at most ${MOST_EMPTY_ITEMS} items without bytes`, `${count}`, start);
    }
    return values;
  }

  write(writer: Writer, values: readonly unknown[]): void {
    if (!Array.isArray(values)) throw new WriteFailure("a list", describe(values));
    writer.u32(values.length);
    const codec = this.#item();
    for (const value of values) codec.write(writer, value);
  }

  show(values: readonly unknown[], options?: JsonOptions): Json {
    return values.map((value) => this.#item().show(value, options));
  }

  parse(json: Json): readonly unknown[] {
    if (!Array.isArray(json)) throw new WriteFailure("a list", describe(json));
    return json.map((value: Json) => this.#item().parse(value));
  }
}
