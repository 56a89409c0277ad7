/** Rows that a hostile database fills: the steps of a rule grow with the rows, not with their square. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { concat } from "../../src/bytes/concat.js";
import { indexStateKey } from "../../src/digests/index.js";
import { openMemoryEngine } from "../../src/engines/memory/index.js";
import * as key from "../../src/keys/index.js";
import { EntityIndex011 } from "../../src/payloads/index.js";
import { core011 } from "../../src/schemas/index.js";
import { type Store, storeOn } from "../../src/store/index.js";
import { ruleOf, verifyStore } from "../../src/verify/index.js";
import { listOf } from "../support/lists.js";
import { publicMetadata } from "../support/plain-rows.js";
import { inMemory, rowsOf } from "./altered.js";

afterEach(() => void vi.restoreAllMocks());

/** Counts the elements that searches in long lists look at. Returns the number of findings too. */
async function search(
  store: Store,
  rule: string,
): Promise<{ readonly looks: number; readonly found: number }> {
  const { some, includes } = Array.prototype;
  let looks = 0;
  const look = (list: readonly unknown[]): void => {
    if (list.length >= 1000) looks += list.length;
  };
  vi.spyOn(Array.prototype, "some").mockImplementation(function (this: unknown[], test) {
    look(this);
    return some.call(this, test);
  });
  vi.spyOn(Array.prototype, "includes").mockImplementation(function (this: unknown[], one) {
    look(this);
    return includes.call(this, one);
  });
  const found = (await listOf(verifyStore(store, { rules: [ruleOf(rule)] }))).length;
  vi.restoreAllMocks();
  return { looks, found };
}

/** Ids that differ in their last two bytes. */
const ids = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => {
    const id = new Uint8Array(32).fill(7);
    new DataView(id.buffer).setUint16(30, from + at);
    return id;
  });

describe("rows that a hostile database fills", () => {
  it("deleted-children: as many deleted children as children, half of them both", async () => {
    const contextId = new Uint8Array(32).fill(1);
    const metadata = publicMetadata(1n, 2n);
    const zeros = new Uint8Array(32);
    const value = EntityIndex011.encode({
      id: contextId,
      parentId: null,
      children: ids(0, 4000).map((id) => ({ id, merkleHash: zeros, metadata })),
      fullHash: zeros,
      ownHash: zeros,
      metadata,
      deletedAt: null,
      deletedChildren: ids(2000, 6000),
    });
    const engine = openMemoryEngine({ columns: [...core011.columns] });
    await engine.write([
      { type: "put", column: "State", key: concat(contextId, indexStateKey(contextId)), value },
    ]);
    await using store = (await storeOn(engine, { schema: core011 })) as unknown as Store;
    // Each has a finding, because it has no row. Deleted ones that are children have another.
    expect(await search(store, "deleted-children")).toEqual({ looks: 0, found: 4000 + 2000 });
  });

  it("signer-nonce: a window of 100,000 nonces", async () => {
    await using store = await inMemory("core-0.11/node-a", core011);
    const above = Array.from({ length: 100_000 }, (_, at) => BigInt(10_000_000 - at));
    const windows = await rowsOf(store, key.GroupLocalGovNonceWindow);
    for (const { key: at } of windows) await store.put(at, { floor: 0n, above });
    const { looks, found } = await search(store as unknown as Store, "signer-nonce");
    expect(looks).toBe(0);
    expect(found).toBeGreaterThan(1);
  });
});
