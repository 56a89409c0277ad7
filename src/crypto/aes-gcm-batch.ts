/** Many values under one key of AES-256-GCM. */
import { aesGcmKey, decryptAesGcm } from "./aes-gcm.js";
import type { SealedValue } from "./sealed-value.js";

/** With at least this many values, the tables of a key cost less than a cipher for each value. */
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
  try {
    return await prepared.decrypt(
      values.map(({ nonce, ciphertext }) => ({ nonce, ciphertext, associatedData: EMPTY })),
    );
  } finally {
    prepared.wipe();
  }
}
