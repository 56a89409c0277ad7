/** Our SHA-256 and HKDF against those of @noble, and against published vectors. */
import { hkdf } from "@noble/hashes/hkdf";
import { sha256 as portable } from "@noble/hashes/sha2";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { hkdfSha256, sha256, startSha256 } from "../../src/crypto/index.js";

const some = fc.uint8Array({ maxLength: 300 });

describe("sha256", () => {
  it("is that of the concatenated parts", () => {
    fc.assert(
      fc.property(fc.array(some, { maxLength: 5 }), (parts) => {
        expect(sha256(...parts)).toEqual(portable(Uint8Array.from(parts.flatMap((part) => [...part]))));
      }),
    );
  });
});

describe("startSha256", () => {
  it("hashes parts one after another", () => {
    fc.assert(
      fc.property(fc.array(some, { maxLength: 5 }), (parts) => {
        const hash = startSha256();
        for (const part of parts) hash.update(part);
        expect(toHex(hash.digest())).toBe(toHex(sha256(...parts)));
      }),
    );
  });
});

describe("hkdfSha256", () => {
  it("equals the portable one", () => {
    fc.assert(
      fc.property(some, some, some, fc.integer({ min: 1, max: 200 }), (key, salt, info, length) => {
        expect(hkdfSha256({ key, salt, info, length })).toEqual(hkdf(portable, key, salt, info, length));
      }),
    );
  });

  it("returns the vectors 1 and 3 of RFC 5869", () => {
    const key = new Uint8Array(22).fill(0x0b);
    const salt = fromHex("000102030405060708090a0b0c");
    const info = fromHex("f0f1f2f3f4f5f6f7f8f9");
    expect(toHex(hkdfSha256({ key, salt, info, length: 42 }))).toBe(
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
    );
    expect(toHex(hkdfSha256({ key, length: 42 }))).toBe(
      "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
    );
  });
});
