/** The effect of each operation on the rows of a group (governance G.3). */
import { fromHex, toHex } from "../../../bytes/hex.js";
import { equalBytes } from "../../../bytes/order.js";
import type { AnyGroupOp } from "../../../payloads/index.js";
import { type ReplayedRung, UNKNOWN } from "../rows.js";
import { isRevokedByAccount, linkDevice, rotateRootKey } from "./devices.js";
import { addMember, expel, giveDefaults } from "./members.js";
import { apply, changeMeta, nothing, registerContext, type Step, type Transitions } from "./step.js";
import { descendants, isAdmin, parentOf } from "./tree.js";
import { wipe } from "./wipe.js";

/** An operation on a group since core-0.11 that has no other one inside. */
export type AccountGroupOp = Exclude<AnyGroupOp, { readonly kind: "OnBehalf" | "RootGuarded" }>;

const transitions: Transitions<AccountGroupOp> = {
  Noop: nothing,
  // Policies and evidence are looked up in the log.
  TeeAdmissionPolicySet: nothing,
  TeeAdmissionPolicySetV2: nothing,
  TeeReleaseAdmissionPolicySet: nothing,
  TeeReleaseAdmissionPolicySetV2: nothing,
  TeeAuthoringPolicySet: nothing,
  TeeAuthorityEvidence: nothing,
  TeeVaultKeyDelivered: nothing,
  SharedWritersRotated: nothing,
  // The registry of an account's devices and namespaces. No source describes all of its rows.
  AccountNamespaceGained: nothing,
  AccountNamespaceLeft: nothing,
  AccountDeviceLabelled: nothing,
  AccountDeviceCertified: ({ credential }, step) => scopeChanged(step, credential.statement.device),
  AccountDeviceDescoped: ({ device }, step) => scopeChanged(step, device),
  FoundingRelayAttested: ({ credential }, step) =>
    addMember(step, step.group, toHex(credential.statement.account), "RelayTee"),
  MemberAdded: ({ member, role }, step) => {
    addMember(step, step.group, toHex(member), role);
    step.rows.remove("GroupReentryBlock", step.group, toHex(member));
  },
  MemberRemoved: ({ member }, step) => expel(step, toHex(member), "Removed"),
  MemberLeft: ({ member }, step) => expel(step, toHex(member), "Left"),
  MemberRoleSet: ({ member, role }, { rows, group }) => {
    const id = toHex(member);
    const row = rows.get("GroupMember", group, id);
    if (row === undefined) return;
    rows.set("GroupMember", [group, id], { ...row, role });
    if (!rows.has("GroupMemberCapability", group, id)) giveDefaults(rows, group, id, role);
  },
  MemberCapabilitySet: ({ member, capabilities }, { rows, group }) =>
    rows.set("GroupMemberCapability", [group, toHex(member)], { capabilities }),
  DefaultCapabilitiesSet: ({ capabilities }, { rows, group }) =>
    rows.set("GroupDefaultCaps", [group], { capabilities }),
  TargetApplicationSet: (op, step) => {
    const { appKey, targetApplicationId } = op;
    changeMeta(step, step.group, { appKey, targetApplicationId });
    climb(step, step.group, rungOf(op));
  },
  ContextRegistered: register,
  ContextRegisteredOnBehalf: (op, step) => {
    register(op, step);
    const updatedBy = op.delegation.warrant.authorDeviceKey;
    const record = { name: op.name, data: new Map<string, string>(), updatedAt: UNKNOWN, updatedBy } as const;
    if (op.name !== null) step.rows.set("GroupContextMetadata", [step.group, toHex(op.contextId)], record);
  },
  ContextDetached: ({ contextId }, { rows, group }) => {
    const id = toHex(contextId);
    rows.remove("GroupContextIndex", group, id);
    rows.remove("ContextGroupRef", id);
    rows.remove("GroupContextMetadata", group, id);
  },
  SubgroupVisibilitySet: ({ mode }, { rows, group }) =>
    rows.set("GroupSubgroupVis", [group], { mode: mode === "Open" ? 0 : 1 }),
  GroupMetadataSet: (op, step) => step.rows.set("GroupMetadata", [step.group], metadata(op, step)),
  MemberMetadataSet: (op, step) =>
    step.rows.set("GroupMemberMetadata", [step.group, toHex(op.member)], metadata(op, step)),
  ContextMetadataSet: (op, step) =>
    step.rows.set("GroupContextMetadata", [step.group, toHex(op.contextId)], metadata(op, step)),
  GroupDelete: (_, step) => wipe(step, step.group),
  GroupMigrationSet: ({ migration }, step) => changeMeta(step, step.group, { migration }),
  ContextCapabilityGranted: ({ contextId, member, capability }, { rows, group }) => {
    const ids = [group, toHex(contextId), toHex(member)];
    rows.set("GroupContextMemberCap", ids, (rows.get("GroupContextMemberCap", ...ids) ?? 0) | capability);
  },
  ContextCapabilityRevoked: ({ contextId, member, capability }, { rows, group }) => {
    const ids = [group, toHex(contextId), toHex(member)];
    const left = (rows.get("GroupContextMemberCap", ...ids) ?? 0) & ~capability;
    if (left === 0) rows.remove("GroupContextMemberCap", ...ids);
    else rows.set("GroupContextMemberCap", ids, left);
  },
  MemberJoinedViaTeeAttestation: ({ member, role }, step) => {
    if (!isMember(step, toHex(member))) addMember(step, step.group, toHex(member), role);
    step.rows.remove("GroupDeniedMember", step.group, toHex(member));
  },
  MemberSetAutoFollow: ({ target, autoFollowContexts, autoFollowSubgroups }, { rows, group }) => {
    const row = rows.get("GroupMember", group, toHex(target));
    const autoFollow = { contexts: autoFollowContexts, subgroups: autoFollowSubgroups };
    if (row !== undefined) rows.set("GroupMember", [group, toHex(target)], { ...row, autoFollow });
  },
  TransferOwnership: ({ newOwner }, step) =>
    changeMeta(step, step.group, { adminIdentity: newOwner, ownerIdentity: newOwner }),
  CascadeUpgrade: (op, step) => {
    const { rows, group } = step;
    const { appKey, targetApplicationId, migration, cascadeHlc, toStateVersion } = op;
    const rung = rungOf(op);
    // Only one application key is unknown: the key of the application with which the namespace was founded.
    const isFromFounding =
      rows.get("GroupMeta", group)?.appKey === UNKNOWN && !step.appKeys.has(toHex(op.fromAppKey));
    for (const id of [...descendants(rows, group), group]) {
      const before = rows.get("GroupMeta", id)?.appKey;
      const isUpgraded = before === UNKNOWN ? isFromFounding : before && equalBytes(before, op.fromAppKey);
      if (isUpgraded !== true) continue;
      changeMeta(step, id, { appKey, targetApplicationId, migration });
      climb(step, id, rung);
      rows.set("GroupUpgradeKey", [id], { ...LOCAL_UPGRADE, migration, cascadeHlc, toStateVersion });
    }
  },
  GroupKeyRotated: ({ departed }, { rows, group }) =>
    rows.remove("GroupPendingKeyRotation", group, toHex(departed)),
  GroupKeyRotatedForDevice: ({ device }, { rows, group }) =>
    rows.remove("GroupPendingDeviceRotation", group, toHex(device)),
  AccountDeviceLinked: (op, step) => {
    const { cert, endorsement, genesis, chain } = op;
    const endorser = step.accounts.get(toHex(endorsement.member));
    const scope = "scope" in op ? op.scope.statement : undefined;
    // The applications of the node decide whether it binds a device that acts for some of them only.
    if (scope !== undefined && scope.applications.length > 0) scopeChanged(step, cert.device);
    const { scopeEpoch } = scope ?? {};
    if (!linkDevice(step, step.group, { genesis, chain }, cert, { scopeEpoch }) || endorser === undefined)
      return;
    step.rows.set("GroupAccountEndorser", [step.group, toHex(cert.account), endorser], null);
  },
  AccountDeviceUnlinked: ({ device, proof }, step) => {
    const { rows, group, actor } = step;
    const allowed =
      proof === null ? isAdmin(rows, group, actor) : isRevokedByAccount(step, group, device, proof);
    if (!allowed) return;
    rows.set("GroupRevokedDevice", [group, toHex(device)], null);
    rows.remove("GroupDeviceBinding", group, toHex(device));
    rows.set("GroupPendingDeviceRotation", [group, toHex(device)], null);
  },
  AccountKeysRotated: ({ handoff }, step) => void rotateRootKey(step, step.group, handoff),
};

/** Applies an operation on a group. */
export function applyGroupOp(op: AccountGroupOp, step: Step): void {
  apply(transitions, op, step);
}

/** The fields of an upgrade that a cascade leaves open: versions and progress are this node's own. */
const LOCAL_UPGRADE = {
  fromVersion: UNKNOWN,
  toVersion: UNKNOWN,
  initiatedAt: UNKNOWN,
  initiatedBy: UNKNOWN,
  status: UNKNOWN,
  cascadeSeq: UNKNOWN,
} as const;

/** A context becomes one of the group, and runs a service of the application. */
function register(
  op: Extract<AccountGroupOp, { readonly kind: "ContextRegistered" | "ContextRegisteredOnBehalf" }>,
  step: Step,
): void {
  const { contextId, applicationId, serviceName } = op;
  registerContext(step, { contextId: toHex(contextId), applicationId });
  if (serviceName !== null) step.rows.set("ContextServiceName", [toHex(contextId)], { serviceName });
}

/** No source tells how the applications of a device change its binding. */
function scopeChanged({ scoped }: Step, device: Uint8Array): void {
  scoped.add(toHex(device));
}

type Upgrade = Extract<AccountGroupOp, { readonly kind: "TargetApplicationSet" | "CascadeUpgrade" }>;

/** A rung of the ladder of upgrades, with the release since core-1.0. */
function rungOf(op: Upgrade): ReplayedRung {
  const { appKey, targetApplicationId: applicationId } = op;
  if (!("packageName" in op)) return { appKey, applicationId };
  const { packageName, version } = op;
  return { appKey, applicationId, package: packageName, version };
}

function climb({ rows, appKeys }: Step, group: string, rung: ReplayedRung): void {
  appKeys.add(toHex(rung.appKey));
  const ladder = rows.get("GroupUpgradeLadder", group) ?? { rungs: [] };
  const last = ladder.rungs.at(-1);
  if (last !== undefined && equalBytes(last.appKey, rung.appKey)) return;
  ladder.rungs.push(rung);
  rows.set("GroupUpgradeLadder", [group], ladder);
}

function metadata(
  { name, data }: { readonly name: string | null; readonly data: ReadonlyMap<string, string> },
  { signer }: Step,
) {
  return { name, data, updatedAt: UNKNOWN, updatedBy: fromHex(signer) } as const;
}

/** Returns whether an account is a member: by a row, or through the groups above while the groups are open. */
function isMember({ rows, group }: Step, account: string): boolean {
  const seen = new Set<string>();
  for (let at: string | undefined = group; at !== undefined && !seen.has(at); at = parentOf(rows, at)) {
    seen.add(at);
    if (rows.has("GroupMember", at, account)) return true;
    if (rows.get("GroupSubgroupVis", at)?.mode !== 0) return false;
  }
  return false;
}
