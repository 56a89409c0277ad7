/** Ed25519 by OpenSSL. Keys are passed as DER: a fixed prefix before the 32 bytes. */
import { fromHex, toHex } from "../bytes/hex.js";
import { LruCache } from "../collections/lru-cache.js";
import { orUndefined } from "../errors.js";
import { type Ed25519, ed25519Portable, KEPT_KEYS } from "./ed25519-portable.js";
import type { nodeCrypto } from "./node-crypto.js";
import { isSmallOrder } from "./small-order.js";

/** SubjectPublicKeyInfo with OID 1.3.101.112, up to the key's bytes. */
const SPKI = fromHex("302a300506032b6570032100");
/** PrivateKeyInfo with the same OID, up to the seed; then with X25519's OID, 1.3.101.110. */
const PKCS8 = fromHex("302e020100300506032b657004220420");
const PKCS8_X25519 = fromHex("302e020100300506032b656e04220420");

type KeyObject = ReturnType<NonNullable<typeof nodeCrypto>["createPublicKey"]>;

/** The implementation over `node:crypto`. */
export function ed25519WithNode(crypto: NonNullable<typeof nodeCrypto>): Ed25519 {
  /** The keys that were used last: making one takes almost as long as verifying a signature. */
  const keys = new LruCache<KeyObject>(KEPT_KEYS);

  function keyOf(publicKey: Uint8Array): KeyObject | undefined {
    const name = toHex(publicKey);
    const kept = keys.get(name);
    if (kept !== undefined) return kept;
    const spki = der(SPKI, publicKey);
    // Deno throws here if the key is not a point of the curve.
    const key = orUndefined(() => crypto.createPublicKey({ key: spki, format: "der", type: "spki" }));
    if (key !== undefined) keys.set(name, key);
    return key;
  }

  return {
    derivePublicKey(seed) {
      return publicKeyOf(crypto, PKCS8, seed);
    },
    sign(seed, message) {
      const key = crypto.createPrivateKey({ key: der(PKCS8, seed), format: "der", type: "pkcs8" });
      return new Uint8Array(crypto.sign(null, message, key));
    },
    verify(publicKey, message, signature) {
      // Releases of OpenSSL 3.5 refuse all points of small order, which older ones and nodes of core-0.10 accept.
      if (isSmallOrder(publicKey) || isSmallOrder(signature.subarray(0, 32)))
        return ed25519Portable.verify(publicKey, message, signature);
      const key = keyOf(publicKey);
      return key !== undefined && crypto.verify(null, message, key, signature);
    },
  };
}

/** The X25519 public key of a private key, 32 bytes each. */
export function x25519PublicKeyWithNode(
  crypto: NonNullable<typeof nodeCrypto>,
  secret: Uint8Array,
): Uint8Array {
  return publicKeyOf(crypto, PKCS8_X25519, secret);
}

function publicKeyOf(
  crypto: NonNullable<typeof nodeCrypto>,
  prefix: Uint8Array,
  secret: Uint8Array,
): Uint8Array {
  const key = crypto.createPrivateKey({ key: der(prefix, secret), format: "der", type: "pkcs8" });
  const spki = crypto.createPublicKey(key).export({ format: "der", type: "spki" });
  return new Uint8Array(spki.subarray(SPKI.length));
}

function der(prefix: Uint8Array, key: Uint8Array): Buffer {
  const bytes = Buffer.alloc(prefix.length + key.length); // of its own: the key may be secret
  bytes.set(prefix);
  bytes.set(key, prefix.length);
  return bytes;
}
