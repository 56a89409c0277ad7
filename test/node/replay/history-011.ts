/** Operations of core-0.11 that nodes make at random, and what they do to rows: governance G.2 to G.5, written once more. */
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import type { Codec } from "../../../src/codec/index.js";
import { derivePublicKey, deriveX25519PublicKey, sign } from "../../../src/crypto/index.js";
import {
  endorsementDigest,
  groupOpId,
  groupStateHash,
  handoffDigest,
  namespaceOpId,
} from "../../../src/digests/index.js";
import {
  GroupOp,
  type RootOp,
  SignedGroupOp,
  type SignedNamespaceOp,
  StoredNamespaceEntry,
} from "../../../src/payloads/index.js";
import { core011, type Schema } from "../../../src/schemas/index.js";
import type { HistoryRows } from "./history-rows.js";
import {
  type Actor,
  type Chance,
  type Intent,
  type Made,
  makeCert,
  type Revision,
  type Site,
} from "./history-writer.js";

type Role = "Admin" | "Member" | "ReadOnly" | "ReadOnlyTee";
interface Meta {
  readonly appKey: Uint8Array;
  readonly targetApplicationId: Uint8Array;
  readonly adminIdentity: Uint8Array;
  readonly ownerIdentity: Uint8Array;
}
const zeros = new Uint8Array(32);
const noContexts = { expectedContextStateHashes: [] };

export const revision011: Revision = {
  schema: core011 as unknown as Schema,
  accounts: true,
  entry: StoredNamespaceEntry as unknown as Codec<unknown>,
  groupOp: GroupOp as unknown as Codec<unknown>,
  signedGroupOp: SignedGroupOp as unknown as Codec<unknown>,
  namespaceOpId: (signed) => namespaceOpId(signed as SignedNamespaceOp),
  groupOpId: (signed) => groupOpId(signed as SignedGroupOp),
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
  const op = joining?.op as Extract<RootOp, { readonly kind: "MemberJoinedAt" }> | undefined;
  const hint = op?.signedInvitation;
  site.addFirstKey(namespace);
  rows.set("GroupMeta", [namespace], {
    appKey: hint?.appKey ?? foundersApplication(history.namespace),
    targetApplicationId: hint?.applicationId ?? foundersApplication(history.namespace),
    createdAt: joining === undefined ? 1_795_000_000n : 0n,
    adminIdentity: zeros,
    ownerIdentity: zeros,
    migration: null,
    autoJoin: true,
  });
  if (joining !== undefined) rows.set("GroupDefaultCaps", [namespace], { capabilities: told });
}

const foundersApplication = (namespace: string): Uint8Array => fromHex(namespace).fill(0xaa, 0, 4);

function roleOf(rows: HistoryRows, group: string, member: string): Role | undefined {
  return rows.get<{ role: Role }>("GroupMember", group, member)?.role;
}

function parentOf(rows: HistoryRows, group: string): string | undefined {
  const parent = rows.get<Uint8Array>("GroupParentRef", group);
  return parent && toHex(parent);
}

const isOpen = (rows: HistoryRows, group: string): boolean =>
  rows.get<{ mode: number }>("GroupSubgroupVis", group)?.mode === 0;

function isOpenToTop(rows: HistoryRows, namespace: string, group: string): boolean {
  if (group === namespace) return true;
  const parent = parentOf(rows, group);
  return isOpen(rows, group) && parent !== undefined && isOpenToTop(rows, namespace, parent);
}

function isAdmin(rows: HistoryRows, group: string, member: string): boolean {
  const meta = rows.get<Meta>("GroupMeta", group);
  if (roleOf(rows, group, member) === "Admin" || (meta && toHex(meta.adminIdentity)) === member) return true;
  const parent = parentOf(rows, group);
  return parent !== undefined && isOpen(rows, group) && isAdmin(rows, parent, member);
}

function below(rows: HistoryRows, group: string): readonly string[] {
  const children = rows.of("GroupChildIndex", group).map(({ ids }) => ids[1] as string);
  return [...children, ...children.flatMap((child) => below(rows, child))];
}

/** The members of a group. */
const membersOf = (rows: HistoryRows, group: string): readonly string[] =>
  rows.of("GroupMember", group).map(({ ids }) => ids[1] as string);

/** An operation that this node accepts as things are here. */
function choose(site: Site, chance: Chance): Intent | undefined {
  const { rows, history, actor } = site;
  const { namespace, others, actors } = history;
  const me = actor.id;
  const groups = rows.of("GroupMeta").map(({ ids }) => ids[0] as string);
  const group = chance.pick(groups);
  const members = membersOf(rows, group);
  const anyone = chance.pick([...others, ...members.filter((one) => !actors.some(({ id }) => id === one))]);
  const member = members.length > 0 ? chance.pick(members) : anyone;
  const contexts = rows.of("GroupContextIndex", group).map(({ ids }) => ids[1] as string);
  const context = contexts.length > 0 ? chance.pick(contexts) : undefined;
  const meta = rows.get<Meta>("GroupMeta", group) as Meta;
  const on = (op: GroupOp, rotates = false): Intent => ({ op, group, rotates });
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
      const to = chance.pick(
        groups.filter((one) => one !== subgroup && !below(rows, subgroup).includes(one)),
      );
      return { op: { kind: "GroupReparented", childGroupId: fromHex(subgroup), newParentId: fromHex(to) } };
    }
    case 2: {
      const admin = chance.pick(membersOf(rows, namespace));
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
      return on({
        kind: "TargetApplicationSet",
        appKey: chance.bytes(32),
        targetApplicationId: chance.bytes(32),
      });
    case 15:
      return on({
        kind: "ContextRegistered",
        contextId: chance.bytes(32),
        applicationId: chance.bytes(32),
        blobId: chance.bytes(32),
        source: "",
        serviceName: chance.pick([null, "service"]),
      });
    case 16:
      return context === undefined ? undefined : on({ kind: "ContextDetached", contextId: fromHex(context) });
    case 17:
      return group === namespace
        ? undefined
        : on({ kind: "SubgroupVisibilitySet", mode: chance.pick(["Open", "Restricted"]) });
    case 18:
      return on({ kind: "GroupMetadataSet", ...metadata });
    case 19:
      return on({ kind: "MemberMetadataSet", member: fromHex(member), ...metadata });
    case 20:
      return context === undefined
        ? undefined
        : on({ kind: "ContextMetadataSet", contextId: fromHex(context), ...metadata });
    case 21:
      return on({ kind: "GroupMigrationSet", migration: chance.is(0.3) ? null : chance.bytes(4) });
    case 22: {
      if (context === undefined || members.length === 0) return undefined;
      const kind = chance.pick(["ContextCapabilityGranted", "ContextCapabilityRevoked"] as const);
      return on({
        kind,
        contextId: fromHex(context),
        member: fromHex(member),
        capability: 1 + chance.below(7),
      });
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
  on: (op: GroupOp, rotates?: boolean) => Intent,
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

function add(rows: HistoryRows, group: string, member: string, role: Role): void {
  const { autoFollow = { contexts: true, subgroups: false } } =
    rows.get<{ autoFollow: unknown }>("GroupMember", group, member) ?? {};
  rows.set("GroupMember", [group, member], { role, privateKey: null, senderKey: null, autoFollow });
  rows.delete("GroupDeniedMember", group, member);
  rows.delete("GroupInheritedDeniedMember", group, member);
  giveDefaults(rows, group, member, role);
}

function giveDefaults(rows: HistoryRows, group: string, member: string, role: Role): void {
  const defaults = rows.get<{ capabilities: number }>("GroupDefaultCaps", group);
  if (role !== "Admin" && defaults !== undefined && defaults.capabilities !== 0)
    rows.set("GroupMemberCapability", [group, member], defaults);
}

function remove(
  rows: HistoryRows,
  namespace: string,
  group: string,
  member: string,
  reason: "Left" | "Removed",
): void {
  const rotates = group === namespace || !isOpenToTop(rows, namespace, group);
  for (const kind of ["GroupMember", "GroupMemberMetadata", "GroupMemberCapability"])
    rows.delete(kind, group, member);
  rows.set("GroupDeniedMember", [group, member], null);
  rows.set("GroupReentryBlock", [group, member], { reason });
  if (reason === "Left" && rotates) rows.set("GroupPendingKeyRotation", [group, member], null);
}

function link(
  rows: HistoryRows,
  group: string,
  genesis: Actor["genesis"],
  { account, device, signPk, kemPk, deviceEpoch, keyEpoch }: Actor["cert"],
): void {
  const id = toHex(account);
  if (!rows.has("GroupAccountKey", group, id))
    rows.set("GroupAccountKey", [group, id], { epoch: 0, rootPk: genesis.rootSignPk });
  const ids = [group, toHex(device)];
  if (rows.has("GroupRevokedDevice", ...ids) || rows.has("GroupDeviceBinding", ...ids)) return;
  rows.set("GroupDeviceBinding", ids, { account, signPk, kemPk, deviceEpoch, keyEpoch });
}

function climb(rows: HistoryRows, group: string, appKey: Uint8Array, applicationId: Uint8Array): void {
  const { rungs } = rows.get<{ rungs: readonly { appKey: Uint8Array }[] }>("GroupUpgradeLadder", group) ?? {
    rungs: [],
  };
  const last = rungs.at(-1);
  if (last === undefined || toHex(last.appKey) !== toHex(appKey))
    rows.set("GroupUpgradeLadder", [group], { rungs: [...rungs, { appKey, applicationId }] });
}

function apply(site: Site, made: Made): void {
  if (made.group === undefined) applyRoot(site, made, made.op as RootOp);
  else applyGroup(site, made, made.group, made.op as GroupOp);
}

function applyRoot(site: Site, { author, answerer }: Made, op: RootOp): void {
  const { rows, history, number } = site;
  const { namespace } = history;
  const isOwn = author === number;
  switch (op.kind) {
    case "NamespaceCreated": {
      const id = toHex(op.founder);
      rows.change("GroupMeta", [namespace], { adminIdentity: op.founder, ownerIdentity: op.founder });
      add(rows, namespace, id, "Admin");
      link(rows, namespace, op.account.genesis, op.account.statement);
      rows.set("GroupAccountEndorser", [namespace, id, id], null);
      if (!rows.has("GroupDefaultCaps", namespace))
        rows.set("GroupDefaultCaps", [namespace], { capabilities: 4 });
      return;
    }
    case "GroupCreated": {
      const [id, parent] = [toHex(op.groupId), toHex(op.parentId)];
      const above = rows.get<Meta>("GroupMeta", parent) as Meta;
      const { appKey, targetApplicationId } = above;
      rows.set("GroupMeta", [id], {
        appKey,
        targetApplicationId,
        createdAt: isOwn ? 9n : 0n,
        adminIdentity: op.admin,
        ownerIdentity: op.admin,
        migration: null,
        autoJoin: isOwn,
      });
      rows.set("GroupParentRef", [id], op.parentId);
      rows.set("GroupChildIndex", [parent, id], null);
      add(rows, id, toHex(op.admin), "Admin");
      rows.set("GroupSubgroupVis", [id], { mode: op.restricted ? 1 : 0 });
      // One of the node's two interfaces sets them.
      if (isOwn && (op.groupId[0] as number) % 2 === 0)
        rows.set("GroupDefaultCaps", [id], { capabilities: 4 });
      site.addFirstKey(id);
      return;
    }
    case "GroupReparented": {
      const [id, parent] = [toHex(op.childGroupId), toHex(op.newParentId)];
      const before = parentOf(rows, id);
      // A group that is under it by now.
      if (before !== undefined) rows.delete("GroupChildIndex", before, id);
      rows.set("GroupParentRef", [id], op.newParentId);
      rows.set("GroupChildIndex", [parent, id], null);
      return;
    }
    case "AdminChanged":
      rows.change("GroupMeta", [namespace], { adminIdentity: op.newAdmin });
      rows.change("GroupMember", [namespace, toHex(op.newAdmin)], { role: "Admin" });
      return;
    case "MemberJoinedAt": {
      const { invitationNonce, invitedRole } = op.signedInvitation.invitation;
      const id = toHex(op.member);
      const role = invitedRole === 0 ? "Admin" : invitedRole === 2 ? "ReadOnly" : "Member";
      if (!rows.has("GroupMember", namespace, id)) {
        add(rows, namespace, id, isOwn || answerer !== number ? role : "Member");
        if (!isOwn && answerer !== number) {
          rows.set("GroupConsumedInvitation", [namespace, id, toHex(invitationNonce)], null);
          rows.delete("GroupReentryBlock", namespace, id);
        }
      }
      rows.delete("GroupDeniedMember", namespace, id);
      link(rows, namespace, op.account.genesis, op.account.statement);
      rows.set("GroupAccountEndorser", [namespace, id, id], null);
      return;
    }
    case "MemberJoinedOpen":
      rows.delete("GroupDeniedMember", toHex(op.groupId), toHex(op.member));
      link(rows, namespace, op.account.genesis, op.account.statement);
      rows.set("GroupAccountEndorser", [namespace, toHex(op.member), toHex(op.member)], null);
      return;
  }
}

function applyGroup({ rows, history, applied }: Site, { author }: Made, group: string, op: GroupOp): void {
  const { namespace, actors } = history;
  const signer = actors[author] as Actor;
  const record = ({
    name,
    data,
  }: {
    readonly name: string | null;
    readonly data: ReadonlyMap<string, string>;
  }) => {
    return { name, data, updatedAt: 5n, updatedBy: fromHex(signer.publicKey) };
  };
  switch (op.kind) {
    case "MemberAdded":
      add(rows, group, toHex(op.member), op.role);
      return rows.delete("GroupReentryBlock", group, toHex(op.member));
    case "MemberRemoved":
    case "MemberLeft": {
      const [id, reason] = [toHex(op.member), op.kind === "MemberLeft" ? "Left" : "Removed"] as const;
      if (group === namespace && reason === "Left")
        for (const one of below(rows, group))
          if (rows.has("GroupMember", one, id)) remove(rows, namespace, one, id, reason);
      remove(rows, namespace, group, id, reason);
      if (group === namespace) rows.set("GroupInheritedDeniedMember", [group, id], null);
      return;
    }
    case "MemberRoleSet": {
      const id = toHex(op.member);
      if (!rows.has("GroupMember", group, id)) return;
      rows.change("GroupMember", [group, id], { role: op.role });
      if (!rows.has("GroupMemberCapability", group, id)) giveDefaults(rows, group, id, op.role);
      return;
    }
    case "MemberCapabilitySet":
      return rows.set("GroupMemberCapability", [group, toHex(op.member)], { capabilities: op.capabilities });
    case "DefaultCapabilitiesSet":
      return rows.set("GroupDefaultCaps", [group], { capabilities: op.capabilities });
    case "TargetApplicationSet":
      rows.change("GroupMeta", [group], { appKey: op.appKey, targetApplicationId: op.targetApplicationId });
      return climb(rows, group, op.appKey, op.targetApplicationId);
    case "ContextRegistered":
      rows.set("GroupContextIndex", [group, toHex(op.contextId)], null);
      rows.set("ContextGroupRef", [toHex(op.contextId)], fromHex(group));
      if (op.serviceName !== null)
        rows.set("ContextServiceName", [toHex(op.contextId)], { serviceName: op.serviceName });
      return;
    case "ContextDetached":
      rows.delete("GroupContextIndex", group, toHex(op.contextId));
      rows.delete("ContextGroupRef", toHex(op.contextId));
      return rows.delete("GroupContextMetadata", group, toHex(op.contextId));
    case "SubgroupVisibilitySet":
      return rows.set("GroupSubgroupVis", [group], { mode: op.mode === "Open" ? 0 : 1 });
    case "GroupMetadataSet":
      return rows.set("GroupMetadata", [group], record(op));
    case "MemberMetadataSet":
      return rows.set("GroupMemberMetadata", [group, toHex(op.member)], record(op));
    case "ContextMetadataSet":
      return rows.set("GroupContextMetadata", [group, toHex(op.contextId)], record(op));
    case "GroupMigrationSet":
      return rows.change("GroupMeta", [group], { migration: op.migration });
    case "ContextCapabilityGranted":
    case "ContextCapabilityRevoked": {
      const ids = [group, toHex(op.contextId), toHex(op.member)];
      const before = rows.get<number>("GroupContextMemberCap", ...ids) ?? 0;
      const after = op.kind === "ContextCapabilityGranted" ? before | op.capability : before & ~op.capability;
      if (after === 0) rows.delete("GroupContextMemberCap", ...ids);
      else rows.set("GroupContextMemberCap", ids, after);
      return;
    }
    case "MemberSetAutoFollow":
      return rows.change("GroupMember", [group, toHex(op.target)], {
        autoFollow: { contexts: op.autoFollowContexts, subgroups: op.autoFollowSubgroups },
      });
    case "TransferOwnership":
      return rows.change("GroupMeta", [group], { adminIdentity: op.newOwner, ownerIdentity: op.newOwner });
    case "CascadeUpgrade":
      for (const one of [group, ...below(rows, group)]) {
        const meta = rows.get<Meta>("GroupMeta", one);
        if (meta === undefined || toHex(meta.appKey) !== toHex(op.fromAppKey)) continue;
        const { appKey, targetApplicationId, migration, cascadeHlc, toStateVersion } = op;
        rows.change("GroupMeta", [one], { appKey, targetApplicationId, migration });
        climb(rows, one, appKey, targetApplicationId);
        rows.set("GroupUpgradeKey", [one], {
          fromVersion: "unknown",
          toVersion: "unknown",
          migration,
          initiatedAt: 0n,
          initiatedBy: fromHex(signer.publicKey),
          status: { kind: "Completed", completedAt: null },
          cascadeHlc,
          cascadeSeq: BigInt(applied.length),
          toStateVersion,
        });
      }
      return;
    case "GroupKeyRotated":
      return rows.delete("GroupPendingKeyRotation", group, toHex(op.departed));
    case "AccountDeviceLinked":
      link(rows, group, op.genesis, op.cert);
      return rows.set("GroupAccountEndorser", [group, toHex(op.cert.account), signer.id], null);
    case "AccountDeviceUnlinked":
      if (!isAdmin(rows, group, signer.id)) return;
      rows.set("GroupRevokedDevice", [group, toHex(op.device)], null);
      rows.delete("GroupDeviceBinding", group, toHex(op.device));
      return rows.set("GroupPendingDeviceRotation", [group, toHex(op.device)], null);
    case "AccountKeysRotated": {
      const ids = [group, toHex(op.handoff.account)];
      if (rows.get<{ epoch: number }>("GroupAccountKey", ...ids)?.epoch !== 0) return;
      return rows.set("GroupAccountKey", ids, { epoch: 1, rootPk: op.handoff.newRootSignPk });
    }
  }
}
