import { expect, it } from "vitest";
import { GroupDefaultCaps, schema } from "../../src/revisions/core-0.11.js";
import { memoryStore } from "../../src/testing/index.js";

const groupId = new Uint8Array(32).fill(7);

it("has the column families of its schema, and rows of its own", async () => {
  await using store = memoryStore(schema);
  await using other = memoryStore(schema);
  expect(store.columns.toSorted()).toEqual(["default", ...schema.columns].toSorted());
  await store.table(GroupDefaultCaps).put({ groupId }, { capabilities: 3 });
  expect(await store.table(GroupDefaultCaps).get({ groupId })).toEqual({ capabilities: 3 });
  expect(await other.table(GroupDefaultCaps).count()).toBe(0);
});

it("takes a schema only", () => {
  for (const wrong of [undefined, "core-0.11", {}])
    expect(() => memoryStore(wrong as never)).toThrow("takes a schema");
});

it("refuses what a store on disk refuses", async () => {
  await using store = memoryStore(schema);
  const wrong = { capabilities: -1 };
  await expect(store.table(GroupDefaultCaps).put({ groupId }, wrong)).rejects.toMatchObject({
    code: "ENCODE_FAILED",
  });
});
