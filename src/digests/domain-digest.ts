/** Digests of parts under a domain, and the bytes of texts. */
import { u64 } from "../codec/index.js";
import { sha256 } from "../crypto/index.js";

const encoder = new TextEncoder();

/** The UTF-8 bytes of a text, without a length. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/**
 * SHA-256 over a domain and parts, each after its length as u64: `D(domain, p1, …) = SHA-256(len ‖ domain ‖ len ‖ p1 ‖
 * …)`. 32 bytes.
 */
export function domainDigest(domain: string, ...parts: readonly Uint8Array[]): Uint8Array {
  return sha256(...[utf8(domain), ...parts].flatMap((part) => [u64.encode(BigInt(part.length)), part]));
}
