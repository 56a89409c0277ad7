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
    for await (const { key, value } of store.scan("GroupMember")) {
      expect(key).toBeInstanceOf(keyClass);
      keys.push(toHex(key.bytes));
      const { groupId } = key;
      const parts =
        "account" in key ? { groupId, account: key.account } : { groupId, identity: key.identity };
      expect(await store.get("GroupMember", parts)).toEqual(value);
      expect(store.range("GroupMember", { groupId }).key).toBe(keyClass);
    }
    expect(keys.length).toBeGreaterThan(0);
    const ofGroups: string[] = [];
    for await (const { key: meta } of store.scan("GroupMeta", { keysOnly: true }))
      for await (const { key } of store.scan(store.range("GroupMember", { groupId: meta.groupId })))
        ofGroups.push(toHex(key.bytes));
    expect(ofGroups.toSorted()).toEqual(keys.toSorted());
  });

  it("an unknown kind or part is an error that names it", async () => {
    await using store = await openStore(fixturePath(fixture));
    const loose: { get(kind: string, parts: object): Promise<unknown>; scan(kind: string): unknown } =
      store as never;
    await expect(loose.get("GroupMembr", {})).rejects.toThrow('has no kind of row "GroupMembr"');
    expect(() => loose.scan("GroupMembr")).toThrow('has no kind of row "GroupMembr"');
    await expect(loose.get("GroupMember", { nobody: 1 })).rejects.toThrow('found "nobody"');
  });
});
