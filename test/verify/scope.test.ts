/** A check of one group finds what a check of all finds about the group, and nothing else. */
import { expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import * as key from "../../src/keys/index.js";
import { core011 } from "../../src/schemas/index.js";
import type { Store } from "../../src/store/index.js";
import { verifyStore } from "../../src/verify/index.js";
import { listOf } from "../support/lists.js";
import { inMemory, rowsOf } from "./altered.js";

/** The keys and messages of the findings of a check. */
async function findings(store: Store, group?: string): Promise<readonly string[]> {
  const found = await listOf(verifyStore(store, group === undefined ? {} : { group: fromHex(group) }));
  return found.map(({ rule, key, message }) => `${rule} ${key}: ${message}`);
}

it("finds a lost member and a changed role in their own group, and in no other", async () => {
  const store = await inMemory("core-0.11/node-a", core011);
  const metas = await rowsOf(store, key.GroupMeta);
  const groups = metas.map(({ key: { groupId } }) => toHex(groupId));
  expect(groups.length).toBeGreaterThan(2);
  const before = new Set(await findings(store));

  const [first] = await rowsOf(store, key.GroupMember);
  const group = toHex(first.key.groupId);
  await store.delete(first.key);
  const news = (await findings(store)).filter((finding) => !before.has(finding));
  expect(news.join("\n")).toContain("makes this row, which is not there");

  for (const one of groups) {
    const found = await findings(store, one);
    for (const finding of found) expect(finding).toContain(one);
    const isNew = found.some((finding) => news.includes(finding));
    expect(isNew, `the findings of group ${one}`).toBe(one === group);
  }
});

it("finds in a namespace what is wrong with its log", async () => {
  const store = await inMemory("core-0.11/node-a", core011);
  const [operation] = await rowsOf(store, key.NamespaceGovOp);
  const namespace = toHex(operation.key.namespaceId);
  const before = new Set(await findings(store, namespace));
  await store.delete(operation.key);
  const news = (await findings(store, namespace)).filter((finding) => !before.has(finding));
  expect(news.length).toBeGreaterThan(0);
});

it("says which rules are not about one group", async () => {
  const store = await inMemory("core-0.11/node-a", core011);
  const [{ key: meta }] = await rowsOf(store, key.GroupMeta);
  const { rules, columns } = await verifyStore(store, { group: meta.groupId }).summary();
  const skipped = rules
    .filter(({ skipped }) => skipped === "it is not about one group")
    .map(({ rule }) => rule);
  expect(skipped).toContain("delta-id");
  expect(skipped).not.toContain("row-without-operation");
  expect(columns.every(({ column }) => column !== "State")).toBe(true);
});
