/** Operations on a group, as the log of core-0.10 keeps them. Members are public keys. */
import {
  b32,
  b64,
  bytes,
  type Decoded,
  enumOf,
  option,
  str,
  struct,
  u8,
  u32,
  u64,
  vec,
} from "../codec/index.js";
import { GroupMemberRole010 } from "./member-role.js";
import { teePolicy, teeQuote } from "./tee.js";
import { UpgradePolicy } from "./upgrade-policy.js";

/** An operation on a group. Members are public keys. From 1 byte. */
export const GroupOp010 = enumOf("GroupOp", {
  Noop: {},
  MemberAdded: { member: b32, role: GroupMemberRole010 },
  MemberRemoved: { member: b32 },
  MemberRoleSet: { member: b32, role: GroupMemberRole010 },
  MemberCapabilitySet: { member: b32, capabilities: u32 },
  DefaultCapabilitiesSet: { capabilities: u32 },
  UpgradePolicySet: { policy: UpgradePolicy },
  TargetApplicationSet: { appKey: b32, targetApplicationId: b32 },
  ContextRegistered: { contextId: b32, applicationId: b32, blobId: b32, source: str },
  ContextDetached: { contextId: b32 },
  DefaultVisibilitySet: { mode: u8 },
  ContextAliasSet: { contextId: b32, alias: str },
  MemberAliasSet: { member: b32, alias: str },
  GroupAliasSet: { alias: str },
  GroupDelete: {},
  GroupMigrationSet: { migration: option(bytes) },
  ContextCapabilityGranted: { contextId: b32, member: b32, capability: u8 },
  ContextCapabilityRevoked: { contextId: b32, member: b32, capability: u8 },
  TeeAdmissionPolicySet: teePolicy,
  MemberJoinedViaTeeAttestation: { member: b32, ...teeQuote, role: GroupMemberRole010 },
});
export type GroupOp010 = Decoded<typeof GroupOp010>;

/**
 * An operation with its place in the graph and its signature. `version` is 3; a `stateHash` other than zeros is the
 * group's before the operation. From 174 bytes.
 */
export const SignedGroupOp010 = struct("SignedGroupOp", {
  version: u8,
  groupId: b32,
  parentOpHashes: vec(b32),
  stateHash: b32,
  signer: b32,
  nonce: u64,
  op: GroupOp010,
  signature: b64,
});
export type SignedGroupOp010 = Decoded<typeof SignedGroupOp010>;
