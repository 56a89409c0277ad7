/**
 * Ed25519 (RFC 8032). Keys are seeds of 32 bytes, public keys compressed points of 32 bytes, signatures R ‖ s of 64.
 * Nodes verify with ed25519-dalek 2.2.0: core-0.10 calls its `verify`, core-0.11 its `verify_strict`.
 */
import { isBytes } from "../bytes/bytes.js";
import { invalidArgument } from "../errors.js";
import { checkOptions, isFlag, type OptionChecks } from "../options.js";
import { ed25519WithNode } from "./ed25519-node.js";
import { decompress, type Ed25519, ed25519Portable } from "./ed25519-portable.js";
import { nodeCrypto } from "./node-crypto.js";
import { isSmallOrder } from "./small-order.js";

/** Options of verifying a signature. */
export interface VerifyOptions {
  /** `true` verifies as core-0.11, `false` as core-0.10. */
  readonly strict: boolean;
}

const verifyOptions: OptionChecks<VerifyOptions> = { strict: isFlag };

const implementation: Ed25519 = nodeCrypto === undefined ? ed25519Portable : ed25519WithNode(nodeCrypto);

/**
 * Returns the public key of a seed, 32 bytes. @throws MerostoreError `INVALID_ARGUMENT` for a seed of another length.
 */
export function derivePublicKey(seed: Uint8Array): Uint8Array {
  checkLength("a seed", seed, 32);
  return implementation.derivePublicKey(seed);
}

/**
 * Returns the signature of a message, 64 bytes. @throws MerostoreError `INVALID_ARGUMENT` for a seed of another length.
 */
export function sign(seed: Uint8Array, message: Uint8Array): Uint8Array {
  checkLength("a seed", seed, 32);
  return implementation.sign(seed, message);
}

/** Returns whether bytes can be a public key: 32 bytes that encode a point of the curve, canonically or not. */
export function isPublicKey(bytes: Uint8Array): boolean {
  return bytes.length === 32 && decompress(bytes) !== undefined;
}

/**
 * Returns whether a signature is valid: false if the public key does not encode a point of the curve.
 *
 * Permissive: s must be below the group's order, and R the canonical encoding of `[s]B − [k]A`, compared byte by byte
 * (no cofactor). A may be of small order and need not be canonically encoded: y is taken modulo p, the sign of an x
 * that is 0 is ignored. OpenSSL verifies exactly this way, points of small order excepted.
 *
 * Strict: in addition, neither A nor R may be of small order, in any encoding. Other non-canonical encodings need no
 * rule: as R they differ from the canonical encoding, and as A they are points whose secret nobody knows.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a public key or signature of another length.
 */
export function verify(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  options: VerifyOptions,
): boolean {
  checkOptions("verify", options, verifyOptions);
  const strict: boolean | undefined = options?.strict;
  if (strict === undefined) throw invalidArgument("verify needs { strict: true } or { strict: false }");
  checkLength("a public key", publicKey, 32);
  checkLength("a signature", signature, 64);
  if (strict && (isSmallOrder(publicKey) || isSmallOrder(signature.subarray(0, 32)))) return false;
  return implementation.verify(publicKey, message, signature);
}

function checkLength(what: string, bytes: Uint8Array, length: number): void {
  if (isBytes(bytes) && bytes.length === length) return;
  throw invalidArgument(`${what} must have ${length} bytes${isBytes(bytes) ? `, got ${bytes.length}` : ""}`);
}
