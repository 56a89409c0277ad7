/** A real node's own answers about databases, field by field against ours. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import {
  CalimeroNode,
  collectDescendantGroups,
  type GroupNode,
  resolveNamespace,
} from "../../src/node/index.js";
import type { Store } from "../../src/store/index.js";
import { openStore } from "../../src/store/index.js";
import { fixturePath } from "../support/fixtures.js";
import { expectGroup, type GroupAnswer, hexOf } from "./group-answers.js";

function answer<T>(node: string, ...path: readonly string[]): T {
  return JSON.parse(readFileSync(fixturePath("core-0.11", node, "api", ...path), "utf8")) as T;
}

interface Namespace {
  readonly namespaceId: string;
  readonly appKey: string;
  readonly targetApplicationId: string;
  readonly createdAt: number;
  readonly name?: string;
  readonly memberCount: number;
  readonly contextCount: number;
  readonly subgroupCount: number;
}

interface Group extends GroupAnswer {
  readonly groupId: string;
}

interface Context {
  readonly id: string;
  readonly applicationId: string;
  readonly contextStateHash: string;
  readonly dagHeads: readonly (readonly number[])[];
  readonly applicationVersion: string;
  readonly groupId: string;
}

describe.each(["node-a", "node-b", "node-c"])("%s", (name) => {
  let store: Store;
  let node: CalimeroNode;
  beforeAll(async () => {
    store = await openStore(fixturePath("core-0.11", name, "db"));
    node = new CalimeroNode(store);
  });
  afterAll(async () => store.close());

  it("finds the namespace of each group, and all groups below one", async () => {
    const below = ({ children }: GroupNode): string[] =>
      children.flatMap((child) => [child.group.id, ...below(child)]);
    for (const namespace of await node.namespaces()) {
      const { id } = namespace.group;
      const found = await collectDescendantGroups(store, id);
      expect(found.toSorted()).toEqual(below(namespace).toSorted());
      for (const group of [id, ...found]) expect(await resolveNamespace(store, group)).toBe(id);
    }
  });

  it("has the namespaces that the node lists", async () => {
    const { data } = answer<{ data: readonly Namespace[] }>(name, "namespaces.json");
    const tree = await node.namespaces();
    const ours = await Promise.all(
      tree
        .filter(({ ownRole }) => ownRole !== undefined)
        .map(async ({ group, members, contexts, children, createdAt, application }) => ({
          namespaceId: group.id,
          appKey: (await node.groupDetails(group.id))?.record.meta?.appKey,
          targetApplicationId: application?.id,
          createdAt: (createdAt ?? 0) / 1000,
          name: group.name,
          memberCount: members,
          contextCount: contexts.length,
          subgroupCount: children.length,
        })),
    );
    const theirs = data.map((one) => ({ ...one, targetApplicationId: hexOf(one.targetApplicationId) }));
    const byId = (a: { readonly namespaceId: string }, b: { readonly namespaceId: string }): number =>
      a.namespaceId < b.namespaceId ? -1 : 1;
    expect(ours.toSorted(byId)).toEqual(theirs.toSorted(byId));
  });

  it("has the contexts that the node lists, with their names", async () => {
    const { contexts } = answer<{ data: { contexts: readonly Context[] } }>(name, "contexts.json").data;
    const ours = (await node.contexts()).filter(({ application }) => application !== undefined);
    const applications = new Map((await node.applications()).map((one) => [one.id, one]));
    expect(
      await Promise.all(
        ours.map(async ({ context: { id } }) => {
          const details = await node.context(id);
          const { application } = details ?? {};
          return {
            id,
            applicationId: application?.id,
            contextStateHash: details?.rootHash,
            dagHeads: details?.heads,
            groupId: details?.group?.id,
            installed: applications.has(application?.id as string),
          };
        }),
      ),
    ).toEqual(
      contexts
        .map((one) => ({
          id: hexOf(one.id),
          applicationId: hexOf(one.applicationId),
          contextStateHash: hexOf(one.contextStateHash),
          dagHeads: one.dagHeads.map((head) => toHex(Uint8Array.from(head))),
          groupId: one.groupId,
          installed: true,
        }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    const { data: aliases } = answer<{ data: Readonly<Record<string, string>> }>(
      name,
      "context-aliases.json",
    );
    for (const [alias, id] of Object.entries(aliases))
      expect(await node.resolve(alias, ["context"])).toMatchObject({ kind: "context", id: hexOf(id) });
  });

  it("is the account, device and key that the node says it is", async () => {
    const { data } = answer<{ data: { accountId: string; deviceId: string; publicKey: string } }>(
      name,
      "account.json",
    );
    const own = await node.own();
    expect(own.account).toBe(data.accountId);
    expect(own.device).toBe(data.deviceId);
    expect([...own.publicKeys]).toEqual([hexOf(data.publicKey)]);
  });

  it("has the applications that the node lists", async () => {
    const { apps } = answer<{ data: { apps: readonly Application[] } }>(name, "applications.json").data;
    const ours = await node.applications();
    expect(ours.map(({ id, blob, size, source }) => ({ id, blob, size, source }))).toEqual(
      apps
        .map(({ id, blob, size, source }) => ({
          id: hexOf(id),
          blob: hexOf(blob.bytecode),
          size,
          source,
        }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });
});

interface Application {
  readonly id: string;
  readonly blob: { readonly bytecode: string };
  readonly size: number;
  readonly source: string;
}

const groups = ["node-a", "node-b"].flatMap((name) =>
  readdirSync(fixturePath("core-0.11", name, "api", "groups"))
    .filter((file) => file.endsWith(".get.json"))
    .map((file) => ({ name, id: file.slice(0, 64) }))
    // A node does not answer about a group that it cannot see any more.
    .filter(({ id }) => "data" in answer<object>(name, "groups", `${id}.get.json`)),
);

it("compares ten groups", () => {
  expect(groups).toHaveLength(10);
});

describe.each(groups)("$name, group $id", ({ name, id }) => {
  it("equals the node's answer: members, settings, names and state hash", async () => {
    await using store = await openStore(fixturePath("core-0.11", name, "db"));
    const node = new CalimeroNode(store);
    const { data: theirs } = answer<{ data: Group }>(name, "groups", `${id}.get.json`);
    const group = (await node.group(id)) as GroupNode;
    const members = await node.members(id);
    expect({ id: group.group.id, members: members.length }).toEqual({
      id: theirs.groupId,
      members: theirs.memberCount,
    });
    await expectGroup(node, group, theirs);
    const roles = answer<{ members: readonly { identity: string; role: string }[] }>(
      name,
      "groups",
      `${id}.members.json`,
    ).members;
    const byId = (a: { readonly identity: string }, b: { readonly identity: string }): number =>
      a.identity < b.identity ? -1 : 1;
    expect(members.map(({ member, role }) => ({ identity: member.id, role })).toSorted(byId)).toEqual(
      roles.map(({ identity, role }) => ({ identity, role })).toSorted(byId),
    );
    const { subgroups } = answer<{ subgroups: readonly { groupId: string; name?: string }[] }>(
      name,
      "groups",
      `${id}.subgroups.json`,
    );
    expect(group.children.map((child) => ({ groupId: child.group.id, name: child.group.name }))).toEqual(
      subgroups.map((one) => ({ groupId: one.groupId, name: one.name })),
    );
  });
});
