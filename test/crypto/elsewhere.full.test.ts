/** The functions are loaded once more without `node:crypto`, and must give the same. */
import { afterEach, describe, expect, it, vi } from "vitest";
import * as here from "../../src/crypto/index.js";

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

describe("without node:crypto", () => {
  it("hashes, keys and signatures are the same", async () => {
    vi.resetModules();
    const lookedFor = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
    const elsewhere = await import("../../src/crypto/index.js");
    expect(lookedFor).toHaveBeenCalledWith("node:crypto");
    expect(elsewhere.sha256).not.toBe(here.sha256);

    const seed = new Uint8Array(32).fill(7);
    const message = new TextEncoder().encode("the same everywhere");
    expect(elsewhere.sha256(seed, message)).toEqual(here.sha256(seed, message));
    const hash = elsewhere.startSha256();
    for (const part of [seed, message]) hash.update(part);
    expect(hash.digest()).toEqual(here.sha256(seed, message));
    const input = { key: seed, salt: message, length: 64 };
    expect(elsewhere.hkdfSha256(input)).toEqual(here.hkdfSha256(input));

    const encrypted = { key: seed, nonce: seed.subarray(0, 12), ciphertext: new Uint8Array(20) };
    expect(await elsewhere.decryptAesGcm(encrypted)).toBe(await here.decryptAesGcm(encrypted));

    const publicKey = elsewhere.derivePublicKey(seed);
    expect(publicKey).toEqual(here.derivePublicKey(seed));
    for (const byte of [0, 1, 7, 255]) {
      const secret = new Uint8Array(32).fill(byte);
      expect(elsewhere.deriveX25519PublicKey(secret)).toEqual(here.deriveX25519PublicKey(secret));
    }
    const signature = elsewhere.sign(seed, message);
    expect(signature).toEqual(here.sign(seed, message));
    for (const strict of [true, false]) {
      expect(elsewhere.verify(publicKey, message, signature, { strict })).toBe(true);
      expect(here.verify(publicKey, message, signature, { strict })).toBe(true);
      expect(elsewhere.verify(publicKey, seed, signature, { strict })).toBe(false);
    }
  });
});
