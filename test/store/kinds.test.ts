/** Rows by kind: programs that serve every revision. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { GroupMember, GroupMember010 } from "../../src/keys/index.js";
import { openStore } from "../../src/store/index.js";
import { fixturePath } from "../support/fixtures.js";

describe.each([
  ["core-0.10/node-a/db", GroupMember010],
  ["core-0.11/node-a/db", GroupMember],
] as const)("by kind, in %s", (fixture, keyClass) => {
  it("scan and get return the rows of the store's own revision", async () => {
    await using store = await openStore(fixturePath(fixture));
    const keys: string[] = [];
    for await (const { key, value } of store.table("GroupMember").scan()) {
      expect(key).toBeInstanceOf(keyClass);
      keys.push(toHex(key.bytes));
      const { groupId } = key;
      const parts =
        "account" in key ? { groupId, account: key.account } : { groupId, identity: key.identity };
      expect(await store.table("GroupMember").get(parts)).toEqual(value);
      expect(store.table("GroupMember").range({ prefix: { groupId } }).key).toBe(keyClass);
    }
    expect(keys.length).toBeGreaterThan(0);
    const ofGroups: string[] = [];
    for await (const { groupId } of store.table("GroupMeta").scan().keys())
      for await (const { key } of store.table("GroupMember").scan({ prefix: { groupId } }))
        ofGroups.push(toHex(key.bytes));
    expect(ofGroups.toSorted()).toEqual(keys.toSorted());
  });

  it("an unknown kind or part is an error that names it", async () => {
    await using store = await openStore(fixturePath(fixture));
    expect(() => store.table("GroupMembr" as never)).toThrow('has no kind of row "GroupMembr"');
    const parts = { nobody: 1 } as never;
    await expect(store.table("GroupMember").get(parts)).rejects.toThrow('found "nobody"');
  });
});
