import { u64 } from "../codec/index.js";
import { sha256 } from "../crypto/index.js";
import { utf8 } from "./utf8.js";

/**
 * SHA-256 over a domain and parts, each after its length as u64: `D(domain, p1, …) = SHA-256(len ‖ domain ‖ len ‖ p1 ‖ …)`. 32
 * bytes.
 */
export function domainDigest(domain: string, ...parts: readonly Uint8Array[]): Uint8Array {
  return sha256(...[utf8(domain), ...parts].flatMap((part) => [u64.encode(BigInt(part.length)), part]));
}
