/** Node's Ed25519 and the portable one must agree, where a signature is honest and where it is not. */
import * as crypto from "node:crypto";
import { CURVE, etc, Point } from "@noble/ed25519";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { ed25519WithNode } from "../../src/crypto/ed25519-node.js";
import { ed25519Portable } from "../../src/crypto/ed25519-portable.js";
import { derivePublicKey, isPublicKey, isSmallOrder, sign, verify } from "../../src/crypto/index.js";
import { MerostoreError } from "../../src/errors.js";
import { canonical, challenge, integer, message, others, scalar } from "./points.js";

const node = ed25519WithNode(crypto);
const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
const messages = fc.uint8Array({ maxLength: 200 });

/** A signature that nobody's secret made: R = [s]B, which is right wherever [k]A is the neutral element. */
const s = 12345n;
const forged = etc.concatBytes(Point.BASE.multiply(s).toBytes(), scalar(s));

describe("both implementations", () => {
  it("derive the same keys, make the same signatures and accept them", () => {
    fc.assert(
      fc.property(seeds, messages, (seed, text) => {
        const key = node.derivePublicKey(seed);
        const signature = node.sign(seed, text);
        expect(ed25519Portable.derivePublicKey(seed)).toEqual(key);
        expect(ed25519Portable.sign(seed, text)).toEqual(signature);
        expect(derivePublicKey(seed)).toEqual(key);
        expect(sign(seed, text)).toEqual(signature);
        expect(node.verify(key, text, signature)).toBe(true);
        expect(ed25519Portable.verify(key, text, signature)).toBe(true);
        expect(verify(key, text, signature, { strict: true })).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("refuse the same changed bytes", () => {
    fc.assert(
      fc.property(seeds, fc.nat(63 + 32), fc.integer({ min: 1, max: 255 }), (seed, at, change) => {
        const text = message(0);
        const key = node.derivePublicKey(seed);
        const both = etc.concatBytes(key, node.sign(seed, text));
        both[at] = (both[at] as number) ^ change;
        const [changed, signature] = [both.subarray(0, 32), both.subarray(32)];
        expect(node.verify(changed, text, signature)).toBe(false);
        expect(ed25519Portable.verify(changed, text, signature)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it("agree on many signatures of one key, honest and not", () => {
    fc.assert(
      fc.property(seeds, fc.array(messages, { minLength: 8, maxLength: 8 }), (seed, texts) => {
        const key = node.derivePublicKey(seed);
        for (const text of texts) {
          const signature = node.sign(seed, text);
          expect(ed25519Portable.verify(key, text, signature)).toBe(true);
          expect(ed25519Portable.verify(key, etc.concatBytes(text, message(0)), signature)).toBe(false);
        }
      }),
      { numRuns: 5 },
    );
  });

  it("agree on keys of small order: [k]A must vanish without the cofactor", () => {
    let accepted = 0;
    for (const key of [...canonical, ...others]) {
      for (let index = 0; index < 12; index++) {
        const verdict = node.verify(key, message(index), forged);
        expect(ed25519Portable.verify(key, message(index), forged)).toBe(verdict);
        expect(verify(key, message(index), forged, { strict: false })).toBe(verdict);
        expect(verify(key, message(index), forged, { strict: true })).toBe(false);
        if (verdict) accepted++;
      }
    }
    // All 48 for the neutral element in its four encodings; for the rest one in two, four or eight.
    expect(accepted).toBeGreaterThan(48);
    expect(accepted).toBeLessThan(14 * 12);
  });

  it("accept a neutral key in any encoding, unless strict", () => {
    const neutral = [canonical[0], others[0], others[4], others[5]] as Uint8Array[];
    for (const key of neutral) {
      expect(node.verify(key, message(0), forged)).toBe(true);
      expect(ed25519Portable.verify(key, message(0), forged)).toBe(true);
    }
  });

  it("agree on keys with a part of small order, which the cofactor would hide", () => {
    const torsion = Point.fromBytes(canonical[4] as Uint8Array);
    const secret = 987654321n;
    const key = Point.BASE.multiply(secret).add(torsion).toBytes();
    const r = Point.BASE.multiply(s).toBytes();
    const verdicts = Array.from({ length: 64 }, (_, index) => {
      const k = challenge(r, key, message(index));
      const signature = etc.concatBytes(r, scalar((s + k * secret) % CURVE.n));
      const verdict = node.verify(key, message(index), signature);
      expect(verdict).toBe(k % 8n === 0n);
      expect(ed25519Portable.verify(key, message(index), signature)).toBe(verdict);
      expect(verify(key, message(index), signature, { strict: true })).toBe(verdict);
      return verdict;
    });
    expect(new Set(verdicts)).toEqual(new Set([true, false]));
  });

  it("refuse an s that is not below the order", () => {
    const seed = new Uint8Array(32).fill(1);
    const signature = sign(seed, message(1)).slice();
    signature.set(scalar(integer(signature.subarray(32)) + CURVE.n), 32);
    for (const one of [node, ed25519Portable]) {
      expect(one.verify(derivePublicKey(seed), message(1), signature)).toBe(false);
    }
  });

  it("accept an R of small order only in its canonical encoding, and never when strict", () => {
    // s = [k]a makes R neutral.
    const key = Point.BASE.multiply(s).toBytes();
    for (const r of [canonical[0], others[0], others[4], others[5]] as Uint8Array[]) {
      const signature = etc.concatBytes(r, scalar((challenge(r, key, message(2)) * s) % CURVE.n));
      const expected = r === canonical[0];
      expect(node.verify(key, message(2), signature)).toBe(expected);
      expect(ed25519Portable.verify(key, message(2), signature)).toBe(expected);
      expect(verify(key, message(2), signature, { strict: false })).toBe(expected);
      expect(verify(key, message(2), signature, { strict: true })).toBe(false);
    }
  });

  it("refuse a key that is not a point, and do not throw", () => {
    const none = new Uint8Array(32).fill(2).fill(0, 1);
    for (const one of [node, ed25519Portable]) expect(one.verify(none, message(3), forged)).toBe(false);
  });
});

describe("points of small order", () => {
  it("yield the neutral element eight times", () => {
    expect(new Set([...canonical, ...others].map(toHex)).size).toBe(14);
    for (const point of [...canonical, ...others]) {
      expect(isSmallOrder(point)).toBe(true);
      expect(Point.fromBytes(point, true).isSmallOrder()).toBe(true);
    }
    for (const point of canonical) {
      if (point !== canonical[0]) expect(Point.fromBytes(point).toBytes()).toEqual(point);
    }
    for (const point of others) expect(() => Point.fromBytes(point)).toThrow();
    expect(isSmallOrder(derivePublicKey(new Uint8Array(32)))).toBe(false);
  });
});

describe("isPublicKey", () => {
  it("accepts encodings of points, and nothing else", () => {
    fc.assert(fc.property(seeds, (seed) => isPublicKey(derivePublicKey(seed))));
    for (const point of canonical) expect(isPublicKey(point)).toBe(true);
    // No x goes with y = 2.
    expect(isPublicKey(new Uint8Array(32).with(0, 2))).toBe(false);
    expect(isPublicKey(new Uint8Array(31))).toBe(false);
  });
});

describe("arguments of another length", () => {
  it("are refused by name", () => {
    const short = new Uint8Array(31);
    const key = new Uint8Array(32);
    for (const attempt of [
      () => derivePublicKey(short),
      () => sign(short, key),
      () => verify(short, key, forged, { strict: true }),
      () => verify(key, key, forged.subarray(1), { strict: false }),
    ]) {
      expect(attempt).toThrow(MerostoreError);
    }
  });
});
