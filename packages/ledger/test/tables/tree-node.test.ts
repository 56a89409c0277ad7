/** Tree nodes as bytes. */
import { Builder } from "flatbuffers";
import { toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { digestOf, type ObjectIdentifier } from "../../src/objects.js";
import { encodeFileIndex, writeTables } from "../../src/tables/file-index.js";
import { writeIdentifier } from "../../src/tables/table-reader.js";
import { decodeNode, EMPTY_NODE, encodeNode, type TreeNode } from "../../src/tables/tree-node.js";
import { digest, entry, identifierOf, KEY_INDEX, text } from "../inputs.js";

const child = (byte: number): ObjectIdentifier => ({ keyIndex: KEY_INDEX, digest: digest(byte, 4) });
const rootOf = (node: TreeNode) => toHex(digestOf(encodeNode(node), "tree-node"));
const single = (node: Partial<TreeNode>): TreeNode => ({
  ...EMPTY_NODE,
  children: [undefined, undefined],
  ...node,
});

describe("encodeNode", () => {
  it("of the empty node is 32 bytes, so that the root of an empty page is inline", () => {
    const bytes = encodeNode(EMPTY_NODE);
    expect(toHex(bytes)).toBe("0c00000008000c0004000800080000000c000000040000000000000000000000");
    expect(rootOf(EMPTY_NODE)).toBe(`05${toHex(bytes)}`);
  });

  it.each([
    ["eager", 1, "04eda5926363bb0a05bc1e9497d33e9d24f60d11ce3a8ae64bd1d390ae2ff99e34"],
    ["lazy", 1, "04f1210f23b6cee62abdb0dfd7203fba2837a4999020024fc6c4882b742f3e9063"],
    ["eager", 0xffffffff, "0434698e47d1e484e369558719a49832eb7b6adf75c636acd2c9dcedf5fc5aa9fe"],
  ] as const)("of one %s entry under the key index %i has the root %s", (priority, keyIndex, root) => {
    const value = { keyIndex, digest: digestOf(text("value")) };
    expect(rootOf(single({ entries: [{ key: text("key"), value, priority }] }))).toBe(root);
  });
});

/** A node with children at these places, possible or not. */
function rawNode(keys: readonly string[], places: readonly number[], priority = 0): Uint8Array {
  const builder = new Builder(64);
  const entries = keys.map((name) => {
    const key = builder.createByteVector(text(name));
    const value = writeIdentifier(builder, identifierOf("value"));
    builder.startObject(3);
    builder.addFieldOffset(1, value, 0);
    builder.addFieldOffset(0, key, 0);
    builder.addFieldInt8(2, priority, 0);
    return builder.endObject();
  });
  const entryVector = writeTables(builder, entries);
  const children = places.map((place) => {
    const object = writeIdentifier(builder, child(place));
    builder.startObject(2);
    builder.addFieldOffset(1, object, 0);
    builder.addFieldInt16(0, place, 0);
    return builder.endObject();
  });
  const childVector = writeTables(builder, children);
  builder.startObject(3);
  builder.addFieldOffset(1, childVector, 0);
  builder.addFieldOffset(0, entryVector, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

describe("decodeNode", () => {
  it("reads valid versions of the malformed nodes below", () => {
    const { entries, children } = decodeNode(rawNode(["a", "b"], [0, 2], 1));
    expect(children).toEqual([child(0), undefined, child(2)]);
    expect(entries).toEqual([entry("a", "value", "lazy"), entry("b", "value", "lazy")]);
  });

  it.each([
    ["nothing", new Uint8Array(0)],
    ["text", text("no node at all, only some text")],
    ["two children without entries", rawNode([], [0, 1])],
    ["a child at 1 without entries", rawNode([], [1])],
    ["two children at one place", rawNode(["a", "b"], [1, 1])],
    ["children out of order", rawNode(["a", "b"], [2, 1])],
    ["entries out of order", rawNode(["b", "a"], [])],
    ["a key twice", rawNode(["a", "a"], [])],
    ["a priority that is neither eager nor lazy", rawNode(["a"], [], 2)],
    [
      "a child with an impossible digest",
      encodeNode({ level: 1, entries: [], children: [{ keyIndex: 1, digest: text("no digest") }] }),
    ],
    [
      "a value with an impossible digest",
      encodeNode(
        single({ entries: [{ ...entry("a", ""), value: { keyIndex: 1, digest: text("no digest") } }] }),
      ),
    ],
    ["an index, which lacks the list of entries", encodeFileIndex([])],
  ])("refuses %s", (_, bytes) => {
    expect(() => decodeNode(bytes)).toThrow(expect.objectContaining({ code: "DATA_INTEGRITY_ERROR" }));
  });
});
