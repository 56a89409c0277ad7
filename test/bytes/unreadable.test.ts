/** Values that pass for a Uint8Array and cannot be read as one are refused by name, before anything is written. */
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { b32, bytes as byteString, identity, payload, u8, vec } from "../../src/codec/index.js";
import { derivePublicKey, sign, verify } from "../../src/crypto/index.js";
import { type Engine, openMemoryEngine, openRocksEngine } from "../../src/engines/index.js";
import { openLevelEngine } from "../../src/engines/level/index.js";
import { ContextMeta } from "../../src/keys/index.js";
import { core011, selectRows } from "../../src/schemas/index.js";
import { temporaryFolder } from "../support/fixtures.js";
import { unreadableBytes } from "./kinds.js";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

const right = new Uint8Array(32);

describe.each(Object.entries(unreadableBytes()))("%s", (_, wrong) => {
  it.each<[string, string, () => unknown]>([
    ["a part of a key", "INVALID_KEY", () => new ContextMeta({ contextId: wrong })],
    ["a leading part", "INVALID_KEY", () => ContextMeta.range({ contextId: wrong })],
    ["the bytes of a key", "INVALID_KEY", () => ContextMeta.fromBytes(wrong)],
    ["an id of a value", "ENCODE_FAILED", () => b32.encode(wrong)],
    ["a byte string of a value", "ENCODE_FAILED", () => vec(byteString).encode([wrong])],
    ["a raw value", "ENCODE_FAILED", () => identity.encode(wrong)],
    ["a payload", "ENCODE_FAILED", () => payload(byteString, u8).encode(wrong as never)],
    ["bytes to decode", "INVALID_ARGUMENT", () => core011.type("GroupMetaValue").decode(wrong)],
    ["a seed", "INVALID_ARGUMENT", () => sign(wrong, right)],
    ["the seed of a public key", "INVALID_ARGUMENT", () => derivePublicKey(wrong)],
    ["a public key", "INVALID_ARGUMENT", () => verify(wrong, right, new Uint8Array(64), { strict: true })],
    ["an id of a selection", "INVALID_ARGUMENT", () => selectRows({ contextId: wrong })],
  ])("is refused as %s", (_, code, call) => {
    expect(call).toThrow(expect.objectContaining({ name: expect.any(String), code }));
  });

  const engines: [string, (path: string) => Promise<Engine>][] = [
    ["memory", async () => openMemoryEngine({ columns: ["default"] })],
    ["rocksdb", (path) => openRocksEngine(path, { create: true, columns: [] })],
    ["leveldb", (path) => openLevelEngine(path, { create: true })],
  ];
  it.each(engines)("is refused by the engine %s", async (_, open) => {
    await using engine = await open(join(folder.path, "db"));
    const column = "default";
    const refused = expect.objectContaining({ code: "INVALID_ARGUMENT" });
    for (const call of [
      async () => engine.get(column, wrong),
      async () => engine.getMany(column, [right, wrong]),
      async () => engine.scan(column, { gte: wrong }).chunks().next(),
      async () => engine.approximateSize(column, { lt: wrong }),
      async () => engine.write([{ type: "put", column, key: wrong, value: right }]),
      async () => engine.write([{ type: "put", column, key: right, value: wrong }]),
      async () => engine.write([{ type: "delete", column, key: wrong }]),
      async () => engine.write([{ type: "deleteRange", column, gte: right, lt: wrong }]),
    ])
      await expect(call()).rejects.toThrow(refused);
    for await (const row of engine.scan(column)) expect.unreachable(`wrote ${row.key.length} bytes`);
  });
});
