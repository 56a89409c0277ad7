import { type Decoded, struct, u8, u32 } from "../../codec/index.js";

/** Bits of a member's capabilities in a group. Unknown bits are kept. */
export const Capability = {
  CanCreateContext: 1 << 0,
  CanInviteMembers: 1 << 1,
  CanJoinOpenContexts: 1 << 2,
  ManageMembers: 1 << 3,
  ManageApplication: 1 << 4,
} as const;

/** Bits of GroupContextMemberCap: a member's capabilities in one context. Unknown bits are kept. */
export const ContextCapability = {
  ManageApplication: 1 << 0,
  ManageMembers: 1 << 1,
  Proxy: 1 << 2,
} as const;

/** A bit mask of {@link Capability}. 4 bytes. */
export const GroupMemberCapabilityValue = struct("GroupMemberCapabilityValue", { capabilities: u32 });
export type GroupMemberCapabilityValue = Decoded<typeof GroupMemberCapabilityValue>;

/** A bit mask of {@link Capability} for new members. 4 bytes. */
export const GroupDefaultCapsValue = struct("GroupDefaultCapsValue", { capabilities: u32 });
export type GroupDefaultCapsValue = Decoded<typeof GroupDefaultCapsValue>;

/** 0 open, 1 restricted; other values are stored too. 1 byte. */
export const GroupDefaultVisValue = struct("GroupDefaultVisValue", { mode: u8 });
export type GroupDefaultVisValue = Decoded<typeof GroupDefaultVisValue>;

/** In core-0.11: 0 open, 1 restricted; other values are stored too. 1 byte. */
export const GroupSubgroupVisValue = struct("GroupSubgroupVisValue", { mode: u8 });
export type GroupSubgroupVisValue = Decoded<typeof GroupSubgroupVisValue>;
