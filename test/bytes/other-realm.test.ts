/** Functions take bytes of another realm, such as an iframe, jsdom or node:vm, and return bytes of this one. */
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { isDate } from "../../src/bytes/realm.js";
import {
  b32,
  bytes as byteString,
  type Codec,
  identity,
  map,
  Payload,
  payload,
  str,
  struct,
  u8,
  vec,
} from "../../src/codec/index.js";
import { derivePublicKey, sha256, sign, verify } from "../../src/crypto/index.js";
import { blobRootId, entryStateKey, keyId, mapEntryId } from "../../src/digests/index.js";
import { openCipher, openEncrypted } from "../../src/encryption/index.js";
import { openMemoryEngine } from "../../src/engines/index.js";
import { ContextMeta, GroupMember, id32, keyParts, tail } from "../../src/keys/index.js";
import { isSignal } from "../../src/options.js";
import { core011, rowToJson, selectRows } from "../../src/schemas/index.js";
import { parseManifest } from "../../src/state/index.js";
import { storeOn } from "../../src/store/index.js";
import { OtherUint8Array } from "./kinds.js";

const own = (length: number, fill = 7) => new Uint8Array(length).fill(fill);
const other = (length: number, fill = 7) => new OtherUint8Array(length).fill(fill);
const column = "State";

it("the class of another realm is another class", () => {
  expect(other(3) instanceof Uint8Array).toBe(false);
});

describe("bytes of another realm", () => {
  it.each<[string, Codec<never>, unknown, unknown]>([
    ["an id", b32 as Codec<never>, other(32), own(32)],
    ["a byte string in a list", vec(byteString) as Codec<never>, [other(3)], [own(3)]],
    ["a raw value", identity as Codec<never>, other(5), own(5)],
    [
      "a field",
      struct("S", { a: u8, b: byteString }) as Codec<never>,
      { a: 1, b: other(9) },
      { a: 1, b: own(9) },
    ],
    ["a payload", payload(byteString, str) as Codec<never>, other(4), own(4)],
    ["a Payload", payload(byteString, str) as Codec<never>, new Payload(str, other(4)), own(4)],
  ])("are encoded as %s", (_, codec, foreign, same) => {
    const encoded = codec.encode(foreign as never);
    expect(encoded).toEqual(codec.encode(same as never));
    expect(encoded).toBeInstanceOf(Uint8Array);
  });

  it("are decoded to values of this realm", () => {
    const encoded = OtherUint8Array.from(vec(byteString).encode([own(3), own(4)]));
    for (const found of vec(byteString).decode(encoded)) expect(found).toBeInstanceOf(Uint8Array);
    expect(identity.decode(other(3))).toBeInstanceOf(Uint8Array);
    expect(new Payload(str, other(4)).bytes).toBeInstanceOf(Uint8Array);
    expect(() => str.decode(other(3))).toThrow(expect.objectContaining({ code: "DECODE_FAILED" }));
    expect(str.canonical(OtherUint8Array.of(1, 0, 0, 0, 65))).toBe(true);
  });

  it("are described as bytes where they are wrong", () => {
    expect(() => b32.encode(other(31))).toThrow("found 31 bytes");
    expect(() => struct("S", { a: u8 }).encode(other(1) as never)).toThrow(
      "expected an object, found 1 bytes",
    );
    for (const wrong of [new Uint8ClampedArray(32), new Int8Array(32), new DataView(new ArrayBuffer(32))])
      expect(() => b32.encode(wrong as never)).toThrow("found an object");
  });

  it("are parts and bytes of keys", () => {
    class Tailed extends keyParts("Tailed", "State", undefined, id32("id"), tail("rest")) {}
    const key = new Tailed({ id: other(32), rest: other(3) });
    expect(key.bytes).toEqual(own(35));
    for (const made of [Tailed.fromBytes(other(35)), Tailed.view(other(35))]) {
      expect(made.bytes).toEqual(own(35));
      for (const bytes of [made.bytes, made.id, made.rest]) expect(bytes).toBeInstanceOf(Uint8Array);
    }
    expect(ContextMeta.range({ contextId: other(32) }).gte).toEqual(own(32));
  });

  it.each([true, false])("are keys, values and bounds of engines, owned: %s", async (owned) => {
    const memory = openMemoryEngine({ columns: [column] });
    await using engine = await openEncrypted(memory, { masterKey: other(32) }, "core-0.11");
    for (const one of [memory, engine]) {
      const operations = [
        { type: "put", column, key: other(2), value: other(4) },
        { type: "put", column, key: other(3), value: other(4) },
        { type: "delete", column, key: other(3) },
        { type: "deleteRange", column, gte: other(1, 8), lt: other(1, 9) },
      ] as const;
      if (one === engine) await one.write(operations, { owned });
      else await memory.write(operations.slice(1), { owned });
    }
    const rows = [{ key: own(2), value: own(4) }];
    const found: unknown[] = [];
    for await (const row of engine.scan(column, { gte: other(1), lt: other(1, 8) })) found.push(row);
    expect(found).toEqual(rows);
    expect(await engine.get(column, other(2))).toEqual(own(4));
    expect(await engine.getMany(column, [other(2), other(1)])).toEqual([own(4), undefined]);
    for await (const { key, value } of memory.scan(column))
      for (const bytes of [key, value]) expect(bytes).toBeInstanceOf(Uint8Array);
  });

  it("are ids of rows, selections and contexts", async () => {
    await using store = await storeOn(openMemoryEngine({ columns: core011.columns }), { schema: core011 });
    const key = new GroupMember({ groupId: other(32, 1), account: other(32, 2) } as never);
    expect(await store.get(key)).toBeUndefined();
    expect(selectRows({ contextId: other(32) }).all).toBe(false);
    const row = { key: key.bytes, value: other(3) };
    expect(rowToJson(core011, "Group", { ...row, key: OtherUint8Array.from(key.bytes) }).kind).toBe(key.KIND);
  });

  it("are seeds, keys, messages and content to hash", () => {
    expect(derivePublicKey(other(32))).toEqual(derivePublicKey(own(32)));
    const signature = sign(other(32), other(9));
    const publicKey = OtherUint8Array.from(derivePublicKey(own(32)));
    expect(verify(publicKey, other(9), OtherUint8Array.from(signature), { strict: true })).toBe(true);
    const digests = [
      sha256,
      keyId,
      entryStateKey,
      (id: Uint8Array) => blobRootId([id]),
      (id: Uint8Array) => mapEntryId(id, id),
    ];
    for (const digest of digests) expect(digest(other(32))).toEqual(digest(own(32)));
  });

  it("are master keys, and values to encrypt and to decrypt", async () => {
    for (const web of [false, true]) {
      const cipher = await openCipher(() => other(48), { web });
      const stored = await cipher.encrypt([other(20), other(5000)], "core-0.11");
      const again = await cipher.decrypt(stored.map((one) => OtherUint8Array.from(one)));
      expect(again.map((one) => one?.plain)).toEqual([own(20), own(5000)]);
    }
  });

  it("are a manifest", () => {
    const text = JSON.stringify({ schema_version: "wasm-abi/1", types: {}, methods: [], events: [] });
    const encoded = OtherUint8Array.from(new TextEncoder().encode(text));
    expect(parseManifest(encoded)).toEqual(parseManifest(text));
  });
});

it("a Map and a Date of another realm are taken like those of this one", () => {
  const entries = runInNewContext("new Map([['a', 1]])") as ReadonlyMap<string, number>;
  expect(entries instanceof Map).toBe(false);
  expect(map(str, u8).encode(entries)).toEqual(map(str, u8).encode(new Map([["a", 1]])));
  expect(() => map(str, u8).encode({} as never)).toThrow("expected a Map");
  expect([isDate(runInNewContext("new Date(0)")), isDate({}), isDate(0)]).toEqual([true, false, false]);
});

it("a signal of another realm is taken for a signal", () => {
  const foreign = Object.create(null, { [Symbol.toStringTag]: { value: "AbortSignal" } }) as object;
  expect([foreign, new AbortController().signal, {}].map((one) => isSignal(one) === undefined)).toEqual([
    true,
    true,
    false,
  ]);
});
