/** Everything that three nodes answered about their groups, members, contexts and applications, against ours. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { CalimeroNode, type GroupNode } from "../../src/node/index.js";
import { openStore, type Store } from "../../src/store/index.js";
import { answeredMoments, appsAnswers, appsDatabase, appsId } from "../support/apps.js";
import { expectGroup, type GroupAnswer, hexOf } from "./group-answers.js";

const byJson = <T>(list: readonly T[]): readonly T[] =>
  list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

interface Context {
  readonly id: string;
  readonly applicationId: string;
  readonly serviceName?: string;
  readonly contextStateHash: string;
  readonly dagHeads: readonly (readonly number[])[];
  readonly applicationVersion: string;
  readonly name?: string;
  readonly groupId?: string;
}

describe.each(answeredMoments)("%s", (moment) => {
  const answers = appsAnswers(moment);
  const answer = <T>(path: string): T => answers[path] as T;
  const ids = (pattern: RegExp): readonly string[] =>
    Object.keys(answers).flatMap((path) => pattern.exec(path)?.[1] ?? []);
  const groups = ids(/^\/groups\/([0-9a-f]{64})$/).filter((id) => "data" in answer<object>(`/groups/${id}`));

  let database: ReturnType<typeof appsDatabase>;
  let store: Store;
  let node: CalimeroNode;
  let tree: ReadonlyMap<string, GroupNode>;
  beforeAll(async () => {
    database = appsDatabase(moment);
    store = await openStore(database.path);
    node = new CalimeroNode(store);
    const all = (one: GroupNode): readonly GroupNode[] => [one, ...one.children.flatMap(all)];
    tree = new Map((await node.namespaces()).flatMap(all).map((one) => [one.group.id, one]));
  });
  afterAll(async () => {
    await store.close();
    database[Symbol.dispose]();
  });

  it("has the namespaces that the node lists", async () => {
    const theirs = answer<{ data: readonly Record<string, unknown>[] }>("/namespaces").data;
    expect(theirs.length).toBeGreaterThan(0);
    const ours = [...tree.values()].filter(
      (one) => one.group.kind === "namespace" && one.ownRole !== undefined,
    );
    expect(
      byJson(
        ours.map((one) => ({
          namespaceId: one.group.id,
          createdAt: (one.createdAt ?? 0) / 1000,
          name: one.group.name,
          memberCount: one.members,
          contextCount: one.contexts.length,
          subgroupCount: one.children.length,
        })),
      ),
    ).toEqual(
      byJson(
        theirs.map(({ namespaceId, createdAt, name, memberCount, contextCount, subgroupCount }) => ({
          namespaceId,
          createdAt,
          name,
          memberCount,
          contextCount,
          subgroupCount,
        })),
      ),
    );
  });

  it.each(groups)("has group %s as the node has it", async (id) => {
    const theirs = answer<{ data: GroupAnswer }>(`/groups/${id}`).data;
    const one = tree.get(id) as GroupNode;
    await expectGroup(node, one, theirs);
    const { subgroups } = answer<{ subgroups: readonly { groupId: string; name?: string }[] }>(
      `/groups/${id}/subgroups`,
    );
    // The node does not show a restricted group to those who are neither in it nor admin of the group above.
    const seen = one.children.filter(
      (child) =>
        child.visibility === "open" || child.ownRole !== undefined || one.ownRole?.startsWith("Admin"),
    );
    expect(byJson(seen.map(({ group }) => ({ groupId: group.id, name: group.name })))).toEqual(
      byJson(subgroups.map(({ groupId, name }) => ({ groupId, name }))),
    );
    const contexts = answer<{ data: readonly { contextId: string; name?: string }[] }>(
      `/groups/${id}/contexts`,
    );
    const aliased = new Set(Object.values(contextAliases()));
    expect(
      byJson(one.contexts.map(({ id, name }) => ({ id, name: aliased.has(id) ? undefined : name }))),
    ).toEqual(
      byJson(
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
    expect(byJson(members.map(({ member, role }) => ({ identity: member.id, role })))).toEqual(
      byJson(theirs.map(({ identity, role }) => ({ identity, role }))),
    );
    const one = tree.get(id) as GroupNode;
    const admins = theirs.filter(({ role }) => role === "Admin").map(({ identity }) => identity);
    expect(one.admins.map((admin) => admin.id).toSorted()).toEqual(admins.toSorted());
    const { accountId } = answer<{ data: { accountId: string } }>("/identity").data;
    expect(one.ownRole?.split(",")[0]).toBe(theirs.find(({ identity }) => identity === accountId)?.role);
    for (const { identity, name } of theirs) {
      if (name !== undefined)
        expect(members.find(({ member }) => member.id === identity)?.member.name).toBe(name);
      const path = `/groups/${id}/members/${identity}`;
      const mask = answer<{ data?: { capabilities: number } }>(`${path}/capabilities`).data;
      if (mask != null)
        expect(members.find(({ member }) => member.id === identity)?.capabilities ?? 0).toBe(
          mask.capabilities,
        );
      expect(await node.membershipsOf(identity)).toContainEqual({
        group: one.group,
        role: theirs.find((other) => other.identity === identity)?.role,
      });
    }
    const devices = answer<{
      members: readonly { account: string; devices: readonly { deviceId: string; signingKey: string }[] }[];
    }>(`/groups/${id}/member-devices`);
    for (const { account, devices: theirs } of devices.members)
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
    const aliases = new Map(Object.entries(contextAliases()).map(([name, id]) => [id, name]));
    // This node wrote here between its answer and the copy of its database.
    const wrote = moment === "healed-n1" ? appsId("contexts", "talk") : undefined;
    expect(
      byJson(
        details.map((one) => ({
          id: one?.context.id,
          application: one?.application?.id,
          service: one?.service,
          ...(one?.context.id !== wrote && { hash: one?.rootHash, heads: one?.heads }),
          group: one?.group?.id,
          name: one?.context.name,
        })),
      ),
    ).toEqual(
      byJson(
        contexts.map((one) => ({
          id: hexOf(one.id),
          application: hexOf(one.applicationId),
          service: one.serviceName,
          ...(hexOf(one.id) !== wrote && {
            hash: hexOf(one.contextStateHash),
            heads: one.dagHeads.map((head) => toHex(Uint8Array.from(head))),
          }),
          group: one.groupId,
          name: aliases.get(hexOf(one.id)) ?? one.name,
        })),
      ),
    );
  });

  it.each(ids(/^\/contexts\/([^/]+)$/))("has the identities of context %s", async (id) => {
    const details = await node.context(hexOf(id));
    const keys = (path: string): readonly string[] =>
      answer<{ data: { identities: readonly string[] } }>(`/contexts/${id}/${path}`)
        .data.identities.map(hexOf)
        .toSorted();
    expect(details?.identities.map(({ publicKey }) => publicKey).toSorted()).toEqual(keys("identities"));
  });

  it("is the account, device and key that the node says it is, and names things by its aliases", async () => {
    const { data } = answer<{ data: { accountId: string; deviceId: string; publicKey: string } }>(
      "/identity",
    );
    const own = await node.own();
    expect([own.account, own.device]).toEqual([data.accountId, data.deviceId]);
    expect([...own.publicKeys]).toEqual([hexOf(data.publicKey)]);
    for (const kind of ["context", "application"] as const) {
      const aliases = answer<{ data: Readonly<Record<string, string>> }>(`/alias/list/${kind}`).data;
      for (const [alias, id] of Object.entries(aliases))
        expect(await node.resolve(alias, [kind])).toMatchObject({ kind, id: hexOf(id) });
    }
  });

  it("has the applications that the node lists", async () => {
    const { apps } = answer<{ data: { apps: readonly Application[] } }>("/applications").data;
    const ours = await node.applications();
    expect(
      byJson(
        ours.map((one) => [
          one.id,
          one.blob,
          one.size,
          one.source.replace(/^file:.*/, "file://PATH"),
          one.package,
          one.version,
          one.signer,
        ]),
      ),
    ).toEqual(
      byJson(
        apps.map((one) => [
          hexOf(one.id),
          hexOf(one.blob.bytecode),
          one.size,
          one.source,
          one.package,
          one.version,
          one.signer_id,
        ]),
      ),
    );
  });

  function contextAliases(): Readonly<Record<string, string>> {
    const { data } = answer<{ data: Readonly<Record<string, string>> }>("/alias/list/context");
    return Object.fromEntries(Object.entries(data).map(([name, id]) => [name, hexOf(id)]));
  }
});

interface Application {
  readonly id: string;
  readonly blob: { readonly bytecode: string };
  readonly size: number;
  readonly source: string;
  readonly package?: string;
  readonly version?: string;
  readonly signer_id?: string;
}

it("does not call a context by its service: several contexts run one", async () => {
  using database = appsDatabase("healed-n1");
  await using store = await openStore(database.path);
  const node = new CalimeroNode(store);
  const whistle = await node.context(appsId("contexts", "whistle"));
  expect(whistle).toMatchObject({ context: { name: undefined }, service: "store-b" });
  await expect(node.resolve("store-b")).rejects.toThrow();
});

it("says that operations cannot be read whose key is gone, and of no other group", async () => {
  using database = appsDatabase("healed-n2");
  await using store = await openStore(database.path);
  const node = new CalimeroNode(store);
  const all = (one: GroupNode): readonly GroupNode[] => [one, ...one.children.flatMap(all)];
  const unread = (await node.namespaces()).flatMap(all).map((one) => [one.group.name, one.unreadOperations]);
  expect(unread.filter(([, count]) => count !== 0)).toEqual([["pickers two", 1]]);
});
