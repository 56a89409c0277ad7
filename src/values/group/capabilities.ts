import { type Decoded, struct, u8, u32 } from "../../codec/index.js";

/** Bits of a member's capabilities in a group. Unknown bits are kept. */
export const Capability = {
  /** Create contexts. Bit 0. */
  CanCreateContext: 1 << 0,
  /** Invite members. Bit 1. */
  CanInviteMembers: 1 << 1,
  /** Join open subgroups. Bit 2. */
  CanJoinOpenSubgroups: 1 << 2,
  /** Add and remove members. Bit 3. */
  ManageMembers: 1 << 3,
  /** Set and upgrade the application. Bit 4. */
  ManageApplication: 1 << 4,
  /** Make subgroups. Bit 5. */
  CanCreateSubgroup: 1 << 5,
  /** Delete subgroups. Bit 6. */
  CanDeleteSubgroup: 1 << 6,
  /** Set who sees a subgroup. Bit 7. */
  CanManageVisibility: 1 << 7,
  /** Set names and other metadata. Bit 8. */
  CanManageMetadata: 1 << 8,
} as const;

/** Bits of a member's capabilities in a group of core-0.10. Unknown bits are kept. */
export const Capability010 = {
  /** Create contexts. Bit 0. */
  CanCreateContext: 1 << 0,
  /** Invite members. Bit 1. */
  CanInviteMembers: 1 << 1,
  /** Join open contexts. Bit 2. */
  CanJoinOpenContexts: 1 << 2,
  /** Add and remove members. Bit 3. */
  ManageMembers: 1 << 3,
  /** Set and upgrade the application. Bit 4. */
  ManageApplication: 1 << 4,
} as const;

/** Bits of GroupContextMemberCap: a member's capabilities in one context. Unknown bits are kept. */
export const ContextCapability = {
  /** Manage the application. Bit 0. */
  ManageApplication: 1 << 0,
  /** Manage the members. Bit 1. */
  ManageMembers: 1 << 1,
  /** Proxy. Bit 2. */
  Proxy: 1 << 2,
} as const;

/** A member's capabilities in a group. 4 bytes. */
export const GroupMemberCapabilityValue = struct("GroupMemberCapabilityValue", {
  /** Bit mask of `Capability`. */
  capabilities: u32,
});
export type GroupMemberCapabilityValue = Decoded<typeof GroupMemberCapabilityValue>;

/** The capabilities that new members get. 4 bytes. */
export const GroupDefaultCapsValue = struct("GroupDefaultCapsValue", {
  /** Bit mask of `Capability`. */
  capabilities: u32,
});
export type GroupDefaultCapsValue = Decoded<typeof GroupDefaultCapsValue>;

/** The visibility of a subgroup. 1 byte. */
export const GroupSubgroupVisValue = struct("GroupSubgroupVisValue", {
  /** 0 open, 1 restricted; other values are stored too. */
  mode: u8,
});
export type GroupSubgroupVisValue = Decoded<typeof GroupSubgroupVisValue>;

/** The visibility that new contexts get, in core-0.10. 1 byte. */
export const GroupDefaultVisValue = struct("GroupDefaultVisValue", {
  /** 0 open, 1 restricted; other values are stored too. */
  mode: u8,
});
export type GroupDefaultVisValue = Decoded<typeof GroupDefaultVisValue>;
