/** Indexes of pieces as bytes. */

import { toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { digestOf } from "../../src/objects.js";
import { decodeFileIndex, encodeFileIndex } from "../../src/tables/file-index.js";
import { digest, KEY_INDEX } from "../inputs.js";

describe("encodeFileIndex", () => {
  it("of 65536 zeros: a chunk of 65535 and one byte inline", () => {
    const bytes = encodeFileIndex([
      { identifier: { keyIndex: KEY_INDEX, digest: digestOf(new Uint8Array(65535)) }, size: 65535n },
      { identifier: { keyIndex: KEY_INDEX, digest: digestOf(new Uint8Array(1)) }, size: 1n },
    ]);
    expect(toHex(bytes)).toBe(
      "0800000000000000b8ffffff10000000000001000000000000000000020000003800000004000000d8ffffff10000000" +
        "010000000000000000000000d0ffffff0100000004000000020000000100000008001400080004000800000018000000" +
        "ffff0000000000000000000008000c00040008000800000001000000040000002100000000ee629bb456b6faf6adae1c" +
        "d958e57d708cb0fe2accbd5b3f05f15194a538e4b5000000",
    );
  });

  it("is no larger than a chunk with as many children as there may be", () => {
    const children = Array.from({ length: 851 }, (_, at) => ({
      identifier: { keyIndex: at, digest: digest(at & 255) },
      size: 65535n,
    }));
    expect(encodeFileIndex(children)).toHaveLength(64_728);
  });
});

describe("decodeFileIndex", () => {
  it.each([
    ["nothing", new Uint8Array(0)],
    ["200 ones", new Uint8Array(200).fill(1)],
    [
      "a child without a digest",
      encodeFileIndex([{ identifier: { keyIndex: 1, digest: new Uint8Array(0) }, size: 1n }]),
    ],
    [
      "a child with an impossible digest",
      encodeFileIndex([{ identifier: { keyIndex: 1, digest: digest(1, 8) }, size: 1n }]),
    ],
  ])("refuses %s", (_, bytes) => {
    expect(() => decodeFileIndex(bytes)).toThrow(expect.objectContaining({ code: "DATA_INTEGRITY_ERROR" }));
  });
});
