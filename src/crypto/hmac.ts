/** HMAC and HKDF with SHA-256. */
import { hkdf as portableHkdf } from "@noble/hashes/hkdf";
import { hmac as portableHmac } from "@noble/hashes/hmac";
import { sha256 } from "@noble/hashes/sha2";
import { nodeCrypto } from "./node-crypto.js";

/** HMAC (RFC 2104) with SHA-256: 32 bytes. */
export const hmacSha256: (key: Uint8Array, message: Uint8Array) => Uint8Array =
  nodeCrypto === undefined ? (key, message) => portableHmac(sha256, key, message) : hmacWithNode(nodeCrypto);

function hmacWithNode({ createHmac }: NonNullable<typeof nodeCrypto>): typeof hmacSha256 {
  return (key, message) => new Uint8Array(createHmac("sha256", key).update(message).digest());
}

/** The input of HKDF: the key material, and optional salt and info, empty by default. */
export interface HkdfInput {
  /** The key material, of any length. */
  readonly key: Uint8Array;
  /** Empty unless given. */
  readonly salt?: Uint8Array;
  /** The purpose of the result; empty unless given. */
  readonly info?: Uint8Array;
  /** Bytes to derive, at most 8,160. */
  readonly length: number;
}

const EMPTY = new Uint8Array(0);

/** HKDF (RFC 5869) with SHA-256: extract, then expand to `length` bytes. */
export const hkdfSha256: (input: HkdfInput) => Uint8Array =
  nodeCrypto === undefined ? hkdfWithNoble : hkdfWithNode(nodeCrypto);

function hkdfWithNode({ hkdfSync }: NonNullable<typeof nodeCrypto>): typeof hkdfSha256 {
  return ({ key, salt = EMPTY, info = EMPTY, length }) =>
    new Uint8Array(hkdfSync("sha256", key, salt, info, length));
}

function hkdfWithNoble({ key, salt = EMPTY, info = EMPTY, length }: HkdfInput): Uint8Array {
  return portableHkdf(sha256, key, salt, info, length);
}
