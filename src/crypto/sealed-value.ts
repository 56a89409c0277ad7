/** The common interface of keys of AES-256-GCM, in Node and elsewhere. */

/** A ciphertext with its nonce and its associated data. */
export interface SealedValue {
  /** 12 bytes. */
  readonly nonce: Uint8Array;
  /** The encrypted bytes, and the tag of 16 bytes after them. */
  readonly ciphertext: Uint8Array;
  /** Authenticated but not encrypted. */
  readonly associatedData: Uint8Array;
}

/** A key of AES-256-GCM. */
export interface AesGcmKey {
  /** Returns the encrypted bytes, and the tag of 16 bytes after them. Never use a nonce twice. */
  encrypt(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associatedData: Uint8Array,
  ): Uint8Array | Promise<Uint8Array>;
  /** Returns the plaintexts in the order of the values; undefined where the tag does not match. */
  decrypt(values: readonly SealedValue[]): (Uint8Array | undefined)[] | Promise<(Uint8Array | undefined)[]>;
  /** Overwrites the secrets that can be overwritten. The key is not used afterwards. */
  wipe(): void;
}
