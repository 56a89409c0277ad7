import { createPrivateKey, createPublicKey } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { decryptAesGcm, deriveX25519PublicKey, hkdfSha256, x25519 } from "../../src/crypto/index.js";

it("derives the public key of RFC 7748, section 6.1", () => {
  const secret = fromHex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
  expect(toHex(deriveX25519PublicKey(secret))).toBe(
    "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
  );
});

it("derives the same keys as OpenSSL", () => {
  const head = fromHex("302e020100300506032b656e04220420");
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (secret) => {
      const key = createPrivateKey({ key: Buffer.concat([head, secret]), format: "der", type: "pkcs8" });
      const spki = createPublicKey(key).export({ format: "der", type: "spki" });
      expect(toHex(deriveX25519PublicKey(secret))).toBe(spki.subarray(12).toString("hex"));
    }),
    { numRuns: 40 },
  );
});

it("refuses a secret of another length", () => {
  expect(() => deriveX25519PublicKey(new Uint8Array(31))).toThrow("32 bytes");
});

it("opens what was sealed for a device, as upstream's known answers state it", async () => {
  const secret = x25519(new Uint8Array(32).fill(0x44), deriveX25519PublicKey(new Uint8Array(32).fill(0x55)));
  const info = new TextEncoder().encode("calimero.sharedkey.x25519.aead.v1");
  const key = hkdfSha256({ key: secret as Uint8Array, info, length: 32 });
  const ciphertext = fromHex("7169d8d73d6da755cf8f207ff0717dfe3caca345914cfb97b04d8a77e45f35ab3682fce6");
  const plain = await decryptAesGcm({ key, nonce: new Uint8Array(12).fill(3), ciphertext });
  expect(new TextDecoder().decode(plain)).toBe("known-answer payload");
});
