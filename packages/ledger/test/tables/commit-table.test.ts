/** Commits as bytes. */
import { Builder } from "flatbuffers";
import { toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { decodeCommit, encodeCommit } from "../../src/tables/commit-table.js";
import { digest, KEY_INDEX, text } from "../inputs.js";

const root = { keyIndex: KEY_INDEX, digest: digest(0x9e, 4) };
const id = (byte: number) => new Uint8Array(32).fill(byte);

describe("CommitStorage", () => {
  it("omits zeros", () => {
    const zero = encodeCommit({ timestamp: 0n, generation: 0n, root, parents: [id(7)] });
    expect(toHex(zero).length).toBeLessThan(2 * 144);
  });
});

/** A commit without its list of parents, or without a root. */
function partial(field: "root" | "parents"): Uint8Array {
  const builder = new Builder(64);
  builder.startVector(32, 1, 1);
  for (let at = 0; at < 32; at++) builder.writeInt8(1);
  const parents = builder.endVector();
  const digestAt = builder.createByteVector(digest(1));
  builder.startObject(2);
  builder.addFieldOffset(1, digestAt, 0);
  const rootAt = builder.endObject();
  builder.startObject(4);
  if (field === "parents") builder.addFieldOffset(3, parents, 0);
  else builder.addFieldOffset(2, rootAt, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

describe("decodeCommit", () => {
  it.each([
    ["nothing", new Uint8Array(0)],
    ["text", text("no commit at all, only some text that is long enough")],
    ["no list of parents", partial("root")],
    ["no root", partial("parents")],
    ["no parents", encodeCommit({ timestamp: 1n, generation: 1n, root, parents: [] })],
    ["three parents", encodeCommit({ timestamp: 1n, generation: 1n, root, parents: [id(1), id(2), id(3)] })],
    [
      "a root with an impossible digest",
      encodeCommit({
        timestamp: 1n,
        generation: 1n,
        root: { keyIndex: 1, digest: text("no digest") },
        parents: [id(1)],
      }),
    ],
  ])("refuses %s", (_, bytes) => {
    expect(() => decodeCommit(bytes)).toThrow(expect.objectContaining({ code: "DATA_INTEGRITY_ERROR" }));
  });
});
