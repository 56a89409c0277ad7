/** Hashes, signatures and decryption: `node:crypto` in Node, the packages `@noble/…` elsewhere. */
export { type AesGcmInput, aesGcmKey, decryptAesGcm, decryptAllAesGcm } from "./aes-gcm.js";
export { derivePublicKey, isPublicKey, sign, type VerifyOptions, verify } from "./ed25519.js";
export { type HkdfInput, hkdfSha256, hmacSha256 } from "./hmac.js";
export type { AesGcmKey, SealedValue } from "./sealed-value.js";
export { type Sha256, sha256, sha256All, startSha256 } from "./sha256.js";
export { isSmallOrder } from "./small-order.js";
export { deriveX25519PublicKey, sharedPoint, x25519 } from "./x25519.js";
