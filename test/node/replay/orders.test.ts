/**
 * Operations that several nodes made on one row at the same time: in whatever order a node applied them, its rows are
 * right. The tests apply them in each possible order.
 */
import { describe, expect, it } from "vitest";
import { fromHex } from "../../../src/bytes/hex.js";
import { replayFacts } from "../../../src/node/replay/index.js";
import { Chance } from "./histories/actors.js";
import { revision010 } from "./histories/core-010.js";
import { revision011 } from "./histories/core-011.js";
import { writeSite } from "./histories/site-database.js";
import { fourNodes, History, type Intent, type Made, type Revision, type Site } from "./histories/writer.js";

/** The rows that contradict the operations, and the number of rows that another order explains. */
async function judged(site: Site): Promise<{ readonly wrong: readonly string[]; readonly order: number }> {
  await using store = await writeSite(site);
  const wrong: string[] = [];
  let order = 0;
  for await (const fact of replayFacts(store)) {
    if (fact.fact !== "row") continue;
    if (fact.writer === "order") order++;
    if (fact.status !== "proven" && fact.status !== "explained") wrong.push(`${fact.kind} ${fact.status}`);
  }
  return { wrong, order };
}

/** The orders of operations that keep the order of each node's own. */
function* interleavings(chains: readonly (readonly Made[])[]): Generator<readonly Made[], void, undefined> {
  if (chains.every(({ length }) => length === 0)) yield [];
  for (const [at, chain] of chains.entries()) {
    const [first, ...rest] = chain;
    if (first !== undefined)
      for (const others of interleavings(chains.with(at, rest))) yield [first, ...others];
  }
}

/** Judges the founder once for each state that an order results in. */
async function inEachOrder(
  revision: Revision,
  intentsOf: (history: History) => readonly (readonly Intent[])[],
): Promise<{ readonly states: number; readonly explained: number }> {
  const { history, others } = fourNodes(revision);
  const intents = intentsOf(history);
  const chains = others.map((site, at) => (intents[at] ?? []).map((intent) => history.make(site, intent)));
  const states = new Set<string>();
  let explained = 0;
  for (const order of interleavings(chains)) {
    const site = history.reordered(0, new Chance(1));
    for (const made of order) site.apply(made);
    const state = site.rows
      .all()
      .map(({ kind, ids, value }) => `${kind} ${ids} ${JSON.stringify(value, inText)}`)
      .toSorted()
      .join("\n");
    if (states.has(state)) continue;
    states.add(state);
    const { wrong, order: count } = await judged(site);
    expect(wrong, order.map(({ author, op }) => `${author}: ${op.kind}`).join(", ")).toEqual([]);
    if (count > 0) explained++;
  }
  return { states: states.size, explained };
}

const inText = (_: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}` : value);

describe("In each order of operations that were made at the same time, core-0.10", () => {
  const on = (history: History, op: Intent["op"]): Intent => ({ op, group: history.namespace });

  it("a member has the role that the last one gave it, or is removed", async () => {
    const { states, explained } = await inEachOrder(revision010, (history) => {
      const member = fromHex(history.others[0] as string);
      return [
        [
          on(history, { kind: "MemberAdded", member, role: "Member" }),
          on(history, { kind: "MemberRoleSet", member, role: "ReadOnly" }),
          on(history, { kind: "MemberAdded", member, role: "Member" }),
          on(history, { kind: "MemberRoleSet", member, role: "Admin" }),
        ],
        [
          on(history, { kind: "MemberAdded", member, role: "Admin" }),
          on(history, { kind: "MemberRoleSet", member, role: "Member" }),
          on(history, { kind: "MemberAdded", member, role: "Admin" }),
          on(history, { kind: "MemberRemoved", member }),
        ],
        [on(history, { kind: "MemberRoleSet", member, role: "ReadOnly" })],
      ];
    });
    // The last operation makes the member Admin or ReadOnly, or removes it.
    expect(states).toBe(3);
    expect(explained).toBe(states - 1);
  });

  it("a member that another order removes is explained, not merely unconfirmed", async () => {
    const { states, explained } = await inEachOrder(revision010, (history) => {
      const member = fromHex(history.others[0] as string);
      return [
        [on(history, { kind: "MemberAdded", member, role: "Member" })],
        [on(history, { kind: "MemberAdded", member, role: "Member" })],
        [on(history, { kind: "MemberRemoved", member })],
      ];
    });
    expect(states).toBe(2);
    expect(explained).toBe(1);
  });

  it("a member has the default capabilities at the moment of its addition", async () => {
    const { states, explained } = await inEachOrder(revision010, (history) => {
      const member = fromHex(history.others[0] as string);
      return [
        [
          on(history, { kind: "DefaultCapabilitiesSet", capabilities: 1 }),
          on(history, { kind: "DefaultCapabilitiesSet", capabilities: 7 }),
          on(history, { kind: "DefaultCapabilitiesSet", capabilities: 0 }),
        ],
        [
          on(history, { kind: "MemberAdded", member, role: "Member" }),
          on(history, { kind: "MemberCapabilitySet", member, capabilities: 9 }),
        ],
        [
          on(history, { kind: "MemberRoleSet", member, role: "ReadOnly" }),
          on(history, { kind: "MemberRoleSet", member, role: "Admin" }),
        ],
      ];
    });
    // 9, or what the member got as ReadOnly after that, with 4, 1 or 7 as default; or 9 as Member, added last.
    expect(states).toBe(5);
    expect(explained).toBe(states - 1);
  });

  it("each field of a group is as the last one set it", async () => {
    const { states, explained } = await inEachOrder(revision010, (history) => {
      const [one, other] = history.others.map(fromHex) as [Uint8Array, Uint8Array];
      const policy = (kind: "Automatic" | "LazyOnAccess"): Intent =>
        on(history, { kind: "UpgradePolicySet", policy: { kind } });
      const migration = (byte: number): Intent =>
        on(history, { kind: "GroupMigrationSet", migration: Uint8Array.of(byte) });
      return [
        [policy("Automatic"), migration(1)],
        [{ op: { kind: "AdminChanged", newAdmin: one } }, policy("LazyOnAccess")],
        [migration(2), { op: { kind: "AdminChanged", newAdmin: other } }],
      ];
    });
    // Automatic, 2 and the first admin cannot come together: each would have to follow another one.
    expect(states).toBe(2 ** 3 - 1);
    expect(explained).toBe(states - 1);
  });
});

describe("In each order of operations that were made at the same time, core-0.11", () => {
  it("a role and an admin of the namespace are those of the last operation, whichever log it is in", async () => {
    const { states } = await inEachOrder(revision011, (history) => {
      const group = history.namespace;
      const [, bob, carol] = history.actors.map(({ id }) => fromHex(id)) as [
        Uint8Array,
        Uint8Array,
        Uint8Array,
      ];
      return [
        [
          { op: { kind: "AdminChanged", newAdmin: bob } },
          { op: { kind: "MemberRoleSet", member: carol, role: "Member" }, group },
        ],
        [
          { op: { kind: "MemberRoleSet", member: bob, role: "ReadOnly" }, group },
          { op: { kind: "AdminChanged", newAdmin: carol } },
        ],
        [{ op: { kind: "AdminChanged", newAdmin: bob } }],
      ];
    });
    // The member that was made ReadOnly last is not the admin.
    expect(states).toBe(6);
  });

  it("a member that leaves waits for another key, unless its group was open to the top by then", async () => {
    const { states } = await inEachOrder(revision011, (history) => {
      const [founder, ...others] = history.sites as [Site, ...Site[]];
      const chance = new Chance(3);
      const [one, other] = [chance.bytes(32), chance.bytes(32)];
      const namespace = fromHex(history.namespace);
      const create = (groupId: Uint8Array, parentId: Uint8Array): void => {
        const admin = fromHex(founder.actor.id);
        history.make(founder, { op: { kind: "GroupCreated", groupId, parentId, restricted: true, admin } });
      };
      create(one, namespace);
      create(other, one);
      for (const site of others) history.receive(site, history.made.length);
      const member = fromHex(history.others[0] as string);
      const group = toHexOf(other);
      const left = { kind: "MemberLeft", member, expectedContextStateHashes: [] } as const;
      return [
        [{ op: { kind: "GroupReparented", childGroupId: other, newParentId: namespace } }],
        [
          { op: { kind: "SubgroupVisibilitySet", mode: "Open" }, group },
          { op: { kind: "MemberAdded", member, role: "Member" }, group },
        ],
        [
          {
            op: { ...left, expectedGroupStateHash: new Uint8Array(32) },
            group,
          },
        ],
      ];
    });
    // The row is there or not, and waits or not.
    expect(states).toBe(4);
  });
});

const toHexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

describe("A cascade of core-0.11 from an application that an operation set", () => {
  it("leaves a group with the application of the founding alone, although nobody knows which that is", async () => {
    const history = new History(7, revision011, 2);
    const [founder] = history.sites as [Site];
    const chance = new Chance(3);
    const [groupId, appKey] = [chance.bytes(32), chance.bytes(32)];
    const admin = fromHex(founder.actor.id);
    const namespace = fromHex(history.namespace);
    history.make(founder, {
      op: { kind: "GroupCreated", groupId, parentId: namespace, restricted: false, admin },
    });
    history.make(founder, {
      op: { kind: "TargetApplicationSet", appKey, targetApplicationId: chance.bytes(32) },
      group: history.namespace,
    });
    // A node that joins now learns of the new application, and takes it for the group's.
    history.join(1, founder);
    const [, joiner] = history.sites as [Site, Site];
    history.make(joiner, {
      op: {
        kind: "CascadeUpgrade",
        fromAppKey: appKey,
        appKey: chance.bytes(32),
        targetApplicationId: chance.bytes(32),
        toStateVersion: 2,
        migration: null,
        cascadeHlc: { time: 7n << 32n, id: 1n },
      },
      group: toHexOf(groupId),
    });
    history.receive(founder, 9);
    expect(founder.rows.has("GroupUpgradeLadder", toHexOf(groupId))).toBe(false);
    expect(joiner.rows.has("GroupUpgradeLadder", toHexOf(groupId))).toBe(true);
    expect((await judged(founder)).wrong).toEqual([]);
    expect((await judged(joiner)).wrong).toEqual([]);
  });
});

describe("Capabilities of new members that were set twice at the same time, core-0.11", () => {
  it("are those that a joiner was told, even if its own order of the two yields others", async () => {
    const { history, founder, others } = fourNodes(revision011, { nodes: 5 });
    const group = history.namespace;
    const member = fromHex(history.others[0] as string);
    const added = history.make(founder, { op: { kind: "MemberAdded", member, role: "Member" }, group });
    for (const site of others) history.receive(site, 1);
    const sets = others
      .slice(0, 2)
      .map((site, at) =>
        history.make(site, { op: { kind: "DefaultCapabilitiesSet", capabilities: 7 + at }, group }),
      );
    for (const made of sets) founder.apply(made);
    history.join(4, founder);
    const told = new Set<boolean>();
    for (let seed = 0; seed < 8; seed++) {
      const joiner = history.reordered(4, new Chance(seed));
      const [first] = joiner.applied.filter((made) => sets.includes(made));
      told.add(first === sets[0]);
      expect(joiner.applied).toContain(added);
      // The answering node applied 8 last, and told the joiner so before it applied anything.
      const ids = [group, history.others[0] as string];
      expect(joiner.rows.get("GroupMemberCapability", ...ids)).toEqual({ capabilities: 8 });
      expect((await judged(joiner)).wrong).toEqual([]);
    }
    expect(told).toEqual(new Set([true, false]));
  });
});
