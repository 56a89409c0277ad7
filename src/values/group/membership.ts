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
