/** The effect of operations of core-0.11 on rows: governance G.2 to G.5, written a second time. */
import { fromHex, toHex } from "../../../../src/bytes/hex.js";
import type { GroupOp011, RootOp011 } from "../../../../src/payloads/index.js";
import type { Actor } from "./actors.js";
import {
  applyCommon,
  changedCapability,
  detachContext,
  giveDefaults,
  groupMeta,
  invitedRole,
  registerContext,
} from "./both.js";
import type { HistoryRows } from "./rows.js";
import type { Made, Site } from "./writer.js";

export type Role = "Admin" | "Member" | "ReadOnly" | "ReadOnlyTee";
export interface Meta {
  readonly appKey: Uint8Array;
  readonly targetApplicationId: Uint8Array;
  readonly adminIdentity: Uint8Array;
  readonly ownerIdentity: Uint8Array;
}

export function roleOf(rows: HistoryRows, group: string, member: string): Role | undefined {
  return rows.get<{ role: Role }>("GroupMember", group, member)?.role;
}

function parentOf(rows: HistoryRows, group: string): string | undefined {
  const parent = rows.get<Uint8Array>("GroupParentRef", group);
  return parent && toHex(parent);
}

export const isOpen = (rows: HistoryRows, group: string): boolean =>
  rows.get<{ mode: number }>("GroupSubgroupVis", group)?.mode === 0;

export function isOpenToTop(rows: HistoryRows, namespace: string, group: string): boolean {
  if (group === namespace) return true;
  const parent = parentOf(rows, group);
  return isOpen(rows, group) && parent !== undefined && isOpenToTop(rows, namespace, parent);
}

export function isAdmin(rows: HistoryRows, group: string, member: string): boolean {
  const meta = rows.get<Meta>("GroupMeta", group);
  if (roleOf(rows, group, member) === "Admin" || (meta && toHex(meta.adminIdentity)) === member) return true;
  const parent = parentOf(rows, group);
  return parent !== undefined && isOpen(rows, group) && isAdmin(rows, parent, member);
}

export function below(rows: HistoryRows, group: string): readonly string[] {
  const children = rows.of("GroupChildIndex", group).map(({ ids }) => ids[1] as string);
  return [...children, ...children.flatMap((child) => below(rows, child))];
}

function add(rows: HistoryRows, group: string, member: string, role: Role): void {
  const { autoFollow = { contexts: true, subgroups: false } } =
    rows.get<{ autoFollow: unknown }>("GroupMember", group, member) ?? {};
  rows.set("GroupMember", [group, member], { role, privateKey: null, senderKey: null, autoFollow });
  rows.delete("GroupDeniedMember", group, member);
  rows.delete("GroupInheritedDeniedMember", group, member);
  giveDefaults(rows, group, member, role);
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

export function apply(site: Site, made: Made): void {
  if (made.group === undefined) applyRoot(site, made, made.op as RootOp011);
  else applyGroup(site, made, made.group, made.op as GroupOp011);
}

function applyRoot(site: Site, { author, answerer }: Made, op: RootOp011): void {
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
      const { appKey, targetApplicationId } = rows.get<Meta>("GroupMeta", parent) as Meta;
      const own = { ownerIdentity: op.admin, createdAt: isOwn ? 9n : 0n, autoJoin: isOwn };
      rows.set("GroupMeta", [id], groupMeta(op.admin, { appKey, targetApplicationId, ...own }));
      rows.set("GroupParentRef", [id], op.parentId);
      rows.set("GroupChildIndex", [parent, id], null);
      add(rows, id, toHex(op.admin), "Admin");
      rows.set("GroupSubgroupVis", [id], { mode: op.restricted ? 1 : 0 });
      // Only one of the node's two interfaces sets them.
      if (isOwn && (op.groupId[0] as number) % 2 === 0)
        rows.set("GroupDefaultCaps", [id], { capabilities: 4 });
      site.addFirstKey(id);
      return;
    }
    case "GroupReparented": {
      const [id, parent] = [toHex(op.childGroupId), toHex(op.newParentId)];
      const before = parentOf(rows, id);
      // By now the group may be below another one than before.
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
      const { invitationNonce, invitedRole: invited } = op.signedInvitation.invitation;
      const id = toHex(op.member);
      const role = invitedRole(invited);
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

function applyGroup({ rows, history, applied }: Site, { author }: Made, group: string, op: GroupOp011): void {
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
      rows.delete("GroupReentryBlock", group, toHex(op.member));
      break;
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
    case "DefaultCapabilitiesSet":
    case "GroupMigrationSet":
      applyCommon(rows, group, op);
      break;
    case "TargetApplicationSet":
      rows.change("GroupMeta", [group], { appKey: op.appKey, targetApplicationId: op.targetApplicationId });
      climb(rows, group, op.appKey, op.targetApplicationId);
      break;
    case "ContextRegistered":
      registerContext(rows, group, op.contextId);
      if (op.serviceName !== null)
        rows.set("ContextServiceName", [toHex(op.contextId)], { serviceName: op.serviceName });
      return;
    case "ContextDetached":
      detachContext(rows, group, op.contextId);
      rows.delete("GroupContextMetadata", group, toHex(op.contextId));
      break;
    case "SubgroupVisibilitySet":
      rows.set("GroupSubgroupVis", [group], { mode: op.mode === "Open" ? 0 : 1 });
      break;
    case "GroupMetadataSet":
      rows.set("GroupMetadata", [group], record(op));
      break;
    case "MemberMetadataSet":
      rows.set("GroupMemberMetadata", [group, toHex(op.member)], record(op));
      break;
    case "ContextMetadataSet":
      rows.set("GroupContextMetadata", [group, toHex(op.contextId)], record(op));
      break;
    case "ContextCapabilityGranted":
    case "ContextCapabilityRevoked": {
      const { ids, after } = changedCapability(rows, group, op);
      if (after === 0) rows.delete("GroupContextMemberCap", ...ids);
      else rows.set("GroupContextMemberCap", ids, after);
      return;
    }
    case "MemberSetAutoFollow":
      rows.change("GroupMember", [group, toHex(op.target)], {
        autoFollow: { contexts: op.autoFollowContexts, subgroups: op.autoFollowSubgroups },
      });
      break;
    case "TransferOwnership":
      rows.change("GroupMeta", [group], { adminIdentity: op.newOwner, ownerIdentity: op.newOwner });
      break;
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
      rows.delete("GroupPendingKeyRotation", group, toHex(op.departed));
      break;
    case "AccountDeviceLinked":
      link(rows, group, op.genesis, op.cert);
      rows.set("GroupAccountEndorser", [group, toHex(op.cert.account), signer.id], null);
      break;
    case "AccountDeviceUnlinked":
      if (!isAdmin(rows, group, signer.id)) return;
      rows.set("GroupRevokedDevice", [group, toHex(op.device)], null);
      rows.delete("GroupDeviceBinding", group, toHex(op.device));
      rows.set("GroupPendingDeviceRotation", [group, toHex(op.device)], null);
      break;
    case "AccountKeysRotated": {
      const ids = [group, toHex(op.handoff.account)];
      if (rows.get<{ epoch: number }>("GroupAccountKey", ...ids)?.epoch !== 0) return;
      rows.set("GroupAccountKey", ids, { epoch: 1, rootPk: op.handoff.newRootSignPk });
      break;
    }
  }
}
