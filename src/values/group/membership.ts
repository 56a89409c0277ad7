import {
  b32,
  bool,
  bytes,
  checked,
  type Decoded,
  enumOf,
  names,
  option,
  secret,
  str,
  struct,
  u32,
  u64,
} from "../../codec/index.js";

/** What a member may do. 1 byte. */
export const GroupMemberRole = names("GroupMemberRole", ["Admin", "Member", "ReadOnly"]);
export type GroupMemberRole = Decoded<typeof GroupMemberRole>;

/** Role and, in rows of some builds, the member's keys: 3, 35 or 67 bytes. The document has the bare role. */
export const GroupMemberValue = struct("GroupMemberValue", {
  role: GroupMemberRole,
  privateKey: option(secret(b32)),
  senderKey: option(secret(b32)),
});
export type GroupMemberValue = Decoded<typeof GroupMemberValue>;

/** Time until a coordinated upgrade must be done. 12 bytes. */
const Duration = struct("Duration", {
  secs: u64,
  nanos: checked(u32, "less than 1000000000", (nanos) => nanos < 1_000_000_000),
});

/** When contexts of a group take a new version of the application. 1, 2 or 14 bytes. */
export const UpgradePolicy = enumOf("UpgradePolicy", {
  Automatic: {},
  LazyOnAccess: {},
  Coordinated: { deadline: option(Duration) },
});
export type UpgradePolicy = Decoded<typeof UpgradePolicy>;

/** The same as the document names it. 1 byte. */
export const UpgradePolicyDocumented = names("UpgradePolicy", ["Auto", "Manual", "Frozen"]);
export type UpgradePolicyDocumented = Decoded<typeof UpgradePolicyDocumented>;

/** A group. `createdAt` is in Unix seconds, `migration` normally a method's name in UTF-8. From 107 bytes. */
export const GroupMetaValue = struct("GroupMetaValue", {
  appKey: b32,
  targetApplicationId: b32,
  upgradePolicy: UpgradePolicy,
  createdAt: u64,
  adminIdentity: b32,
  migration: option(bytes),
  autoJoin: bool,
});
export type GroupMetaValue = Decoded<typeof GroupMetaValue>;

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

/** What a member may do in core-0.11. 1 byte. */
export const GroupMemberRole011 = names("GroupMemberRole", ["Admin", "Member", "ReadOnly", "ReadOnlyTee"]);
export type GroupMemberRole011 = Decoded<typeof GroupMemberRole011>;

/** What a member joins by itself. 2 bytes. */
export const AutoFollowFlags = struct("AutoFollowFlags", { contexts: bool, subgroups: bool });
export type AutoFollowFlags = Decoded<typeof AutoFollowFlags>;

/** A member in core-0.11: 5, 37 or 69 bytes. */
export const GroupMemberValue011 = struct("GroupMemberValue", {
  role: GroupMemberRole011,
  privateKey: option(secret(b32)),
  senderKey: option(secret(b32)),
  autoFollow: AutoFollowFlags,
});
export type GroupMemberValue011 = Decoded<typeof GroupMemberValue011>;

/** A group in core-0.11: admin and owner are accounts, there is no policy. From 138 bytes. */
export const GroupMetaValue011 = struct("GroupMetaValue", {
  appKey: b32,
  targetApplicationId: b32,
  createdAt: u64,
  adminIdentity: b32,
  ownerIdentity: b32,
  migration: option(bytes),
  autoJoin: bool,
});
export type GroupMetaValue011 = Decoded<typeof GroupMetaValue011>;

/** Why an account is no member any more. 1 byte. */
export const GroupExitReason = names("GroupExitReason", ["Removed", "Left"]);
export type GroupExitReason = Decoded<typeof GroupExitReason>;

/** What keeps an account from coming back by itself. 1 byte. */
export const GroupReentryBlockValue = struct("GroupReentryBlockValue", { reason: GroupExitReason });
export type GroupReentryBlockValue = Decoded<typeof GroupReentryBlockValue>;
