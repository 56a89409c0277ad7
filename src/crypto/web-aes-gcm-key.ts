/** A key of AES-256-GCM in Web Crypto. */
import { copyBytes } from "../bytes/bytes.js";
import type { AesGcmKey, SealedValue } from "./sealed-value.js";

type WebKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;

export class WebAesGcmKey implements AesGcmKey {
  readonly #key: Promise<WebKey>;

  constructor(bytes: Uint8Array) {
    const copy = copyBytes(bytes) as Uint8Array<ArrayBuffer>;
    this.#key = globalThis.crypto.subtle
      .importKey("raw", copy, "AES-GCM", false, ["encrypt", "decrypt"])
      .finally(() => copy.fill(0));
    this.#key.catch(() => undefined); // the first use has the error
  }

  async encrypt(nonce: Uint8Array, plaintext: Uint8Array, associatedData: Uint8Array): Promise<Uint8Array> {
    const { subtle } = globalThis.crypto;
    return new Uint8Array(
      await subtle.encrypt(
        parameters(nonce, associatedData),
        await this.#key,
        copyBytes(plaintext) as Uint8Array<ArrayBuffer>,
      ),
    );
  }

  decrypt(values: readonly SealedValue[]): Promise<(Uint8Array | undefined)[]> {
    return Promise.all(values.map((value) => this.#decrypt(value)));
  }

  wipe(): void {
    // The browser keeps the key where the page cannot read or overwrite it.
  }

  async #decrypt({ nonce, ciphertext, associatedData }: SealedValue): Promise<Uint8Array | undefined> {
    const key = await this.#key;
    const copy = copyBytes(ciphertext) as Uint8Array<ArrayBuffer>;
    try {
      return new Uint8Array(
        await globalThis.crypto.subtle.decrypt(parameters(nonce, associatedData), key, copy),
      );
    } catch {
      return undefined; // the tag does not match
    }
  }
}

function parameters(
  nonce: Uint8Array,
  associatedData: Uint8Array,
): object & { name: string; iv: Uint8Array<ArrayBuffer>; additionalData: Uint8Array<ArrayBuffer> } {
  return {
    name: "AES-GCM",
    iv: copyBytes(nonce) as Uint8Array<ArrayBuffer>,
    additionalData: copyBytes(associatedData) as Uint8Array<ArrayBuffer>,
  };
}
