import { createCipheriv } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import { type AesGcmInput, decryptWithWeb } from "../../src/crypto/aes-gcm.js";
import { decryptAesGcm } from "../../src/crypto/index.js";

const zeros = (size: number) => new Uint8Array(size);

/** Encrypted by OpenSSL. */
function encrypted(plaintext: Uint8Array, associatedData: Uint8Array): AesGcmInput {
  const key = new Uint8Array(32).map((_, at) => at);
  const nonce = new Uint8Array(12).fill(9);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(associatedData);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  return { key, nonce, ciphertext, associatedData };
}

describe.each([
  ["with what there is", decryptAesGcm],
  ["with the web's cryptography", decryptWithWeb],
] as const)("AES-256-GCM %s", (_, decrypt) => {
  it("decrypts test cases 13 and 14 of the specification", async () => {
    const [key, nonce] = [zeros(32), zeros(12)];
    const tag = fromHex("530f8afbc74536b9a963b4f1c4cb738b");
    expect(await decrypt({ key, nonce, ciphertext: tag })).toEqual(zeros(0));
    const ciphertext = fromHex("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919");
    expect(await decrypt({ key, nonce, ciphertext })).toEqual(zeros(16));
  });

  it("decrypts ciphertexts of OpenSSL of any length, with associated data", async () => {
    for (const size of [0, 1, 15, 16, 17, 1000]) {
      const plaintext = new Uint8Array(size).fill(size);
      expect(await decrypt(encrypted(plaintext, zeros(0)))).toEqual(plaintext);
      expect(await decrypt(encrypted(plaintext, Uint8Array.of(1, 2, 3)))).toEqual(plaintext);
    }
  });

  it("returns undefined for another key, nonce, byte, tag or associated data", async () => {
    const input = encrypted(new Uint8Array(20).fill(5), Uint8Array.of(1));
    const turned = (bytes: Uint8Array, at: number) =>
      bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
    const wrong: readonly AesGcmInput[] = [
      { ...input, key: turned(input.key, 31) },
      { ...input, nonce: turned(input.nonce, 0) },
      { ...input, ciphertext: turned(input.ciphertext, 0) },
      { ...input, ciphertext: turned(input.ciphertext, input.ciphertext.length - 1) },
      { ...input, ciphertext: input.ciphertext.subarray(1) },
      { ...input, associatedData: zeros(0) },
    ];
    for (const one of wrong) expect(await decrypt(one)).toBeUndefined();
  });
});

it("refuses keys and nonces of another length, and returns undefined for too few bytes", async () => {
  const input = encrypted(zeros(1), zeros(0));
  await expect(decryptAesGcm({ ...input, key: zeros(16) })).rejects.toThrow(
    "a key of 32 bytes and a nonce of 12",
  );
  await expect(decryptAesGcm({ ...input, nonce: zeros(8) })).rejects.toThrow(
    "a key of 32 bytes and a nonce of 12",
  );
  expect(await decryptAesGcm({ ...input, ciphertext: zeros(15) })).toBeUndefined();
});
