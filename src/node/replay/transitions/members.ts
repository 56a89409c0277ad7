/** Members that come and go. */
import type { GroupMemberRole } from "../../../payloads/index.js";
import type { GroupExitReason } from "../../../values/index.js";
import type { Step } from "./step.js";
import { descendants, isOpenToTop } from "./tree.js";

/** The things that new members follow: one object for all. */
const NEW_MEMBERS_FOLLOW = { contexts: true, subgroups: false };

/** The roles of attested machines: one that is removed from the namespace is removed from all groups below. */
const MACHINES: readonly (GroupMemberRole | undefined)[] = ["ReadOnlyTee", "RelayTee"];

/** Writes the row of a member, with the capabilities that new members get. */
export function addMember({ rows }: Step, group: string, member: string, role: GroupMemberRole): void {
  const autoFollow = rows.get("GroupMember", group, member)?.autoFollow ?? NEW_MEMBERS_FOLLOW;
  rows.set("GroupMember", [group, member], { role, privateKey: null, senderKey: null, autoFollow });
  rows.remove("GroupDeniedMember", group, member);
  rows.remove("GroupInheritedDeniedMember", group, member);
  giveDefaults(rows, group, member, role);
}

/** The same in core-0.10. */
export function addMember010({ rows }: Step, group: string, member: string, role: GroupMemberRole): void {
  rows.set("GroupMember", [group, member], { role, privateKey: null, senderKey: null });
  giveDefaults(rows, group, member, role);
}

/** Gives a member the capabilities that new members get. */
export function giveDefaults(rows: Step["rows"], group: string, member: string, role: GroupMemberRole): void {
  const { capabilities = 0 } = rows.get("GroupDefaultCaps", group) ?? {};
  if (role !== "Admin" && capabilities !== 0)
    rows.set("GroupMemberCapability", [group, member], { capabilities });
}

/**
 * Removes a member from a group. A member who leaves the namespace, or a machine in it, also loses all groups below.
 */
export function expel(step: Step, member: string, reason: GroupExitReason): void {
  const { rows, group, namespace } = step;
  const isTop = group === namespace;
  const isEverywhere =
    isTop && (reason === "Left" || MACHINES.includes(rows.get("GroupMember", group, member)?.role));
  for (const below of isEverywhere ? descendants(rows, group) : [])
    if (rows.has("GroupMember", below, member)) leave(step, below, member, reason);
  leave(step, group, member, reason);
  if (isTop) rows.set("GroupInheritedDeniedMember", [group, member], null);
}

function leave({ rows, namespace }: Step, group: string, member: string, reason: GroupExitReason): void {
  rows.remove("GroupMember", group, member);
  rows.remove("GroupMemberMetadata", group, member);
  rows.remove("GroupMemberCapability", group, member);
  rows.set("GroupDeniedMember", [group, member], null);
  rows.set("GroupReentryBlock", [group, member], { reason });
  const rotates = group === namespace || !isOpenToTop(rows, namespace, group);
  if (reason === "Left" && rotates) rows.set("GroupPendingKeyRotation", [group, member], null);
}
