/** Identifiers inside other tables. */
import { Builder } from "flatbuffers";
import { toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import type { ObjectIdentifier } from "../../src/objects.js";
import { readIdentifier, TableReader, writeIdentifier } from "../../src/tables/table-reader.js";
import { text } from "../inputs.js";

function encode(identifier: ObjectIdentifier): Uint8Array {
  const builder = new Builder(64);
  builder.finish(writeIdentifier(builder, identifier));
  return builder.asUint8Array();
}

const decode = (bytes: Uint8Array) => readIdentifier(TableReader.root(bytes));

describe("ObjectIdentifierStorage", () => {
  it("of the key index 1 and the digest object", () => {
    const identifier = { keyIndex: 1, digest: text("object") };
    const bytes = encode(identifier);
    expect(toHex(bytes)).toBe(
      "0c00000008000c000400080008000000010000000400000006000000" + "6f626a6563740000",
    );
    expect(decode(bytes)).toEqual(identifier);
  });

  it("keeps every key index", () => {
    for (const keyIndex of [0, 1, 0x7fffffff, 0x80000000, 0xffffffff])
      expect(decode(encode({ keyIndex, digest: text("object") })).keyIndex).toBe(keyIndex);
  });

  it("must have a digest", () => {
    const builder = new Builder(64);
    builder.startObject(2);
    builder.addFieldInt32(0, 1, 0);
    builder.finish(builder.endObject());
    expect(() => decode(builder.asUint8Array())).toThrow("has no digest");
    expect(() => readIdentifier(undefined)).toThrow("has no digest");
  });
});
