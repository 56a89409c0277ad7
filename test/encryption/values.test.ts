/** Single values: the vectors, and bytes that differ from a vector. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { aesGcmKey } from "../../src/crypto/index.js";
import {
  associatedDataOf,
  deriveKey,
  encryptionRules,
  masterKeyBytes,
  masterKeyFromHex,
  openCipher,
} from "../../src/encryption/index.js";
import { derivedKeys, MASTER_KEY, values } from "./vectors.js";

it("derives the keys of the versions", () => {
  for (const [master, version, key] of derivedKeys) expect(toHex(deriveKey(master, version))).toBe(key);
});

describe.each([
  ["in Node", false],
  ["with Web Crypto", true],
] as const)("%s", (_, web) => {
  it("decrypts every vector, in a batch and alone", async () => {
    expect(values.length).toBe(16);
    const cipher = await openCipher(MASTER_KEY, { web });
    const all = await cipher.decrypt(values.map(({ stored }) => stored));
    expect(all).toEqual(values.map(({ plain, version, rule }) => ({ plain, version, rule })));
    for (const { stored, plain, version, rule } of values)
      expect(await cipher.decrypt([stored])).toEqual([{ plain, version, rule }]);
  });

  it("writes the vectors when it is given their nonces", async () => {
    for (const { stored, plain, version, rule } of values) {
      const key = aesGcmKey(deriveKey(MASTER_KEY, version), web);
      const sealed = await key.encrypt(stored.subarray(1, 13), plain, associatedDataOf(rule, stored));
      expect(toHex(sealed)).toBe(toHex(stored.subarray(13)));
    }
  });

  it("refuses every vector with a single bit flipped, shortened or lengthened", async () => {
    const cipher = await openCipher(MASTER_KEY, { web });
    for (const { stored } of web ? values.slice(2, 4) : values) {
      const wrong: Uint8Array[] = Array.from({ length: 8 * stored.length }, (_, bit) => {
        const flipped = Uint8Array.from(stored);
        flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
        return flipped;
      });
      wrong.push(
        stored.subarray(0, 28),
        stored.subarray(0, -1),
        Uint8Array.of(...stored, 0),
        new Uint8Array(),
      );
      expect((await cipher.decrypt(wrong)).filter((found) => found !== undefined)).toEqual([]);
    }
  });

  it("encrypts with fresh nonces what it decrypts, by both rules and with any version", async () => {
    const cipher = await openCipher(MASTER_KEY, { web });
    const plain = Array.from({ length: 300 }, (_, at) => new Uint8Array(at % 60).fill(at));
    const seen = new Set<string>();
    for (const rule of encryptionRules) {
      for (const version of [0, 1, 255]) {
        const stored = await cipher.encrypt(plain, rule, version);
        expect(await cipher.decrypt(stored)).toEqual(plain.map((one) => ({ plain: one, version, rule })));
        for (const one of stored) seen.add(toHex(one.subarray(1, 13)));
      }
    }
    expect(seen.size).toBe(6 * plain.length);
    const other = await openCipher(Uint8Array.from(MASTER_KEY).fill(0x43, 47), { web });
    const [stored] = await cipher.encrypt(plain.slice(9, 10), "core-0.11");
    expect(await other.decrypt([stored as Uint8Array])).toEqual([undefined]);
  });
});

it("writes for core-0.11 only with a key that its nodes take", async () => {
  const cipher = await openCipher(new Uint8Array(31));
  expect(await cipher.encrypt([new Uint8Array(1)], "core-0.10")).toHaveLength(1);
  await expect(cipher.encrypt([new Uint8Array(1)], "core-0.11")).rejects.toThrow("31 bytes");
});

describe("master keys", () => {
  const text = (of: string) => new TextEncoder().encode(of);

  it("are read from hex with white space around it, in upper and lower case", () => {
    expect(toHex(masterKeyFromHex(text(" \n0aFF42\r\n"), "k"))).toBe("0aff42");
    expect(masterKeyFromHex(text("ab".repeat(2048)), "k").length).toBe(2048);
  });

  it.each(["", " ", "abc", "0g", "ab cd", "0x42", "ab".repeat(2049), "é0"])(
    "of another form are refused without showing them: %j",
    (wrong) => {
      expect(() => masterKeyFromHex(text(wrong), "the key file")).toThrow(
        /^the key file must hold a master key/,
      );
    },
  );

  it("are copied, and refused if they are none", async () => {
    const key = new Uint8Array(32).fill(1);
    const copy = await masterKeyBytes(() => Promise.resolve(key));
    expect(copy).toEqual(key);
    expect(copy).not.toBe(key);
    for (const wrong of [new Uint8Array(0), new Uint8Array(2049), "42", [1], undefined])
      await expect(masterKeyBytes(() => wrong as Uint8Array)).rejects.toThrow("the master key must be");
  });
});
