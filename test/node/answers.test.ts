/** Everything that real nodes answered about their groups, members, contexts and applications, against ours. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromBase58 } from "../../src/bytes/base58.js";
import { toHex } from "../../src/bytes/hex.js";
import {
  CalimeroNode,
  collectDescendantGroups,
  type GroupNode,
  resolveNamespace,
} from "../../src/node/index.js";
import { openStore, type Store } from "../../src/store/index.js";
import { answeredMoments, appsAnswers, appsDatabase, appsId } from "../support/apps.js";
import { fixturePath } from "../support/fixtures.js";

const hexOf = (base58: string): string => toHex(fromBase58(base58));
const idsOf = (heads: readonly (readonly number[])[]) => heads.map((head) => toHex(Uint8Array.from(head)));

const byJson = <T>(list: readonly T[]): readonly T[] =>
  list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
const byId = <T extends { readonly id: string }>(list: readonly T[]): readonly T[] =>
  list.toSorted((a, b) => (a.id < b.id ? -1 : 1));

interface Namespace {
  readonly namespaceId: string;
  readonly targetApplicationId: string;
  readonly appVersion?: string;
}

interface Context {
  readonly id: string;
  readonly applicationId: string;
  readonly serviceName?: string;
  readonly contextStateHash: string;
  readonly dagHeads: readonly (readonly number[])[];
  readonly name?: string;
  readonly groupId?: string;
}

interface Application {
  readonly id: string;
  readonly blob: { readonly bytecode: string };
  readonly size: number;
  readonly source: string;
  readonly package?: string;
  readonly version?: string;
  readonly signer_id?: string;
}

interface Group {
  readonly appKey: string;
  readonly targetApplicationId: string;
  readonly memberCount: number;
  readonly contextCount: number;
  readonly defaultCapabilities: number;
  readonly subgroupVisibility: string;
  readonly metadata?: { readonly name?: string; readonly data: Readonly<Record<string, string>> };
  readonly groupStateHash: string;
}

type Answers = Readonly<Record<string, unknown>>;

/** The answers of a node of `core-0.11` by path, as {@link appsAnswers} has them. */
function nodeAnswers(name: string): Answers {
  const read = (...path: readonly string[]): unknown =>
    JSON.parse(readFileSync(fixturePath("core-0.11", name, "api", ...path), "utf8"));
  const groups = existsSync(fixturePath("core-0.11", name, "api", "groups"))
    ? readdirSync(fixturePath("core-0.11", name, "api", "groups"))
    : [];
  return {
    "/namespaces": read("namespaces.json"),
    "/contexts": read("contexts.json"),
    "/identity": read("account.json"),
    "/applications": read("applications.json"),
    "/alias/list/context": read("context-aliases.json"),
    ...Object.fromEntries(
      groups.map((file) => {
        const [id, of] = file.split(".");
        return [of === "get" ? `/groups/${id}` : `/groups/${id}/${of}`, read("groups", file)];
      }),
    ),
  };
}

/** The groups that a node answered about: it does not about a group that it cannot see any more. */
const groupsOf = (answers: Answers): readonly string[] =>
  Object.keys(answers).flatMap((path) => {
    const id = /^\/groups\/([0-9a-f]{64})$/.exec(path)?.[1];
    return id !== undefined && "data" in (answers[path] as object) ? [id] : [];
  });

const nodes = ["node-a", "node-b", "node-c"].map((name) => ({ name, answers: nodeAnswers(name) }));

it("compares ten groups of nodes whose applications are plain", () => {
  expect(nodes.flatMap(({ answers }) => groupsOf(answers))).toHaveLength(10);
});

describe.each([
  ...nodes.map((node) => ({ ...node, isPlain: true })),
  ...answeredMoments.map((name) => ({ name, answers: appsAnswers(name) as Answers, isPlain: false })),
])("$name", ({ name, answers, isPlain }) => {
  const answer = <T>(path: string): T => answers[path] as T;
  const groups = groupsOf(answers);
  const contextIds = Object.keys(answers).flatMap((path) => /^\/contexts\/([^/]+)$/.exec(path)?.[1] ?? []);

  let database: ReturnType<typeof appsDatabase> | undefined;
  let store: Store;
  let node: CalimeroNode;
  let tree: ReadonlyMap<string, GroupNode>;
  beforeAll(async () => {
    database = isPlain ? undefined : appsDatabase(name);
    store = await openStore(database?.path ?? fixturePath("core-0.11", name, "db"));
    node = new CalimeroNode(store);
    const all = (one: GroupNode): readonly GroupNode[] => [one, ...one.children.flatMap(all)];
    tree = new Map((await node.namespaces()).flatMap(all).map((one) => [one.group.id, one]));
  });
  afterAll(async () => {
    await store.close();
    database?.[Symbol.dispose]();
  });

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
    const { data } = answer<{ data: readonly Namespace[] }>("/namespaces");
    const own = [...tree.values()].filter(
      (one) => one.group.kind === "namespace" && one.ownRole !== undefined,
    );
    const ours = own.map(async (one) => ({
      id: one.group.id,
      appKey: (await node.groupDetails(one.group.id))?.record.meta?.appKey,
      targetApplicationId: one.application?.id,
      createdAt: (one.createdAt ?? 0) / 1000,
      name: one.group.name,
      memberCount: one.members,
      contextCount: one.contexts.length,
      subgroupCount: one.children.length,
    }));
    const theirs = data.map(({ namespaceId: id, targetApplicationId, appVersion: _, ...one }) => {
      return { ...one, id, targetApplicationId: hexOf(targetApplicationId) };
    });
    expect(theirs.length > 0).toBe(name !== "node-c");
    expect(byId(await Promise.all(ours))).toEqual(byId(theirs));
  });

  it.each(groups)("has group %s as the node has it", async (id) => {
    const { data: theirs } = answer<{ data: Group }>(`/groups/${id}`);
    const one = tree.get(id) as GroupNode;
    expect(await node.group(id)).toEqual(one);
    const details = await node.groupDetails(id);
    expect({
      appKey: details?.record.meta?.appKey,
      targetApplicationId: one.application?.id,
      memberCount: one.members,
      contextCount: one.contexts.length,
      defaultCapabilities: details?.record.defaultCapabilities ?? 0,
      subgroupVisibility: one.visibility ?? "restricted",
      name: one.group.name,
      data: Object.fromEntries(details?.record.data ?? []),
      groupStateHash: details?.stateHash,
    }).toEqual({
      appKey: theirs.appKey,
      targetApplicationId: hexOf(theirs.targetApplicationId),
      memberCount: theirs.memberCount,
      contextCount: theirs.contextCount,
      defaultCapabilities: theirs.defaultCapabilities,
      subgroupVisibility: theirs.subgroupVisibility,
      name: theirs.metadata?.name,
      data: theirs.metadata?.data ?? {},
      groupStateHash: theirs.groupStateHash,
    });
    const { subgroups } = answer<{ subgroups: readonly { groupId: string; name?: string }[] }>(
      `/groups/${id}/subgroups`,
    );
    // The node does not show a restricted group to those who are neither in it nor admin of the group above.
    const seen = one.children.filter(
      (child) =>
        isPlain ||
        child.visibility === "open" ||
        child.ownRole !== undefined ||
        one.ownRole?.startsWith("Admin"),
    );
    expect(byId(seen.map(({ group }) => ({ id: group.id, name: group.name })))).toEqual(
      byId(subgroups.map(({ groupId, name }) => ({ id: groupId, name }))),
    );
    const contexts = answer<{ data: readonly { contextId: string; name?: string }[] }>(
      `/groups/${id}/contexts`,
    );
    const aliased = new Set(Object.values(contextAliases()));
    expect(
      byId(one.contexts.map(({ id, name }) => ({ id, name: aliased.has(id) ? undefined : name }))),
    ).toEqual(
      byId(
        contexts.data
          .map(({ contextId, name }) => ({ id: hexOf(contextId), name }))
          .map(({ id, name }) => ({ id, name: aliased.has(id) ? undefined : name })),
      ),
    );
  });

  it.each(groups)("has the members of group %s as the node has them", async (id) => {
    const { members: theirs } = answer<{
      members: readonly { identity: string; role: string; name?: string }[];
    }>(`/groups/${id}/members`);
    const members = await node.members(id);
    expect(byId(members.map(({ member, role }) => ({ id: member.id, role })))).toEqual(
      byId(theirs.map(({ identity, role }) => ({ id: identity, role }))),
    );
    const one = tree.get(id) as GroupNode;
    const admins = theirs.filter(({ role }) => role === "Admin").map(({ identity }) => identity);
    expect(one.admins.map((admin) => admin.id).toSorted()).toEqual(admins.toSorted());
    const { accountId } = answer<{ data: { accountId: string } }>("/identity").data;
    expect(one.ownRole?.split(",")[0]).toBe(theirs.find(({ identity }) => identity === accountId)?.role);
    for (const { identity, role, name } of theirs) {
      const own = members.find(({ member }) => member.id === identity);
      if (name !== undefined) expect(own?.member.name).toBe(name);
      const path = `/groups/${id}/members/${identity}/capabilities`;
      const mask = answer<{ data?: { capabilities: number } } | undefined>(path)?.data;
      if (mask != null) expect(own?.capabilities ?? 0).toBe(mask.capabilities);
      expect(await node.membershipsOf(identity)).toContainEqual({ group: one.group, role });
    }
    const devices = answer<
      | {
          members: readonly {
            account: string;
            devices: readonly { deviceId: string; signingKey: string }[];
          }[];
        }
      | undefined
    >(`/groups/${id}/member-devices`);
    for (const { account, devices: theirs } of devices?.members ?? [])
      expect(
        byJson(
          (members.find(({ member }) => member.id === account)?.devices ?? [])
            .filter(({ live }) => live)
            .map((device) => ({ deviceId: device.id, signingKey: device.signKey })),
        ),
      ).toEqual(byJson(theirs.map((one) => ({ ...one, signingKey: hexOf(one.signingKey) }))));
  });

  it("has the contexts that the node lists: application, service, hash, heads, name, group", async () => {
    const { contexts } = answer<{ data: { contexts: readonly Context[] } }>("/contexts").data;
    expect(contexts.length).toBeGreaterThan(0);
    const ours = (await node.contexts()).filter(({ application }) => application !== undefined);
    const details = await Promise.all(ours.map(({ context }) => node.context(context.id)));
    const installed = new Set((await node.applications()).map(({ id }) => id));
    const aliases = new Map(Object.entries(contextAliases()).map(([name, id]) => [id, name]));
    // This node wrote here between its answer and the copy of its database.
    const wrote = name === "healed-n1" ? appsId("contexts", "talk") : undefined;
    expect(
      details.map((one) => ({
        id: one?.context.id,
        application: one?.application?.id,
        installed: installed.has(one?.application?.id as string),
        service: one?.service,
        ...(one?.context.id !== wrote && { hash: one?.rootHash, heads: one?.heads }),
        group: one?.group?.id,
        ...(!isPlain && { name: one?.context.name }),
      })),
    ).toEqual(
      byId(
        contexts.map((one) => ({
          id: hexOf(one.id),
          application: hexOf(one.applicationId),
          installed: true,
          service: one.serviceName,
          ...(hexOf(one.id) !== wrote && { hash: hexOf(one.contextStateHash), heads: idsOf(one.dagHeads) }),
          group: one.groupId,
          ...(!isPlain && { name: aliases.get(hexOf(one.id)) ?? one.name }),
        })),
      ),
    );
  });

  it.each(contextIds)("has the identities of context %s", async (id) => {
    const details = await node.context(hexOf(id));
    const { data } = answer<{ data: { identities: readonly string[] } }>(`/contexts/${id}/identities`);
    expect(details?.identities.map(({ publicKey }) => publicKey).toSorted()).toEqual(
      data.identities.map(hexOf).toSorted(),
    );
  });

  it("is the account, device and key that the node says it is, and names things by its aliases", async () => {
    const { data } = answer<{ data: { accountId: string; deviceId: string; publicKey: string } }>(
      "/identity",
    );
    const own = await node.own();
    expect([own.account, own.device]).toEqual([data.accountId, data.deviceId]);
    expect([...own.publicKeys]).toEqual([hexOf(data.publicKey)]);
    for (const kind of ["context", "application"] as const) {
      const aliases = answer<{ data: Readonly<Record<string, string>> } | undefined>(`/alias/list/${kind}`);
      for (const [alias, id] of Object.entries(aliases?.data ?? {}))
        expect(await node.resolve(alias, [kind])).toMatchObject({ kind, id: hexOf(id) });
    }
  });

  it("has the applications that the node lists", async () => {
    const { apps } = answer<{ data: { apps: readonly Application[] } }>("/applications").data;
    const ours = await node.applications();
    expect(
      ours.map((one) => ({
        id: one.id,
        blob: one.blob,
        size: one.size,
        source: isPlain ? one.source : one.source.replace(/^file:.*/, "file://PATH"),
        ...(!isPlain && { package: one.package, version: one.version, signer: one.signer }),
      })),
    ).toEqual(
      byId(
        apps.map((one) => ({
          id: hexOf(one.id),
          blob: hexOf(one.blob.bytecode),
          size: one.size,
          source: one.source,
          ...(!isPlain && { package: one.package, version: one.version, signer: one.signer_id }),
        })),
      ),
    );
  });

  function contextAliases(): Readonly<Record<string, string>> {
    const { data } = answer<{ data: Readonly<Record<string, string>> }>("/alias/list/context");
    return Object.fromEntries(Object.entries(data).map(([name, id]) => [name, hexOf(id)]));
  }
});

it("does not call a context by its service: several contexts run one", async () => {
  using database = appsDatabase("healed-n1");
  await using store = await openStore(database.path);
  const node = new CalimeroNode(store);
  const whistle = await node.context(appsId("contexts", "whistle"));
  expect(whistle).toMatchObject({ context: { name: undefined }, service: "store-b" });
  await expect(node.resolve("store-b")).rejects.toMatchObject({ code: "UNKNOWN_NAME" });
});

it("says that operations cannot be read whose key is gone, and of no other group", async () => {
  using database = appsDatabase("healed-n2");
  await using store = await openStore(database.path);
  const node = new CalimeroNode(store);
  const all = (one: GroupNode): readonly GroupNode[] => [one, ...one.children.flatMap(all)];
  const unread = (await node.namespaces()).flatMap(all).map((one) => [one.group.name, one.unreadOperations]);
  expect(unread.filter(([, count]) => count !== 0)).toEqual([["pickers two", 1]]);
});
