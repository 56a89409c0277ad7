import { hmac } from "@noble/hashes/hmac";
import { sha256 } from "@noble/hashes/sha2";
import { expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { hmacSha256 } from "../../src/crypto/index.js";

it("HMAC-SHA-256 agrees with RFC 4231 and with the implementation outside Node", () => {
  const [key, message] = [new Uint8Array(20).fill(0x0b), new TextEncoder().encode("Hi There")];
  const expected = fromHex("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  expect(toHex(hmacSha256(key, message))).toBe(toHex(expected));
  expect(toHex(hmac(sha256, key, message))).toBe(toHex(expected));
});
