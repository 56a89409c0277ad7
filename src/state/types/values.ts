/**
 * Decoded values of the application's data. Texts, booleans and numbers are themselves, whole numbers of 64 bits and more
 * are bigints, bytes are `Uint8Array`, options `null` or the value, lists and tuples arrays, records objects without a
 * prototype. The rest are the classes here.
 */
import { toHex } from "../../bytes/hex.js";
import { handleAt } from "./handle-form.js";
import type { CollectionType } from "./type.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A value of an enum. */
export class VariantValue {
  /** The variant's name. */
  readonly name: string;
  /** The payload; undefined without a payload. */
  readonly payload: unknown;

  constructor(name: string, payload: unknown) {
    this.name = name;
    this.payload = payload;
  }
}

/** The value of a register, and its last write. */
export class RegisterValue {
  /** The value that the register holds. */
  readonly value: unknown;
  /**
   * The time of the last write: NTP64, seconds since 1970 in the high 32 bits. Undefined if the time of the entity's
   * last change stands for it.
   */
  readonly time: bigint | undefined;
  /** The id of the clock, never 0; undefined if the register has no time. */
  readonly clock: bigint | undefined;
  /**
   * The writer, 32 bytes: a public key in core-0.10, a device in core-0.11; zeros after a migration. Undefined since
   * core-1.0.
   */
  readonly node: Uint8Array | undefined;

  constructor(
    value: unknown,
    time: bigint | undefined,
    clock: bigint | undefined,
    node: Uint8Array | undefined,
  ) {
    this.value = value;
    this.time = time;
    this.clock = clock;
    this.node = node;
  }
}

/** A map that is part of a value: its pairs as they are stored. */
export class PairsValue {
  /** Keys with values. */
  readonly pairs: readonly (readonly [key: unknown, value: unknown])[];

  constructor(pairs: readonly (readonly [unknown, unknown])[]) {
    this.pairs = pairs;
  }
}

/** A collection inside a value: its ids, which the value stores. */
export class Handle {
  /** The type of the collection. */
  readonly type: CollectionType;
  /** Its bytes: ids, in newer layouts with the kind of their collection, and a flag. */
  readonly bytes: Uint8Array;
  /** The id of the collection's entity, 32 bytes. For a signed counter, the id of the added amounts. */
  readonly id: Uint8Array;
  /** The second id, for the subtracted amounts of a signed counter; undefined for other collections. */
  readonly negative: Uint8Array | undefined;
  /** The kind of the collection; undefined if the handle does not contain it. */
  readonly tag: string | undefined;

  /** @param bytes a handle of the type */
  constructor(type: CollectionType, bytes: Uint8Array) {
    this.type = type;
    this.bytes = bytes;
    const entities = handleAt(type, bytes, 0)?.entities;
    this.id = entities?.[0]?.id ?? bytes.subarray(0, 32);
    this.negative = entities?.[1]?.bytes;
    this.tag = entities?.[0]?.tag;
  }
}

/** A key of a map as a name in JSON: text as it is, bytes and everything else in hexadecimal. */
export function keyName(key: unknown): string {
  if (typeof key === "string") return key;
  if (key instanceof Uint8Array) return toHex(key);
  if (key instanceof VariantValue && key.payload === undefined) return key.name;
  if (typeof key === "object" && key !== null)
    return JSON.stringify(key, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  return String(key);
}

/** The bytes of a key: of a text, its UTF-8. */
export function keyBytes(key: string | Uint8Array): Uint8Array {
  return typeof key === "string" ? encoder.encode(key) : key;
}

/** The text of bytes; undefined if they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
