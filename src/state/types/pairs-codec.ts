import {
  Codec,
  describe,
  type Json,
  type JsonOptions,
  type Reader,
  type Size,
  WriteFailure,
  type Writer,
} from "../../codec/index.js";
import { once } from "../../node/tables/once.js";
import { at, countParts, readNested, writeNested } from "./nesting.js";
import { keyName, PairsValue } from "./values.js";

/** A map inside a value. In JSON an object. */
export class PairsCodec extends Codec<PairsValue> {
  readonly signature: string;
  readonly size: Size = { min: 4, max: undefined };
  readonly #key: Codec<unknown>;
  readonly #value: () => Codec<unknown>;

  constructor(key: Codec<unknown>, value: () => Codec<unknown>) {
    super();
    this.signature = `map<${key.signature}>`;
    this.#key = key;
    this.#value = once(value);
  }

  read(reader: Reader): PairsValue {
    return readNested(reader, () => {
      const count = reader.u32();
      // A key has a byte at least.
      if (count > reader.left) throw reader.fail(`${count} pairs`, `${reader.left} bytes`, reader.at);
      const pairs: (readonly [unknown, unknown])[] = [];
      for (let index = 0; index < count; index++) {
        const before = reader.at;
        countParts(reader, 2);
        at(`[${index}]`, () => pairs.push([this.#key.read(reader), this.#value().read(reader)]));
        if (reader.at === before) throw reader.fail("a pair with bytes", "none", before);
      }
      return new PairsValue(pairs);
    });
  }

  write(writer: Writer, value: PairsValue): void {
    if (!(value instanceof PairsValue)) throw new WriteFailure("pairs", describe(value));
    writer.u32(value.pairs.length);
    writeNested(() => {
      for (const [index, [key, one]] of value.pairs.entries())
        at(`[${index}]`, () => {
          this.#key.write(writer, key);
          this.#value().write(writer, one);
        });
    });
  }

  show(value: PairsValue, options?: JsonOptions): Json {
    const json: Record<string, Json> = Object.create(null);
    for (const [key, one] of value.pairs) json[keyName(key)] = this.#value().show(one, options);
    return json;
  }

  parse(json: Json): PairsValue {
    if (typeof json !== "object" || json === null || Array.isArray(json))
      throw new WriteFailure("an object", describe(json));
    // Names of numbers are texts in JSON.
    const numeric = /^[ui](8|16|32)$/.test(this.#key.signature);
    return new PairsValue(
      Object.entries(json).map(([name, one]) => [
        this.#key.parse(numeric ? Number(name) : name),
        at(name, () => this.#value().parse(one)),
      ]),
    );
  }
}
