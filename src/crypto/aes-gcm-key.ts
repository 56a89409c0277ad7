/**
 * A key of AES-256-GCM that many values are encrypted and decrypted with: `node:crypto` in Node, Web Crypto elsewhere. The
 * results are the same.
 */

import { NodeAesGcmKey } from "./node-aes-gcm-key.js";
import { nodeCrypto } from "./node-crypto.js";
import type { AesGcmKey } from "./sealed-value.js";
import { WebAesGcmKey } from "./web-aes-gcm-key.js";

/**
 * Returns the key of 32 bytes. The bytes may be overwritten afterwards.
 *
 * @param web use Web Crypto in Node too
 */
export function aesGcmKey(bytes: Uint8Array, web = false): AesGcmKey {
  return nodeCrypto === undefined || web ? new WebAesGcmKey(bytes) : new NodeAesGcmKey(nodeCrypto, bytes);
}
