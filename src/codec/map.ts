import { compareBytes } from "../bytes/order.js";
import { isMap } from "../bytes/realm.js";
import { Codec, type Shape, type Size } from "./codec.js";
import { checkCodec, checkItems, checkMapKey } from "./declarations.js";
import { describe, WriteFailure, within } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

/** Paths and traces name entries by their index: a key is a value, which may be secret. */
class MapCodec<V> extends Codec<ReadonlyMap<string, V>> {
  readonly signature: string;
  readonly size: Size = { min: 4, max: undefined };
  override readonly inner: readonly Codec<unknown>[];
  readonly #key: Codec<unknown>;
  readonly #value: Codec<V>;

  constructor(key: Codec<unknown>, value: Codec<V>) {
    super();
    checkCodec("the keys of a map", key);
    checkCodec("the values of a map", value);
    checkMapKey(key);
    checkItems("map", { min: key.size.min + value.size.min, max: undefined });
    this.#key = key;
    this.#value = value;
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
        const key = this.#key.show(reader.field(`[${index}].key`, this.#key)) as string;
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
    const entries = [...(map as ReadonlyMap<string, V>)].map(([text, value]) => {
      const key = this.#key.parse(text);
      return { key, order: sortKey(key), value };
    });
    entries.sort((a, b) => compareBytes(a.order, b.order));
    writer.u32(entries.length);
    for (const [index, { key, value }] of entries.entries()) {
      try {
        this.#key.write(writer, key);
        this.#value.write(writer, value);
      } catch (error) {
        throw within(error, `[${index}]`);
      }
    }
  }

  show(map: ReadonlyMap<string, V>, options?: JsonOptions): Json {
    const entries = [...map].map(([text, value]) => {
      const key = this.#key.parse(text);
      return { key, order: sortKey(key), value: this.#value.show(value, options) };
    });
    entries.sort((a, b) => compareBytes(a.order, b.order));
    return Object.fromEntries(
      entries.map(({ key, value }) => [this.#key.show(key, options) as string, value]),
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
        map.set(this.#key.show(this.#key.parse(text)) as string, this.#value.parse(value));
      } catch (error) {
        throw within(error, `[${index}]`);
      }
    }
    return map;
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

const encoder = new TextEncoder();

/** Rust sorts texts and ids alike by their bytes. */
function sortKey(key: unknown): Uint8Array {
  return typeof key === "string" ? encoder.encode(key) : (key as Uint8Array);
}

/**
 * `BTreeMap<K, V>`: u32 count, then keys and values, sorted by key when written. Decoded it is a `Map` whose keys are
 * texts: hex for ids, as in the JSON form. `key` is a codec of ids or of texts.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for other keys, and for entries without bytes
 */
export function map<V>(
  key: Codec<Uint8Array> | Codec<string>,
  value: Codec<V>,
): Codec<ReadonlyMap<string, V>> {
  return new MapCodec(key as Codec<unknown>, value);
}
