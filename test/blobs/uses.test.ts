/** The uses of blobs that rows show, and operations about contexts whose application the node has not taken over. */
import { expect, it } from "vitest";
import { readBlobUses } from "../../src/blobs/index.js";
import { toHex } from "../../src/bytes/hex.js";
import {
  ApplicationMeta,
  ContextActivatedBlob,
  ContextExecutingBlob,
  ContextMeta,
} from "../../src/keys/index.js";
import { type Core011, core010, core011 } from "../../src/schemas/index.js";
import type { Store } from "../../src/store/index.js";
import { inMemory, rowsOf } from "../verify/altered.js";

it.each([
  ["core-0.11/node-a", core011],
  ["core-0.10/node-a", core010],
])(
  "%s: the code of a context counts by the operation that made it as long as its application is not there",
  async (name, schema) => {
    const store = await inMemory(name, schema);
    const byOperations = async () =>
      [...(await readBlobUses(store))].flatMap(([blob, uses]) =>
        uses
          .filter(({ role }) => role === "code that the context was made with")
          .map(({ kind, id }) => ({ blob, kind, id })),
      );
    const applications = await rowsOf(store, ApplicationMeta);
    const contexts = (await rowsOf(store, ContextMeta)).map(({ key }) => toHex(key.contextId));
    const codes = applications.map(({ value }) => toHex(value.bytecode));

    for (const { key } of applications) await store.delete(key);
    // Since core-0.11 the node notes which code a context runs.
    if (schema === core011)
      for (const kind of [ContextExecutingBlob, ContextActivatedBlob])
        for await (const { key } of (store as Store<Core011>).table(kind).scan()) await store.delete(key);
    const found = await byOperations();
    expect(found.length).toBeGreaterThan(0);
    for (const { blob, kind, id } of found) {
      expect(codes).toContain(blob);
      expect(["GroupOpLog", "NamespaceGovOp"]).toContain(kind);
      expect(contexts).toContain(id);
    }
    expect(new Set(found.map(({ id, blob }) => id + blob)).size).toBe(found.length);

    for (const { key, value } of applications) await store.put(key, value);
    expect(await byOperations()).toEqual([]);
  },
);
