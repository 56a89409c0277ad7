/**
 * A stored value that the master key does not decrypt: it is encrypted with another key, or damaged. No codec decodes it, so
 * that a ciphertext is never taken for a value.
 */
export class UndecryptedBytes extends Uint8Array {
  /** Returns a view of the bytes. */
  static view(bytes: Uint8Array): UndecryptedBytes {
    return new UndecryptedBytes(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length);
  }
}
