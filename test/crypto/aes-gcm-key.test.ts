import { createCipheriv, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { compareBytes } from "../../src/bytes/order.js";
import { aesGcmKey, decryptAllAesGcm, type SealedValue } from "../../src/crypto/index.js";

const SIZES = [0, 1, 15, 16, 17, 100, 255, 256, 2047, 2048, 2049, 5000];

/** Encrypted by OpenSSL. */
function sealed(key: Uint8Array, plaintext: Uint8Array, associatedData: Uint8Array): SealedValue {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(associatedData);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  return { nonce, ciphertext, associatedData };
}

describe.each([
  ["in Node", false],
  ["with Web Crypto", true],
] as const)("a key of AES-256-GCM %s", (_, web) => {
  it("decrypts what OpenSSL encrypts, in batches of any sizes", async () => {
    for (let round = 0; round < 5; round++) {
      const bytes = randomBytes(32);
      const plain = [...SIZES, ...SIZES].map((size) => Uint8Array.from(randomBytes(size)));
      const values = plain.map((one, at) => sealed(bytes, one, randomBytes(at % 40)));
      const key = aesGcmKey(bytes, web);
      expect(await key.decrypt(values)).toEqual(plain);
      const many = Array.from({ length: 1000 }, (_, at) => values[at % values.length] as SealedValue);
      for (const [at, one] of (await key.decrypt(round === 0 ? many : [])).entries())
        expect(compareBytes(one ?? bytes, plain[at % plain.length] as Uint8Array)).toBe(0);
    }
  });

  it("encrypts what the other one decrypts", async () => {
    const bytes = randomBytes(32);
    const nonce = randomBytes(12);
    const [key, other] = [aesGcmKey(bytes, web), aesGcmKey(bytes, !web)];
    for (const size of SIZES) {
      const plaintext = Uint8Array.from(randomBytes(size));
      const associatedData = randomBytes(13);
      const ciphertext = await key.encrypt(nonce, plaintext, associatedData);
      expect(ciphertext).toEqual(await other.encrypt(nonce, plaintext, associatedData));
      expect(await other.decrypt([{ nonce, ciphertext, associatedData }])).toEqual([plaintext]);
    }
  });

  it("returns undefined for any bit that differs, and goes on with the others", async () => {
    const bytes = randomBytes(32);
    const key = aesGcmKey(bytes, web);
    for (const size of [0, 5, 33]) {
      const right = sealed(bytes, randomBytes(size), randomBytes(13));
      const plain = (await key.decrypt([right]))[0];
      expect(plain?.length).toBe(size);
      for (const part of ["nonce", "ciphertext", "associatedData"] as const) {
        const wrong = Array.from({ length: 8 * right[part].length }, (_, bit) => {
          const changed = Uint8Array.from(right[part]);
          changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
          return { ...right, [part]: changed };
        });
        const found = await key.decrypt([...wrong, right]);
        expect(found.filter((one) => one !== undefined)).toEqual([plain]);
        expect(found.at(-1)).toEqual(plain);
      }
    }
    expect(await key.decrypt([{ ...sealed(bytes, bytes, bytes), ciphertext: new Uint8Array(15) }])).toEqual([
      undefined,
    ]);
  });
});

describe("many values under one key", () => {
  it.each([0, 1, 15, 16, 40])(
    "%i of them are decrypted in their order, but for changed ones",
    async (count) => {
      const key = randomBytes(32);
      const plain = Array.from({ length: count }, (_, at) => Uint8Array.from(randomBytes(at)));
      const values = plain.map((one) => sealed(key, one, new Uint8Array(0)));
      expect(await decryptAllAesGcm(key, values)).toEqual(plain);
      const changed = values.map(({ nonce, ciphertext }, at) => ({
        nonce,
        ciphertext: at % 3 === 0 ? ciphertext.map((byte) => byte ^ 1) : ciphertext,
      }));
      const expected = plain.map((one, at) => (at % 3 === 0 ? undefined : one));
      expect(await decryptAllAesGcm(key, changed)).toEqual(expected);
    },
  );
});
