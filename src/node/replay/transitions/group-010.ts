/** The effect of each operation of core-0.10 on the rows of a group (governance G.3). */
import { toHex } from "../../../bytes/hex.js";
import type { GroupOp010 } from "../../../payloads/index.js";
import { addMember010 } from "./members.js";
import { apply, changeMeta, nothing, registerContext, type Step, type Transitions } from "./step.js";
import { wipe010 } from "./wipe.js";

const transitions: Transitions<GroupOp010> = {
  Noop: nothing,
  // The policy is looked up in the log.
  TeeAdmissionPolicySet: nothing,
  MemberAdded: ({ member, role }, step) => addMember010(step, step.group, toHex(member), role),
  MemberRemoved: ({ member }, { rows, group }) => rows.remove("GroupMember", group, toHex(member)),
  MemberRoleSet: ({ member, role }, step) => addMember010(step, step.group, toHex(member), role),
  MemberCapabilitySet: ({ member, capabilities }, { rows, group }) =>
    rows.set("GroupMemberCapability", [group, toHex(member)], { capabilities }),
  DefaultCapabilitiesSet: ({ capabilities }, { rows, group }) =>
    rows.set("GroupDefaultCaps", [group], { capabilities }),
  UpgradePolicySet: ({ policy }, step) => changeMeta(step, step.group, { upgradePolicy: policy }),
  TargetApplicationSet: ({ appKey, targetApplicationId }, step) =>
    changeMeta(step, step.group, { appKey, targetApplicationId }),
  ContextRegistered: ({ contextId, applicationId }, step) =>
    registerContext(step, { contextId: toHex(contextId), applicationId }),
  ContextDetached: ({ contextId }, { rows, group }) => {
    rows.remove("GroupContextIndex", group, toHex(contextId));
    rows.remove("ContextGroupRef", toHex(contextId));
  },
  DefaultVisibilitySet: ({ mode }, { rows, group }) => rows.set("GroupDefaultVis", [group], { mode }),
  ContextAliasSet: ({ contextId, alias }, { rows, group }) =>
    rows.set("GroupContextAlias", [group, toHex(contextId)], alias),
  MemberAliasSet: ({ member, alias }, { rows, group }) =>
    rows.set("GroupMemberAlias", [group, toHex(member)], alias),
  GroupAliasSet: ({ alias }, { rows, group }) => rows.set("GroupAlias", [group], alias),
  GroupDelete: (_, step) => wipe010(step, step.group),
  GroupMigrationSet: ({ migration }, step) => changeMeta(step, step.group, { migration }),
  ContextCapabilityGranted: ({ contextId, member, capability }, { rows, group }) => {
    const ids = [group, toHex(contextId), toHex(member)];
    rows.set("GroupContextMemberCap", ids, (rows.get("GroupContextMemberCap", ...ids) ?? 0) | capability);
  },
  ContextCapabilityRevoked: ({ contextId, member, capability }, { rows, group }) => {
    const ids = [group, toHex(contextId), toHex(member)];
    rows.set("GroupContextMemberCap", ids, (rows.get("GroupContextMemberCap", ...ids) ?? 0) & ~capability);
  },
  MemberJoinedViaTeeAttestation: ({ member, role }, step) => {
    if (!step.rows.has("GroupMember", step.group, toHex(member)))
      addMember010(step, step.group, toHex(member), role);
  },
};

/** Applies an operation of core-0.10 on a group. */
export function applyGroupOp010(op: GroupOp010, step: Step): void {
  apply(transitions, op, step);
}
