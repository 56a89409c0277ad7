/** Random operations of core-0.10, and their effect on rows: governance G.2 to G.5, written a second time. */
import { fromHex, toHex } from "../../../../src/bytes/hex.js";
import type { Codec } from "../../../../src/codec/index.js";
import { groupOpId010, groupStateHash, namespaceOpId010 } from "../../../../src/digests/index.js";
import {
  GroupOp010,
  type RootOp010,
  SignedGroupOp010,
  type SignedNamespaceOp010,
  StoredNamespaceEntry010,
} from "../../../../src/payloads/index.js";
import { core010, type Schema } from "../../../../src/schemas/index.js";
import type { Actor, Chance } from "./actors.js";
import {
  applyCommon,
  changedCapability,
  contextCapabilityChanged,
  contextRegistered,
  detachContext,
  giveDefaults,
  groupMeta,
  groupMigrationSet,
  invitedRole,
  pickSubject,
  registerContext,
  targetApplicationSet,
} from "./both.js";
import type { HistoryRows } from "./rows.js";
import type { Intent, Made, Revision, Site } from "./writer.js";

type Role = "Admin" | "Member" | "ReadOnly";
interface Meta {
  readonly adminIdentity: Uint8Array;
  readonly targetApplicationId: Uint8Array;
}
const founding = 4;

export const revision010: Revision = {
  schema: core010 as unknown as Schema,
  accounts: false,
  entry: StoredNamespaceEntry010 as unknown as Codec<unknown>,
  groupOp: GroupOp010 as unknown as Codec<unknown>,
  signedGroupOp: SignedGroupOp010 as unknown as Codec<unknown>,
  namespaceOpId: (signed) => namespaceOpId010(signed as SignedNamespaceOp010),
  groupOpId: (signed) => groupOpId010(signed as SignedGroupOp010),
  stateHash: ({ rows }, group) => {
    const meta = rows.get<Meta>("GroupMeta", group) as Meta;
    const members = rows.of("GroupMember", group).map(({ ids, value }) => {
      return { id: fromHex(ids[1] as string), role: (value as { role: Role }).role };
    });
    const { adminIdentity: admin, targetApplicationId } = meta;
    return { stateHash: groupStateHash({ groupId: fromHex(group), admin, targetApplicationId, members }) };
  },
  found: ({ history }) => ({ op: { kind: "GroupCreated", groupId: fromHex(history.namespace) } }),
  join: ({ actor }, responder) => ({
    op: {
      kind: "MemberJoined",
      member: fromHex(actor.id),
      signedInvitation: {
        invitation: {
          inviterIdentity: fromHex(responder.actor.id),
          groupId: fromHex(responder.history.namespace),
          expirationTimestamp: 0n,
          secretSalt: responder.history.chance.bytes(32),
          invitedRole: responder.history.chance.pick([0, 1, 2]),
        },
        inviterSignature: "00".repeat(64),
      },
    },
  }),
  begin,
  choose,
  apply,
};

function begin(site: Site, joining: Intent | undefined): void {
  const { rows, history } = site;
  const { namespace } = history;
  site.addFirstKey(namespace);
  if (joining === undefined) return;
  const { member, signedInvitation } = joining.op as Extract<RootOp010, { readonly kind: "MemberJoined" }>;
  const { inviterIdentity, invitedRole: role } = signedInvitation.invitation;
  rows.set("GroupMeta", [namespace], meta(inviterIdentity, { autoJoin: true }));
  add(rows, namespace, toHex(member), invitedRole(role));
}

function meta(adminIdentity: Uint8Array, fields: object): object {
  return groupMeta(adminIdentity, { upgradePolicy: { kind: "LazyOnAccess" }, ...fields });
}

function add(rows: HistoryRows, group: string, member: string, role: Role): void {
  rows.set("GroupMember", [group, member], { role, privateKey: null, senderKey: null });
  giveDefaults(rows, group, member, role);
}

/** An operation that this node accepts with its present rows. */
function choose(site: Site, chance: Chance): Intent | undefined {
  const { rows, history } = site;
  const { namespace, actors } = history;
  const { groups, group, anyone, member, context } = pickSubject(site, chance);
  const on = (op: GroupOp010, rotates = false): Intent => ({ op, group, rotates });
  const role = chance.pick(["Admin", "Member", "ReadOnly"] as const);
  const alias = `name ${chance.below(100)}`;
  switch (chance.below(20)) {
    case 0:
      return { op: { kind: "GroupCreated", groupId: chance.bytes(32) } };
    case 1: {
      const child = chance.pick(groups);
      if (child === namespace || rows.has("GroupParentRef", child)) return undefined;
      return { op: { kind: "GroupNested", parentGroupId: fromHex(namespace), childGroupId: fromHex(child) } };
    }
    case 2: {
      const nested = rows.of("GroupChildIndex");
      if (nested.length === 0) return undefined;
      const [parent, child] = chance.pick(nested).ids as [string, string];
      return {
        op: { kind: "GroupUnnested", parentGroupId: fromHex(parent), childGroupId: fromHex(child) },
      };
    }
    case 3:
      return { op: { kind: "AdminChanged", newAdmin: fromHex(anyone) } };
    case 4:
      return { op: { kind: "PolicyUpdated", policyBytes: chance.bytes(5) } };
    case 5:
      return on({ kind: "Noop" });
    case 6:
    case 7:
      return on({ kind: "MemberAdded", member: fromHex(anyone), role });
    case 8:
      return actors.some(({ id }) => id === member)
        ? undefined
        : on({ kind: "MemberRemoved", member: fromHex(member) }, true);
    case 9:
      return on({ kind: "MemberRoleSet", member: fromHex(member), role });
    case 10:
      return on({
        kind: "MemberCapabilitySet",
        member: fromHex(member),
        capabilities: chance.below(32),
      });
    case 11:
      return on({ kind: "DefaultCapabilitiesSet", capabilities: chance.pick([0, 1, 4, 7]) });
    case 12:
      return on({ kind: "UpgradePolicySet", policy: { kind: chance.pick(["Automatic", "LazyOnAccess"]) } });
    case 13:
      return on(targetApplicationSet(chance));
    case 14:
      return on(contextRegistered(chance));
    case 15:
      return context && on({ kind: "ContextDetached", contextId: context });
    case 16:
      return on({ kind: "DefaultVisibilitySet", mode: chance.below(2) });
    case 17:
      return chance.is(0.5)
        ? on({ kind: "GroupAliasSet", alias })
        : on({ kind: "MemberAliasSet", member: fromHex(member), alias });
    case 18:
      return context && chance.is(0.5)
        ? on({ kind: "ContextAliasSet", contextId: context, alias })
        : on(groupMigrationSet(chance));
    default: {
      const changed = contextCapabilityChanged(chance, context, member);
      return changed && on(changed);
    }
  }
}

function apply(site: Site, made: Made): void {
  if (made.group === undefined) applyRoot(site, made, made.op as RootOp010);
  else applyGroup(site.rows, made.group, made.op as GroupOp010);
}

function applyRoot(site: Site, { author }: Made, op: RootOp010): void {
  const { rows, history, number } = site;
  const { namespace, actors } = history;
  const signer = (actors[author] as Actor).id;
  const isOwn = author === number;
  switch (op.kind) {
    case "GroupCreated": {
      const group = toHex(op.groupId);
      if (group !== namespace) site.addFirstKey(group);
      if (rows.has("GroupMeta", group)) break;
      const told = {
        autoJoin: true,
        createdAt: 9n,
        appKey: fromHex(group),
        targetApplicationId: fromHex(group),
      };
      rows.set("GroupMeta", [group], meta(fromHex(signer), isOwn ? told : {}));
      if (!isOwn) break;
      add(rows, group, signer, "Admin");
      rows.set("GroupDefaultCaps", [group], { capabilities: founding });
      break;
    }
    case "AdminChanged":
      rows.change("GroupMeta", [namespace], { adminIdentity: op.newAdmin });
      break;
    case "GroupNested": {
      const [parent, child] = [toHex(op.parentGroupId), toHex(op.childGroupId)];
      if (rows.has("GroupParentRef", child)) break;
      rows.set("GroupParentRef", [child], op.parentGroupId);
      rows.set("GroupChildIndex", [parent, child], null);
      break;
    }
    case "GroupUnnested":
      rows.delete("GroupParentRef", toHex(op.childGroupId));
      rows.delete("GroupChildIndex", toHex(op.parentGroupId), toHex(op.childGroupId));
      break;
    case "MemberJoined": {
      const role = invitedRole(op.signedInvitation.invitation.invitedRole);
      const member = toHex(op.member);
      if (!isOwn && !rows.has("GroupMember", namespace, member)) add(rows, namespace, member, role);
      break;
    }
  }
}

function applyGroup(rows: HistoryRows, group: string, op: GroupOp010): void {
  switch (op.kind) {
    case "MemberAdded":
    case "MemberRoleSet":
      add(rows, group, toHex(op.member), op.role);
      break;
    case "MemberRemoved":
      rows.delete("GroupMember", group, toHex(op.member));
      break;
    case "MemberCapabilitySet":
    case "DefaultCapabilitiesSet":
    case "GroupMigrationSet":
      applyCommon(rows, group, op);
      break;
    case "UpgradePolicySet":
      rows.change("GroupMeta", [group], { upgradePolicy: op.policy });
      break;
    case "TargetApplicationSet":
      rows.change("GroupMeta", [group], {
        appKey: op.appKey,
        targetApplicationId: op.targetApplicationId,
      });
      break;
    case "ContextRegistered": {
      registerContext(rows, group, op.contextId);
      const target = rows.get<Meta>("GroupMeta", group)?.targetApplicationId;
      if (target?.every((byte) => byte === 0))
        rows.change("GroupMeta", [group], { targetApplicationId: op.applicationId });
      return;
    }
    case "ContextDetached":
      detachContext(rows, group, op.contextId);
      break;
    case "DefaultVisibilitySet":
      rows.set("GroupDefaultVis", [group], { mode: op.mode });
      break;
    case "GroupAliasSet":
      rows.set("GroupAlias", [group], op.alias);
      break;
    case "MemberAliasSet":
      rows.set("GroupMemberAlias", [group, toHex(op.member)], op.alias);
      break;
    case "ContextAliasSet":
      rows.set("GroupContextAlias", [group, toHex(op.contextId)], op.alias);
      break;
    case "ContextCapabilityGranted":
    case "ContextCapabilityRevoked": {
      const { ids, after } = changedCapability(rows, group, op);
      rows.set("GroupContextMemberCap", ids, after);
    }
  }
}
