import {
  b32,
  bool,
  bytes,
  type Decoded,
  names,
  option,
  secret,
  str,
  struct,
  u64,
} from "../../codec/index.js";
import { GroupMemberRole, GroupMemberRole010 } from "../../payloads/member-role.js";
import { UpgradePolicy, UpgradePolicyDocumented } from "../../payloads/upgrade-policy.js";

/** Role and, in rows of some builds, the member's keys: 3, 35 or 67 bytes. The document has the bare role. */
export const GroupMemberValue010 = struct("GroupMemberValue", {
  role: GroupMemberRole010,
  privateKey: option(secret(b32)),
  senderKey: option(secret(b32)),
});
export type GroupMemberValue010 = Decoded<typeof GroupMemberValue010>;

/** A group. `createdAt` is in Unix seconds, `migration` normally a method's name in UTF-8. From 107 bytes. */
export const GroupMetaValue010 = struct("GroupMetaValue", {
  appKey: b32,
  targetApplicationId: b32,
  upgradePolicy: UpgradePolicy,
  createdAt: u64,
  adminIdentity: b32,
  migration: option(bytes),
  autoJoin: bool,
});
export type GroupMetaValue010 = Decoded<typeof GroupMetaValue010>;

/** The same as the document states it. From 106 bytes. */
export const GroupMetaValueDocumented = struct("GroupMetaValue", {
  appKey: b32,
  targetApplicationId: b32,
  upgradePolicy: UpgradePolicyDocumented,
  createdAt: u64,
  adminIdentity: b32,
  migration: option(str),
});
export type GroupMetaValueDocumented = Decoded<typeof GroupMetaValueDocumented>;

/** What a member joins by itself. 2 bytes. */
export const AutoFollowFlags = struct("AutoFollowFlags", { contexts: bool, subgroups: bool });
export type AutoFollowFlags = Decoded<typeof AutoFollowFlags>;

/** A member in core-0.11: 5, 37 or 69 bytes. */
export const GroupMemberValue = struct("GroupMemberValue", {
  role: GroupMemberRole,
  privateKey: option(secret(b32)),
  senderKey: option(secret(b32)),
  autoFollow: AutoFollowFlags,
});
export type GroupMemberValue = Decoded<typeof GroupMemberValue>;

/** A group in core-0.11: admin and owner are accounts, there is no policy. From 138 bytes. */
export const GroupMetaValue = struct("GroupMetaValue", {
  appKey: b32,
  targetApplicationId: b32,
  createdAt: u64,
  adminIdentity: b32,
  ownerIdentity: b32,
  migration: option(bytes),
  autoJoin: bool,
});
export type GroupMetaValue = Decoded<typeof GroupMetaValue>;

/** Why an account is no member any more. 1 byte. */
export const GroupExitReason = names("GroupExitReason", ["Removed", "Left"]);
export type GroupExitReason = Decoded<typeof GroupExitReason>;

/** What keeps an account from coming back by itself. 1 byte. */
export const GroupReentryBlockValue = struct("GroupReentryBlockValue", { reason: GroupExitReason });
export type GroupReentryBlockValue = Decoded<typeof GroupReentryBlockValue>;
