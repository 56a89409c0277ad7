/** The names of pieces. */

import { toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import {
  asRoot,
  digestFits,
  digestOf,
  inlineContent,
  isInline,
  isValidDigest,
  objectType,
  pieceType,
  sha256WithLength,
} from "../../src/objects.js";
import { digest, expectedHash, text } from "../inputs.js";

const long = "a".repeat(33);
const LONG_HASH = "d5c41f96e9a897824bec06c7b4e07d15adf0b7f70ff4b7616020e5b5388670cd";

describe("sha256WithLength", () => {
  it.each([
    ["", "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc"],
    ["hello", "fe745503750fdbf3e6ef676d16d85ee0d63626c594222f7e991908bdffef7ac9"],
    [long, LONG_HASH],
  ])("of %j", (content, hash) => {
    expect(toHex(sha256WithLength(text(content)))).toBe(hash);
    expect(expectedHash(text(content))).toBe(hash);
  });
});

describe("digestOf", () => {
  it.each(["", "hello", "world\0withzero", "01234567890123456789012345678901"])("%j is inline", (content) => {
    const made = digestOf(text(content));
    expect(isInline(made)).toBe(true);
    expect(inlineContent(made)).toEqual(text(content));
    expect(isValidDigest(made)).toBe(true);
  });

  it.each(["012345678901234567890123456789012", "a".repeat(5000)])("%j is hashed", (content) => {
    const made = digestOf(text(content));
    expect(isInline(made)).toBe(false);
    expect(toHex(made)).toBe(`00${expectedHash(text(content))}`);
    expect(digestFits(made, text(content))).toBe(true);
    expect(digestFits(made, text(`${content}.`))).toBe(false);
  });

  it("has the types in the first byte", () => {
    expect(toHex(digestOf(text("")))).toBe("01");
    expect(toHex(digestOf(text("hello")))).toBe("0168656c6c6f");
    expect(toHex(digestOf(text("hello"), "tree-node"))).toBe("0568656c6c6f");
    expect(toHex(digestOf(text(long)))).toBe(`00${LONG_HASH}`);
    expect(toHex(digestOf(text(long), "tree-node"))).toBe(`04${LONG_HASH}`);
    expect(toHex(digestOf(text(long), "blob", "index"))).toBe(`02${LONG_HASH}`);
    expect(toHex(digestOf(text(long), "tree-node", "index"))).toBe(`06${LONG_HASH}`);
  });
});

describe("types of a digest", () => {
  it.each([
    [0, "blob", "chunk"],
    [2, "blob", "index"],
    [4, "tree-node", "chunk"],
    [6, "tree-node", "index"],
  ] as const)("%i: %s, %s", (type, object, piece) => {
    expect(objectType(digest(9, type))).toBe(object);
    expect(pieceType(digest(9, type))).toBe(piece);
    expect(asRoot(digest(9, type), "tree-node")).toEqual(digest(9, type | 4));
    expect(asRoot(digest(9, type), "blob")).toEqual(digest(9, type & ~4));
  });
});

describe("isValidDigest", () => {
  it.each([
    ["nothing at all", new Uint8Array(0)],
    ["33 bytes of inline content", new Uint8Array(34).fill(1)],
    ["a hash of 31 bytes", new Uint8Array(32)],
    ["a hash of 33 bytes", new Uint8Array(34)],
    ["an unknown type", digest(0, 8)],
    ["an unknown type of inline content", Uint8Array.of(0x81)],
  ])("is false for %s", (_, bytes) => {
    expect(isValidDigest(bytes)).toBe(false);
  });

  it("is true for 32 bytes of inline content, as long as a hash", () => {
    expect(isValidDigest(digest(0, 1))).toBe(true);
    expect(isInline(digest(0, 1))).toBe(true);
  });
});
