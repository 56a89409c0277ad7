/**
 * A key of AES-256-GCM that many values are encrypted and decrypted with: `node:crypto` in Node, Web Crypto elsewhere. The
 * results are the same.
 */
import { decryptAesGcm } from "./aes-gcm.js";
import { NodeAesGcmKey } from "./node-aes-gcm-key.js";
import { nodeCrypto } from "./node-crypto.js";
import type { AesGcmKey, SealedValue } from "./sealed-value.js";
import { WebAesGcmKey } from "./web-aes-gcm-key.js";

/**
 * Returns the key of 32 bytes. The bytes may be overwritten afterwards.
 *
 * @param web use Web Crypto in Node too
 */
export function aesGcmKey(bytes: Uint8Array, web = false): AesGcmKey {
  return nodeCrypto === undefined || web ? new WebAesGcmKey(bytes) : new NodeAesGcmKey(nodeCrypto, bytes);
}

/** From so many values on, the tables of a key cost less than a cipher for each value. */
const MANY = 16;
const EMPTY = new Uint8Array(0);

/**
 * @internal Decrypts values under one key, 32 bytes, in their order; undefined where the tag does not match. In Node, a
 * batch takes a fifth of the time of {@link decryptAesGcm} for each.
 */
export async function decryptAllAesGcm(
  key: Uint8Array,
  values: readonly Pick<SealedValue, "nonce" | "ciphertext">[],
): Promise<readonly (Uint8Array | undefined)[]> {
  if (values.length < MANY)
    return Promise.all(values.map(({ nonce, ciphertext }) => decryptAesGcm({ key, nonce, ciphertext })));
  const prepared = aesGcmKey(key);
  const plain = await prepared.decrypt(
    values.map(({ nonce, ciphertext }) => ({ nonce, ciphertext, associatedData: EMPTY })),
  );
  prepared.wipe();
  return plain;
}
