/** The level of a tree that a key belongs to. */

import { toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { levelOf, murmur3 } from "../../src/tree/level.js";
import { text } from "../inputs.js";

function hash(content: string, seed: number): string {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, murmur3(text(content), seed));
  return toHex(bytes);
}

describe("murmur3", () => {
  it.each([
    ["", "00000000"],
    ["0", "d271c07f"],
    ["01", "61ec6600"],
    ["012", "ec6cff8c"],
    ["0123", "d41994a0"],
    ["01234", "19d02170"],
    ["2", "0129e217"],
    ["88", "7a0040a5"],
    ["asdfqwer", "a46b5209"],
    ["asdfqwerty", "a3cfe04b"],
    ["asd", "14570c6f"],
    ["Hello", "12da77c8"],
    ["Hello1", "6357e0a6"],
    ["Hello2", "e5ce223e"],
    ["hey", "12f94418"],
    ["dude", "ef0487f3"],
    ["test", "ba6bd213"],
  ])("of %j from the seed 0", (content, expected) => {
    expect(hash(content, 0)).toBe(expected);
  });

  it("of nothing from the seed 1", () => {
    expect(hash("", 1)).toBe("514e28b7");
  });

  it.each([
    ["", "80967370"],
    ["key", "f833272b"],
    ["name", "b7493621"],
    ["key00425", "90024a00"],
    ["key00751", "6b98d600"],
    ["key01017", "d4b0db00"],
    ["k9004", "7a230000"],
    ["k21732", "42dd0000"],
    ["key126697", "f5f10000"],
  ])("of %j from the seed of trees", (content, expected) => {
    expect(hash(content, 0xbeef)).toBe(expected);
  });
});

describe("levelOf", () => {
  it.each([
    [0, ["", "key", "name", "key00000"]],
    [1, ["au", "fg", "xc", "key00425", "key00751", "key01017", "key01083", "key01176", "key01251"]],
    [2, ["k9004", "k21732", "key126697", "key175808"]],
  ])("is %i", (level, keys) => {
    expect(keys.map((key) => levelOf(text(key)))).toEqual(keys.map(() => level));
  });

  it("is above 0 for three of the keys of two small letters", () => {
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const keys = letters.flatMap((a) => letters.map((b) => a + b));
    expect(keys.filter((key) => levelOf(text(key)) > 0)).toEqual(["au", "fg", "xc"]);
  });

  it("is above 0 for six of the first numbered keys", () => {
    const keys = Array.from({ length: 1252 }, (_, at) => `key${String(at).padStart(5, "0")}`);
    expect(keys.filter((key) => levelOf(text(key)) > 0)).toEqual([
      "key00425",
      "key00751",
      "key01017",
      "key01083",
      "key01176",
      "key01251",
    ]);
  });
});
