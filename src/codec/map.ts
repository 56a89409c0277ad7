import { isMap } from "../bytes/realm.js";
import { Codec, type Shape, type Size } from "./codec.js";
import { checkCodec, checkItems } from "./declarations.js";
import { describe, WriteFailure, within } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import { type KeyNames, keyNames } from "./map-keys.js";
import type { Reader } from "./reader.js";
import { orderOf } from "./value-order.js";
import type { Writer } from "./writer.js";

/** Paths and traces name entries by their index, because a key may be a secret. */
class MapCodec<V> extends Codec<ReadonlyMap<string, V>> {
  readonly signature: string;
  readonly size: Size = { min: 4, max: undefined };
  override readonly inner: readonly Codec<unknown>[];
  readonly #key: Codec<unknown>;
  readonly #value: Codec<V>;
  readonly #names: KeyNames;
  readonly #order: (a: unknown, b: unknown) => number;

  constructor(key: Codec<unknown>, value: Codec<V>) {
    super();
    checkCodec("the keys of a map", key);
    checkCodec("the values of a map", value);
    checkItems("a map", { min: key.size.min + value.size.min, max: undefined });
    this.#key = key;
    this.#value = value;
    this.#names = keyNames(key);
    this.#order = orderOf(key, "a map with keys");
    this.inner = [key, value];
    this.signature = `map<${key.signature}, ${value.signature}>`;
  }

  override get shape(): Shape {
    return { is: "map", key: this.#key, value: this.#value };
  }

  /** Keys may be unsorted or repeated. */
  override get strict(): boolean {
    return false;
  }

  read(reader: Reader): ReadonlyMap<string, V> {
    const count = this.#count(reader);
    reader.trace?.note("count", "u32", reader.at - 4, reader.at, count);
    const map = new Map<string, V>();
    for (let index = 0; index < count; index++) {
      try {
        // As in Rust, the last of several equal keys wins. Repeated and unsorted keys are not canonical.
        const key = this.#names.toName(reader.field(`[${index}].key`, this.#key));
        map.set(key, reader.field(`[${index}].value`, this.#value));
      } catch (error) {
        throw within(error, `[${index}]`);
      }
    }
    return map;
  }

  override pass(reader: Reader): void {
    const count = this.#count(reader);
    for (let index = 0; index < count; index++) {
      try {
        this.#key.pass(reader);
        this.#value.pass(reader);
      } catch (error) {
        throw within(error, `[${index}]`);
      }
    }
  }

  write(writer: Writer, map: ReadonlyMap<string, V>): void {
    if (!isMap(map)) throw new WriteFailure("a Map", describe(map));
    const entries = this.#sorted(map as ReadonlyMap<string, V>);
    // Several names may stand for one key: hex digits of either case.
    for (let index = 1; index < entries.length; index++)
      if (this.#order(entries[index - 1]?.[0], entries[index]?.[0]) === 0) throw oneTwice();
    writer.u32(entries.length);
    for (const [index, [key, value]] of entries.entries()) {
      try {
        this.#key.write(writer, key);
        this.#value.write(writer, value);
      } catch (error) {
        throw within(error, `[${index}]`);
      }
    }
  }

  show(map: ReadonlyMap<string, V>, options?: JsonOptions): Json {
    return Object.fromEntries(
      this.#sorted(map).map(([key, value]) => [
        this.#names.toName(key, options),
        this.#value.show(value, options),
      ]),
    );
  }

  parse(json: Json): ReadonlyMap<string, V> {
    if (typeof json !== "object" || json === null || Array.isArray(json)) {
      throw new WriteFailure("an object", describe(json));
    }
    const map = new Map<string, V>();
    const entries = Object.entries(json as { readonly [key: string]: Json });
    for (const [index, [text, value]] of entries.entries()) {
      try {
        const name = this.#names.toName(this.#names.fromName(text));
        if (map.has(name)) throw oneTwice();
        map.set(name, this.#value.parse(value));
      } catch (error) {
        throw within(error, `[${index}]`);
      }
    }
    return map;
  }

  /** Returns the decoded keys with their values, in the order that Rust writes. */
  #sorted(map: ReadonlyMap<string, V>): (readonly [unknown, V])[] {
    const entries = [...map].map(([key, value]) => [this.#names.fromName(key), value] as const);
    return entries.sort(([a], [b]) => this.#order(a, b));
  }

  /** Checks the count before anything is allocated, so that a false count costs nothing. */
  #count(reader: Reader): number {
    const count = reader.u32();
    const least = this.#key.size.min + this.#value.size.min;
    if (count * least > reader.left) {
      throw reader.fail(`${count} entries of at least ${least} bytes`, `${reader.left} bytes`, reader.at);
    }
    return count;
  }
}

function oneTwice(): WriteFailure {
  return new WriteFailure("distinct keys", "one of them twice");
}

/**
 * `BTreeMap<K, V>`, `HashMap<K, V>`: u32 count, then keys and values; encoding sorts them by key, as Rust does. It
 * decodes to a `Map` whose keys are texts as in the JSON form: texts as they are, ids as hex, integers as decimal
 * numbers, other keys as JSON. Of several equal keys in bytes the last one wins, as in Rust.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for entries without bytes, and for keys with `f32` or `f64`, which Rust
 *   does not sort
 * @example
 * map(u16, str).encode(new Map([["300", "c"], ["2", "b"]])); // 02000000 0200 01000000 62 2c01 01000000 63
 */
export function map<V>(key: Codec<unknown>, value: Codec<V>): Codec<ReadonlyMap<string, V>> {
  return new MapCodec(key, value);
}
