/** The output of `groups` for three real nodes, against the answers of the nodes. */
import { describe, expect, it } from "vitest";
import { toBase58 } from "../../../src/bytes/base58.js";
import { fromHex } from "../../../src/bytes/hex.js";
import { answeredMoments, appsAnswers, appsDatabase } from "../../support/apps.js";
import { cli, linesOf } from "../run.js";

interface Answered {
  readonly memberCount: number;
  readonly contextCount: number;
  readonly subgroupVisibility: string;
  readonly targetApplicationId: string;
  readonly metadata?: { readonly name?: string };
}

interface Member {
  readonly identity: string;
  readonly role: string;
}

interface Printed {
  readonly id: string;
  readonly name: string | null;
  readonly kind: string;
  readonly members: number;
  readonly admins: readonly { readonly id: string }[];
  readonly contexts: readonly { readonly id: string; readonly name: string | null }[];
  readonly subgroups: readonly { readonly id: string }[];
  readonly application: { readonly id: string };
  readonly visibility: string | null;
  readonly ownRole: string | null;
}

/** The node does not show a restricted group to those who are neither in it nor admin of the group above. */
function seen(group: Printed, all: ReadonlyMap<string, Printed>): readonly string[] {
  const isAdmin = group.ownRole?.startsWith("Admin") === true;
  return group.subgroups.flatMap(({ id }) => {
    const { visibility, ownRole } = all.get(id) as Printed;
    return isAdmin || visibility === "open" || ownRole !== null ? [id] : [];
  });
}

describe.each(answeredMoments)("groups of %s", (moment) => {
  const answers = appsAnswers(moment);
  const answer = <T>(path: string): T => answers[path] as T;
  const own = answer<{ data: { accountId: string } }>("/identity").data.accountId;
  const membersOf = (id: string) => answer<{ members: readonly Member[] }>(`/groups/${id}/members`).members;
  // The node's own names come first.
  const aliases = new Map(
    Object.entries(answer<{ data: Readonly<Record<string, string>> }>("/alias/list/context").data).map(
      ([name, id]) => [id, name],
    ),
  );
  const answered = Object.keys(answers).flatMap((path) => {
    const id = /^\/groups\/([0-9a-f]{64})$/.exec(path)?.[1];
    const { data } = id === undefined ? {} : answer<{ data?: Answered }>(path);
    return id === undefined || data === undefined ? [] : [{ id, data }];
  });

  it("equal the node's list, with members, contexts and roles", async () => {
    using copy = appsDatabase(moment);
    const { stdout } = await cli("groups", copy.path, "--json");
    const printed = new Map(
      linesOf(stdout).map((line) => {
        const group = JSON.parse(line) as Printed;
        return [group.id, group];
      }),
    );
    expect(answered.length).toBeGreaterThan(3);
    for (const { id, data } of answered) {
      const group = printed.get(id) as Printed;
      const members = membersOf(id);
      const contexts = answer<{ data: readonly { contextId: string; name?: string }[] }>(
        `/groups/${id}/contexts`,
      ).data;
      const subgroups = answer<{ subgroups: readonly { groupId: string }[] }>(
        `/groups/${id}/subgroups`,
      ).subgroups;
      expect({
        name: group.name,
        members: group.members,
        admins: group.admins.map((admin) => admin.id).toSorted(),
        contexts: group.contexts.map((one) => [toBase58(fromHex(one.id)), one.name]).toSorted(),
        subgroups: seen(group, printed).toSorted(),
        application: toBase58(fromHex(group.application.id)),
        ownRole: group.ownRole?.replace(", owner", "") ?? null,
      }).toEqual({
        name: data.metadata?.name ?? null,
        members: data.memberCount,
        admins: members.flatMap(({ identity, role }) => (role === "Admin" ? [identity] : [])).toSorted(),
        contexts: contexts
          .map(({ contextId, name }) => [contextId, aliases.get(contextId) ?? name ?? null])
          .toSorted(),
        subgroups: subgroups.map(({ groupId }) => groupId).toSorted(),
        application: data.targetApplicationId,
        ownRole: members.find(({ identity }) => identity === own)?.role ?? null,
      });
      if (group.kind === "group") expect(group.visibility).toBe(data.subgroupVisibility);
    }
  });

  it("name all admins on the page of a group", async () => {
    using copy = appsDatabase(moment);
    const [most] = answered
      .map(({ id }) => ({ id, admins: membersOf(id).filter(({ role }) => role === "Admin").length }))
      .toSorted((a, b) => b.admins - a.admins);
    const { id } = most as { readonly id: string };
    const { stdout } = await cli("groups", copy.path, id);
    const line = linesOf(stdout).find((one) => /^admins? /.test(one)) as string;
    for (const { identity, role } of membersOf(id)) expect(line.includes(identity)).toBe(role === "Admin");
  });

  it("say the same in words", async () => {
    using copy = appsDatabase(moment);
    const lines = linesOf((await cli("groups", copy.path)).stdout);
    for (const { id, data } of answered) {
      const line = lines.find((one) => one.replace(/ · .*/, "").includes(id)) as string;
      const { memberCount: count } = data;
      expect(line).toContain(`${count} member${count === 1 ? "" : "s"} · `);
      const isMember = membersOf(id).some(({ identity }) => identity === own);
      expect(line.includes("this node: not a member")).toBe(!isMember);
    }
  });
});
