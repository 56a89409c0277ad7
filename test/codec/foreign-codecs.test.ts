/** Codecs of other programs: an error that they throw becomes the cause of one with a code and a path. */
import { describe, expect, it } from "vitest";
import {
  Codec,
  DecodeError,
  describe as describeValue,
  EncodeError,
  type Json,
  JsonText,
  map,
  option,
  type Reader,
  secret,
  str,
  struct,
  tuple,
  u8,
  vec,
  WriteFailure,
  type Writer,
} from "../../src/codec/index.js";
import { openMemoryEngine } from "../../src/engines/index.js";
import { id32, keyParts } from "../../src/keys/index.js";
import { defineSchema, row, rowsToLines } from "../../src/schemas/index.js";
import { storeOn } from "../../src/store/index.js";

const boom = new TypeError("13 is unlucky: secret text");
/** That error itself: a matcher of objects takes any error for any other. */
const same = expect.toSatisfy((cause) => cause === boom);

/** A byte; at 13 it throws an error of another kind. */
class Unlucky extends Codec<number> {
  readonly signature = "unlucky";
  readonly size = { min: 1, max: 1 };
  read(reader: Reader): number {
    return this.#lucky(reader.u8());
  }
  write(writer: Writer, value: number): void {
    writer.u8(this.#lucky(value));
  }
  show(value: number): Json {
    return this.#lucky(value === 99 ? 13 : value);
  }
  parse(json: Json): number {
    if (typeof json !== "number") throw new WriteFailure("a number", describeValue(json));
    return this.#lucky(json);
  }
  #lucky(value: number): number {
    if (value === 13) throw boom;
    return value;
  }
}
const unlucky = new Unlucky();
const Deep = struct("Deep", {
  first: u8,
  list: vec(struct("Inner", { a: u8, pair: tuple(u8, option(unlucky)) })),
});
const deep = (value: number) =>
  ({
    first: 1,
    list: [
      { a: 2, pair: [3, null] },
      { a: 4, pair: [5, value] },
    ],
  }) as const;
const bytesOf = (value: number) => Uint8Array.of(1, 2, 0, 0, 0, 2, 3, 0, 4, 5, 1, value);
const PATH = "list[1].pair.1";

const thrownBy = (call: () => unknown): unknown => {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe("an error that a codec throws", () => {
  it("is wrapped also where it is not a part of another one", () => {
    const calls = [
      () => unlucky.encode(13),
      () => unlucky.toJson(13),
      () => unlucky.fromJson(13),
      () => unlucky.decode(Uint8Array.of(13)),
      () => unlucky.validate(Uint8Array.of(13)),
    ];
    for (const [at, call] of calls.entries()) {
      const error = thrownBy(call);
      expect(error).toBeInstanceOf(at < 3 ? EncodeError : DecodeError);
      expect(error).toMatchObject({ type: "unlucky", path: "", cause: same });
      expect((error as Error).message).not.toContain("secret text");
    }
  });

  it("while reading is a DecodeError with path, place and cause", () => {
    expect(Deep.encode(deep(7))).toEqual(bytesOf(7));
    for (const call of [() => Deep.decode(bytesOf(13)), () => Deep.validate(bytesOf(13))]) {
      const error = thrownBy(call);
      expect(error).toBeInstanceOf(DecodeError);
      expect(error).toMatchObject({ code: "DECODE_FAILED", path: PATH, offset: 12, cause: same });
      expect((error as Error).message).not.toMatch(/unlucky:|secret/);
      expect((error as DecodeError).in("Group X")).toMatchObject({ path: PATH, cause: same });
    }
    expect(Deep.readWhole(bytesOf(13))).toMatchObject({ steps: ["list", "[1]", "pair", "1"], cause: same });
  });

  it("while writing, parsing and showing is an EncodeError with path and cause", () => {
    const json = JSON.parse(JSON.stringify(deep(13))) as Json;
    const calls = [() => Deep.encode(deep(13)), () => Deep.fromJson(json), () => Deep.toJson(deep(99))];
    for (const call of calls) {
      const error = thrownBy(call);
      expect(error).toBeInstanceOf(EncodeError);
      expect(error).toMatchObject({ code: "ENCODE_FAILED", path: PATH, cause: same });
      expect((error as Error).message).not.toMatch(/unlucky:|secret/);
    }
    expect(Deep.encode(deep(8))).toEqual(bytesOf(8));
  });

  it("is not the cause of a secret's error", () => {
    const error = thrownBy(() => struct("S", { key: secret(unlucky) }).decode(Uint8Array.of(13)));
    expect(error).toMatchObject({ code: "DECODE_FAILED", path: "key" });
    expect((error as Error).cause).toBeUndefined();
  });

  it("in the values of a map names the entry", () => {
    const Table = map(str, unlucky);
    expect(thrownBy(() => Table.encode(new Map([["a", 13]])))).toMatchObject({ path: "[0]", cause: same });
    expect(thrownBy(() => Table.fromJson({ a: 13 }))).toMatchObject({ path: "[0]", cause: same });
  });

  it("makes a row with an error, and a line without a value", async () => {
    class Key extends keyParts("Key", "Mine", undefined, id32("id")) {}
    const mine = defineSchema("mine", [row(Key, Deep)]);
    await using store = await storeOn(openMemoryEngine({ columns: mine.columns }), { schema: mine });
    const key = new Key({ id: new Uint8Array(32) });
    await store.raw.write([{ type: "put", column: "Mine", key: key.bytes, value: bytesOf(13) }]);
    for await (const { error } of store.table(Key).scan())
      expect(error).toMatchObject({ code: "DECODE_FAILED", path: PATH, cause: same });
    await expect(store.get(key)).rejects.toMatchObject({ path: PATH, cause: same });
    await expect(store.put(key, deep(13))).rejects.toMatchObject({ code: "ENCODE_FAILED", path: PATH });
    const text = new JsonText({}, 16);
    expect(Deep.decodeAsText(bytesOf(13), text)).toBe(false);
    expect(text.length).toBe(0);
    const lines = rowsToLines(mine, "Mine", [{ key: key.bytes, value: bytesOf(13) }]);
    expect(new TextDecoder().decode(lines.text)).toContain(PATH);
  });

  it("is a failure with a code too where a value of another type is shown", () => {
    expect(thrownBy(() => Deep.toJson({ first: 1, list: [{ a: 2 }] } as never))).toMatchObject({
      code: "ENCODE_FAILED",
      path: "list[0].pair.0",
    });
  });
});
