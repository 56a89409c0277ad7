/**
 * Decoded values of the application's data. Texts, booleans and numbers are themselves, whole numbers of 64 bits and more
 * are bigints, bytes are `Uint8Array`, options `null` or the value, lists and tuples arrays, records objects without a
 * prototype. The rest are the classes here.
 */
import { toHex } from "../../bytes/hex.js";
import type { CollectionType } from "./type.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A value of an enum. */
export class VariantValue {
  /** The variant's name. */
  readonly name: string;
  /** The payload; undefined if there is none. */
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
  /** The time of the last write: NTP64, seconds since 1970 in the high 32 bits. */
  readonly time: bigint;
  /** The id of the clock, never 0. */
  readonly clock: bigint;
  /** The writer, 32 bytes: a public key in core-0.10, a device since core-0.11; zeros after a migration. */
  readonly node: Uint8Array;

  constructor(value: unknown, time: bigint, clock: bigint, node: Uint8Array) {
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
  /** 32 bytes an id: of one entity, or two; 33 bytes with a flag. */
  readonly bytes: Uint8Array;

  constructor(type: CollectionType, bytes: Uint8Array) {
    this.type = type;
    this.bytes = bytes;
  }

  /** The id of the collection's entity, 32 bytes. That of what was added, for a signed counter. */
  get id(): Uint8Array {
    return this.bytes.subarray(0, 32);
  }

  /** The second id, 32 bytes: that of what a signed counter subtracted; undefined for other collections. */
  get negativeId(): Uint8Array | undefined {
    return this.type.kind === "counter" && this.type.signed ? this.bytes.subarray(32, 64) : undefined;
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

/** The text of bytes; undefined where they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
