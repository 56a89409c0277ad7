import { hkdf as portable } from "@noble/hashes/hkdf";
import { sha256 } from "@noble/hashes/sha2";
import { nodeCrypto } from "./node-crypto.js";

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
  nodeCrypto === undefined ? withNoble : withNode(nodeCrypto);

function withNode({ hkdfSync }: NonNullable<typeof nodeCrypto>): typeof hkdfSha256 {
  return ({ key, salt = EMPTY, info = EMPTY, length }) =>
    new Uint8Array(hkdfSync("sha256", key, salt, info, length));
}

function withNoble({ key, salt = EMPTY, info = EMPTY, length }: HkdfInput): Uint8Array {
  return portable(sha256, key, salt, info, length);
}
