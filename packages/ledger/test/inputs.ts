/** Contents, digests and entries that the tests of ledgers share. */
import { createHash } from "node:crypto";
import { toHex } from "merostore/internal";
import { digestOf, type ObjectDigest, type ObjectIdentifier } from "../src/objects.js";
import type { Priority, TreeEntry } from "../src/tables/tree-node.js";
import type { EntryChange } from "../src/tree/apply.js";

const encoder = new TextEncoder();

/** The key index of all vectors. */
export const KEY_INDEX = 1;

export function text(content: string): Uint8Array {
  return encoder.encode(content);
}

/** Bytes that compress badly, as many as are asked for: byte i is SHA-256(u32 LE ⌊i / 32⌋)[i mod 32]. */
export function mixedBytes(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  const counter = new Uint8Array(4);
  for (let at = 0; at < size; at += 32) {
    new DataView(counter.buffer).setUint32(0, at / 32, true);
    bytes.set(
      createHash("sha256")
        .update(counter)
        .digest()
        .subarray(0, size - at),
      at,
    );
  }
  return bytes;
}

/** Bytes that do not repeat, from a seed. */
export function noise(size: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: size }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state >>> 24;
  });
}

/** SHA-256 of the length and the content, by other means than the code under test. */
export function expectedHash(content: Uint8Array): string {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(content.length));
  return createHash("sha256").update(length).update(content).digest("hex");
}

/** A digest that is a hash, all of the same byte. */
export function digest(byte: number, type = 0): ObjectDigest {
  const bytes = new Uint8Array(33).fill(byte);
  bytes[0] = type;
  return bytes;
}

/** The identifier of a value that is one piece. */
export function identifierOf(content: string | Uint8Array): ObjectIdentifier {
  const bytes = typeof content === "string" ? text(content) : content;
  return { keyIndex: KEY_INDEX, digest: digestOf(bytes) };
}

export function entry(key: string, value: string | Uint8Array, priority: Priority = "eager"): TreeEntry {
  return { key: text(key), value: identifierOf(value), priority };
}

export function put(key: string, value: string | Uint8Array, priority: Priority = "eager"): EntryChange {
  return { key: text(key), entry: entry(key, value, priority) };
}

export function remove(key: string): EntryChange {
  return { key: text(key), entry: undefined };
}

/** The entries `key00000` → `value00000` and so on. */
export function numbered(count: number): EntryChange[] {
  return Array.from({ length: count }, (_, at) => {
    const number = String(at).padStart(5, "0");
    return put(`key${number}`, `value${number}`);
  });
}

/** The hex digits of the digest. */
export function named(identifier: ObjectIdentifier): string {
  return toHex(identifier.digest);
}
