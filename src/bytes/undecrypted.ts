import { copyBytes } from "./bytes.js";

/** A property that all copies of the class share: a bundled program and a package that it loads have one copy each. */
const MARK = Symbol.for("merostore.undecrypted");

/**
 * A stored value that the master key does not decrypt: it is encrypted with another key, or damaged. No codec decodes
 * it, so that a ciphertext is never taken for a value.
 */
export class UndecryptedBytes extends Uint8Array {
  static {
    Object.defineProperty(this.prototype, MARK, { value: true });
  }

  /** Returns a view of the bytes. */
  static view(bytes: Uint8Array): UndecryptedBytes {
    return new UndecryptedBytes(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length);
  }
}

/** Returns true for {@link UndecryptedBytes}, of another copy of the class too. */
export function isUndecrypted(value: Uint8Array): boolean {
  return MARK in value;
}

/** Copies a value that an engine returned. The copy of an undecrypted one is undecrypted too. */
export function copyValue(value: Uint8Array): Uint8Array {
  const copy = copyBytes(value);
  return value instanceof UndecryptedBytes ? UndecryptedBytes.view(copy) : copy;
}
