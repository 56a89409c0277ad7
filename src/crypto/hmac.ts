import { hmac as portable } from "@noble/hashes/hmac";
import { sha256 } from "@noble/hashes/sha2";
import { nodeCrypto } from "./node-crypto.js";

/** HMAC (RFC 2104) with SHA-256: 32 bytes. */
export const hmacSha256: (key: Uint8Array, message: Uint8Array) => Uint8Array =
  nodeCrypto === undefined ? (key, message) => portable(sha256, key, message) : withNode(nodeCrypto);

function withNode({ createHmac }: NonNullable<typeof nodeCrypto>): typeof hmacSha256 {
  return (key, message) => new Uint8Array(createHmac("sha256", key).update(message).digest());
}
