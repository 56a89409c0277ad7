/** Rows that are deleted together with a group. */
import { toHex } from "../../../bytes/hex.js";
import type { ReplayedKind } from "../rows.js";
import type { Step } from "./step.js";

const GONE: readonly ReplayedKind[] = [
  "GroupMember",
  "GroupMemberCapability",
  "GroupMemberMetadata",
  "GroupDefaultCaps",
  "GroupSubgroupVis",
  "GroupMetadata",
  "GroupUpgradeKey",
  "GroupUpgradeLadder",
  "GroupKeyEntry",
  "GroupDeniedMember",
  "GroupInheritedDeniedMember",
  "GroupDeviceBinding",
  "GroupRevokedDevice",
  "GroupAccountKey",
  "GroupPendingKeyRotation",
  "GroupReentryBlock",
  "GroupConsumedInvitation",
  "GroupMeta",
];

const GONE_010: readonly ReplayedKind[] = [
  "GroupMember",
  "GroupMemberCapability",
  "GroupMemberAlias",
  "GroupDefaultCaps",
  "GroupDefaultVis",
  "GroupAlias",
  "GroupUpgradeKey",
  "GroupMeta",
];

/** Removes the rows of a group that is deleted. */
export function wipe({ rows }: Step, group: string): void {
  const members = new Set([...rows.of("GroupMember", group)].map(({ ids }) => ids[1]));
  for (const { value } of rows.of("GroupDeviceBinding", group))
    if (members.has(toHex(value.account)))
      rows.remove("GroupLocalGovNonceWindow", group, toHex(value.signPk));
  removeAll(rows, group, GONE);
}

/** The same in core-0.10. */
export function wipe010({ rows }: Step, group: string): void {
  for (const { ids } of rows.of("GroupMember", group))
    rows.remove("GroupLocalGovNonce", group, ids[1] as string);
  removeAll(rows, group, GONE_010);
}

function removeAll(rows: Step["rows"], group: string, kinds: readonly ReplayedKind[]): void {
  for (const kind of kinds) for (const { ids } of rows.of(kind, group)) rows.remove(kind, ...ids);
}
