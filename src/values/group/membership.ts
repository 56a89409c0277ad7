/** Groups and their members. */
import {
  b32,
  bool,
  bytes,
  type Decoded,
  names,
  option,
  seconds,
  secret,
  str,
  struct,
  u64,
} from "../../codec/index.js";
import { GroupMemberRole, GroupMemberRole010, GroupMemberRole011 } from "../../payloads/member-role.js";
import { UpgradePolicy, UpgradePolicyDocumented } from "../../payloads/upgrade-policy.js";

/** The contexts and subgroups that a member joins by itself. 2 bytes. */
export const AutoFollowFlags = struct("AutoFollowFlags", {
  /** True if the member joins new contexts. */
  contexts: bool,
  /** True if the member joins new subgroups. */
  subgroups: bool,
});
export type AutoFollowFlags = Decoded<typeof AutoFollowFlags>;

const keysAndFollowed = {
  /** Secret: Ed25519 seed, 32 bytes. Null in the rows that nodes write. */
  privateKey: option(secret(b32)),
  /** Secret: a key of 32 bytes. Null in the rows that nodes write. */
  senderKey: option(secret(b32)),
  /** The contexts and subgroups that the member joins automatically. */
  autoFollow: AutoFollowFlags,
} as const;

/** A member: its role and, in rows of some builds, its keys. 5, 37 or 69 bytes. */
export const GroupMemberValue = struct("GroupMemberValue", {
  /** The member's role. */
  role: GroupMemberRole,
  ...keysAndFollowed,
});
export type GroupMemberValue = Decoded<typeof GroupMemberValue>;

/** A member in core-0.11. 5, 37 or 69 bytes. */
export const GroupMemberValue011 = struct("GroupMemberValue", {
  /** The member's role. */
  role: GroupMemberRole011,
  ...keysAndFollowed,
});
export type GroupMemberValue011 = Decoded<typeof GroupMemberValue011>;

/** A member in core-0.10: 3, 35 or 67 bytes. The document has the bare role. */
export const GroupMemberValue010 = struct("GroupMemberValue", {
  /** The member's role. */
  role: GroupMemberRole010,
  /** Secret: Ed25519 seed, 32 bytes. Null in the rows that nodes write. */
  privateKey: option(secret(b32)),
  /** Secret: a key of 32 bytes. Null in the rows that nodes write. */
  senderKey: option(secret(b32)),
});
export type GroupMemberValue010 = Decoded<typeof GroupMemberValue010>;

/** A group. Admin and owner are accounts. From 138 bytes. */
export const GroupMetaValue = struct("GroupMetaValue", {
  /** App key of the group: blob id of the application's code, 32 bytes. */
  appKey: b32,
  /** Id of the group's application, 32 bytes; zeros until it is known. */
  targetApplicationId: b32,
  /** When the group was made, in Unix seconds; 0 on nodes that did not make it. */
  createdAt: seconds(u64),
  /** The admin's account id, 32 bytes; zeros until it is known. */
  adminIdentity: b32,
  /** The owner's account id, 32 bytes; zeros until it is known. */
  ownerIdentity: b32,
  /** Name of the migration method, normally in UTF-8, or null. */
  migration: option(bytes),
  /** The group's auto-join flag. */
  autoJoin: bool,
});
export type GroupMetaValue = Decoded<typeof GroupMetaValue>;

/** A group in core-0.10. The admin is a public key. From 107 bytes. */
export const GroupMetaValue010 = struct("GroupMetaValue", {
  /** App key of the group: blob id of the application's code, 32 bytes. */
  appKey: b32,
  /** Id of the group's application, 32 bytes; zeros until it is known. */
  targetApplicationId: b32,
  /** When contexts take a new version of the application. */
  upgradePolicy: UpgradePolicy,
  /** When the group was made, in Unix seconds; 0 on nodes that did not make it. */
  createdAt: seconds(u64),
  /** The admin's Ed25519 public key, 32 bytes. */
  adminIdentity: b32,
  /** Name of the migration method, normally in UTF-8, or null. */
  migration: option(bytes),
  /** The group's auto-join flag. */
  autoJoin: bool,
});
export type GroupMetaValue010 = Decoded<typeof GroupMetaValue010>;

/** A group in the document. From 106 bytes. */
export const GroupMetaValueDocumented = struct("GroupMetaValue", {
  /** App key of the group, 32 bytes. */
  appKey: b32,
  /** Id of the group's application, 32 bytes. */
  targetApplicationId: b32,
  /** When contexts take a new version of the application. */
  upgradePolicy: UpgradePolicyDocumented,
  /** When the group was made, in Unix seconds. */
  createdAt: seconds(u64),
  /** The admin, 32 bytes. */
  adminIdentity: b32,
  /** Name of the migration method, or null. */
  migration: option(str),
});
export type GroupMetaValueDocumented = Decoded<typeof GroupMetaValueDocumented>;

/** The reason why an account is no longer a member. 1 byte. */
export const GroupExitReason = names("GroupExitReason", ["Removed", "Left"]);
export type GroupExitReason = Decoded<typeof GroupExitReason>;

/** The reason that an account must not rejoin without an invitation. 1 byte. */
export const GroupReentryBlockValue = struct("GroupReentryBlockValue", {
  /** The reason: the account was removed, or left. */
  reason: GroupExitReason,
});
export type GroupReentryBlockValue = Decoded<typeof GroupReentryBlockValue>;
