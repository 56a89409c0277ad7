/** Random operations of core-0.11. */
import { fromHex, toHex } from "../../../../src/bytes/hex.js";
import type { Codec } from "../../../../src/codec/index.js";
import { derivePublicKey, deriveX25519PublicKey, sign } from "../../../../src/crypto/index.js";
import {
  endorsementDigest,
  groupOpId011,
  groupStateHash,
  handoffDigest,
  namespaceOpId011,
} from "../../../../src/digests/index.js";
import {
  GroupOp011,
  type RootOp011,
  SignedGroupOp011,
  type SignedNamespaceOp011,
  StoredNamespaceEntry011,
} from "../../../../src/payloads/index.js";
import { core011, type Schema } from "../../../../src/schemas/index.js";
import { type Actor, type Chance, makeCert } from "./actors.js";
import {
  contextCapabilityChanged,
  contextRegistered,
  groupMeta,
  groupMigrationSet,
  pickSubject,
  targetApplicationSet,
} from "./both.js";
import { apply, isAdmin, isOpen, isOpenToTop, type Meta, type Role, roleOf } from "./core-011-rows.js";
import type { History, Intent, Revision, Site } from "./writer.js";

const zeros = new Uint8Array(32);
const noContexts = { expectedContextStateHashes: [] };

export const revision011: Revision = {
  schema: core011 as unknown as Schema,
  accounts: true,
  entry: StoredNamespaceEntry011 as unknown as Codec<unknown>,
  groupOp: GroupOp011 as unknown as Codec<unknown>,
  signedGroupOp: SignedGroupOp011 as unknown as Codec<unknown>,
  namespaceOpId: (signed) => namespaceOpId011(signed as SignedNamespaceOp011),
  groupOpId: (signed) => groupOpId011(signed as SignedGroupOp011),
  stateHash: () => ({}),
  found: ({ actor }) => ({
    op: { kind: "NamespaceCreated", founder: fromHex(actor.id), account: credential(actor) },
  }),
  join: (site, responder) => join(site.actor, responder),
  begin,
  choose,
  apply,
};

function credential({ genesis, cert }: Actor) {
  return { genesis, chain: [], statement: cert };
}

function join({ id, cert, genesis }: Actor, responder: Site): Intent {
  const { chance, namespace } = responder.history;
  const meta = responder.rows.get<Meta>("GroupMeta", namespace);
  return {
    op: {
      kind: "MemberJoinedAt",
      member: fromHex(id),
      joinedAt: 1_795_000_000n,
      account: { genesis, chain: [], statement: cert },
      signedInvitation: {
        invitation: {
          inviterIdentity: fromHex(responder.actor.publicKey),
          groupId: fromHex(namespace),
          expirationTimestamp: 0n,
          invitationNonce: chance.bytes(32),
          invitedRole: chance.pick([0, 0, 1, 2]),
        },
        inviterSignature: "00".repeat(64),
        inviterAccount: fromHex(responder.actor.id),
        applicationId: meta?.targetApplicationId ?? null,
        appKey: meta?.appKey ?? null,
      },
    },
  };
}

function begin(site: Site, joining: Intent | undefined, told: number): void {
  const { rows, history } = site;
  const { namespace } = history;
  const op = joining?.op as Extract<RootOp011, { readonly kind: "MemberJoinedAt" }> | undefined;
  const hint = op?.signedInvitation;
  site.addFirstKey(namespace);
  const fields = {
    ownerIdentity: zeros,
    appKey: hint?.appKey ?? foundersApplication(namespace),
    targetApplicationId: hint?.applicationId ?? foundersApplication(namespace),
    createdAt: joining === undefined ? 1_795_000_000n : 0n,
    autoJoin: true,
  };
  rows.set("GroupMeta", [namespace], groupMeta(zeros, fields));
  if (joining !== undefined) rows.set("GroupDefaultCaps", [namespace], { capabilities: told });
}

const foundersApplication = (namespace: string): Uint8Array => fromHex(namespace).fill(0xaa, 0, 4);

/**
 * A group and all groups that operations ever put above it, directly or not. A node refuses to put a group below
 * itself, and everything that follows this operation: no order of operations shall make it do so.
 */
function everAbove({ made }: History, group: string): ReadonlySet<string> {
  const above = new Set([group]);
  for (const one of above)
    for (const { op } of made) {
      if (op.kind === "GroupCreated" && "parentId" in op && toHex(op.groupId) === one)
        above.add(toHex(op.parentId));
      if (op.kind === "GroupReparented" && toHex(op.childGroupId) === one) above.add(toHex(op.newParentId));
    }
  return above;
}

/** An operation that this node accepts with its present rows. */
function choose(site: Site, chance: Chance): Intent | undefined {
  const { rows, history, actor } = site;
  const { namespace, actors } = history;
  const me = actor.id;
  const { groups, group, members, anyone, member, context } = pickSubject(site, chance);
  const meta = rows.get<Meta>("GroupMeta", group) as Meta;
  const on = (op: GroupOp011, rotates = false): Intent => ({ op, group, rotates });
  const metadata = {
    name: chance.is(0.2) ? null : `name ${chance.below(100)}`,
    data: new Map([["a", `${chance.below(9)}`]]),
  };
  const isActor = actors.some(({ id }) => id === member);
  const removal = () => ({
    member: fromHex(member),
    ...noContexts,
    expectedGroupStateHash: groupStateHash({
      groupId: fromHex(group),
      admin: meta.adminIdentity,
      owner: meta.ownerIdentity,
      targetApplicationId: meta.targetApplicationId,
      members: members
        .filter((one) => one !== member)
        .map((id) => ({ id: fromHex(id), role: roleOf(rows, group, id) as Role })),
    }),
  });
  const subgroup = groups.length > 1 ? chance.pick(groups.filter((one) => one !== namespace)) : undefined;
  switch (chance.below(27)) {
    case 0:
      return {
        op: {
          kind: "GroupCreated",
          groupId: chance.bytes(32),
          parentId: fromHex(group),
          restricted: chance.is(0.5),
          admin: fromHex(me),
        },
      };
    case 1: {
      if (subgroup === undefined) return undefined;
      const to = chance.pick(groups.filter((one) => !everAbove(history, one).has(subgroup)));
      return { op: { kind: "GroupReparented", childGroupId: fromHex(subgroup), newParentId: fromHex(to) } };
    }
    case 2: {
      const [, admin] = chance.pick(rows.of("GroupMember", namespace)).ids as [string, string];
      return { op: { kind: "AdminChanged", newAdmin: fromHex(admin) } };
    }
    case 3:
      return { op: { kind: "PolicyUpdated", policyBytes: chance.bytes(5) } };
    case 4:
      if (!isOpen(rows, group)) return undefined;
      return {
        op: {
          kind: "MemberJoinedOpen",
          member: fromHex(me),
          groupId: fromHex(group),
          account: credential(actor),
        },
      };
    case 5:
      return on({ kind: "Noop" });
    case 6:
    case 7:
    case 8:
      return on({
        kind: "MemberAdded",
        member: fromHex(anyone),
        role: chance.pick(["Admin", "Member", "ReadOnly"]),
      });
    case 9:
      if (isActor || meta === undefined) return undefined;
      return on(
        { kind: "MemberRemoved", ...removal() },
        !isOpenToTop(rows, namespace, group) || group === namespace,
      );
    case 10:
      if (isActor || members.length === 0) return undefined;
      return on({ kind: "MemberLeft", ...removal() });
    case 11:
      return members.length === 0
        ? undefined
        : on({
            kind: "MemberRoleSet",
            member: fromHex(member),
            role: chance.pick(["Admin", "Member", "ReadOnly"]),
          });
    case 12:
      return members.length === 0
        ? undefined
        : on({ kind: "MemberCapabilitySet", member: fromHex(member), capabilities: chance.below(512) });
    case 13:
      return on({ kind: "DefaultCapabilitiesSet", capabilities: chance.pick([0, 1, 4, 7]) });
    case 14:
      return on(targetApplicationSet(chance));
    case 15:
      return on({ ...contextRegistered(chance), serviceName: chance.pick([null, "service"]) });
    case 16:
      return context && on({ kind: "ContextDetached", contextId: context });
    case 17:
      return group === namespace
        ? undefined
        : on({ kind: "SubgroupVisibilitySet", mode: chance.pick(["Open", "Restricted"]) });
    case 18:
      return on({ kind: "GroupMetadataSet", ...metadata });
    case 19:
      return on({ kind: "MemberMetadataSet", member: fromHex(member), ...metadata });
    case 20:
      return context && on({ kind: "ContextMetadataSet", contextId: context, ...metadata });
    case 21:
      return on(groupMigrationSet(chance));
    case 22: {
      if (context === undefined || members.length === 0) return undefined;
      const changed = contextCapabilityChanged(chance, context, member);
      return changed && on(changed);
    }
    case 23:
      return members.length === 0
        ? undefined
        : on({
            kind: "MemberSetAutoFollow",
            target: fromHex(member),
            autoFollowContexts: chance.is(0.5),
            autoFollowSubgroups: chance.is(0.5),
          });
    case 24:
      if (roleOf(rows, group, member) === "Admin" && chance.is(0.3))
        return on({ kind: "TransferOwnership", newOwner: fromHex(member) });
      return on({
        kind: "CascadeUpgrade",
        fromAppKey: meta.appKey,
        appKey: chance.bytes(32),
        targetApplicationId: chance.bytes(32),
        toStateVersion: chance.below(9),
        migration: null,
        cascadeHlc: { time: 7n << 32n, id: 1n },
      });
    case 25:
      return chooseDevice(site, chance, group, on);
    default: {
      const [pending] = rows.of("GroupPendingKeyRotation", group);
      return pending && on({ kind: "GroupKeyRotated", departed: fromHex(pending.ids[1] as string) }, true);
    }
  }
}

function chooseDevice(
  { actor, rows }: Site,
  chance: Chance,
  group: string,
  on: (op: GroupOp011, rotates?: boolean) => Intent,
): Intent {
  const { genesis, rootSeed, seed, publicKey, id } = actor;
  const devices = rows.of("GroupDeviceBinding", group);
  const linked = devices.filter(({ value }) => (value as { signPk: Uint8Array }).signPk[0] === 0xdd);
  if (linked.length > 0 && chance.is(0.5) && isAdmin(rows, group, id)) {
    const { ids, value } = chance.pick(linked);
    const { account } = value as { account: Uint8Array };
    return on(
      { kind: "AccountDeviceUnlinked", account, device: fromHex(ids[1] as string), proof: null },
      true,
    );
  }
  if (chance.is(0.2)) {
    const handoff = { account: fromHex(id), fromEpoch: 0, newRootSignPk: derivePublicKey(chance.bytes(32)) };
    return on({
      kind: "AccountKeysRotated",
      handoff: { ...handoff, signature: sign(rootSeed, handoffDigest(handoff)) },
    });
  }
  const signPk = chance.bytes(32).fill(0xdd, 0, 1);
  const cert = makeCert(chance, actor, { signPk, kemPk: deriveX25519PublicKey(chance.bytes(32)) });
  const endorsement = { account: fromHex(id), member: fromHex(publicKey) };
  return on({
    kind: "AccountDeviceLinked",
    genesis,
    chain: [],
    cert,
    endorsement: { ...endorsement, signature: sign(seed, endorsementDigest(endorsement)) },
  });
}
