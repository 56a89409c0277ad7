/** Operations on a group, as its log keeps them in core-0.10. The log of core-0.11: group-operation-011.ts. */
import {
  b32,
  b64,
  bool,
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
import { GroupMemberRole, UpgradePolicy } from "../values/group/membership.js";

/** What a machine must attest to become a member: lists of allowed measurements, as hex texts. */
export const teePolicy = {
  allowedMrtd: vec(str),
  allowedRtmr0: vec(str),
  allowedRtmr1: vec(str),
  allowedRtmr2: vec(str),
  allowedRtmr3: vec(str),
  allowedTcbStatuses: vec(str),
  acceptMock: bool,
} as const;

/** What a machine attested. */
export const teeQuote = {
  quoteHash: b32,
  mrtd: str,
  rtmr0: str,
  rtmr1: str,
  rtmr2: str,
  rtmr3: str,
  tcbStatus: str,
} as const;

/** An operation on a group. Members are public keys. From 1 byte. */
export const GroupOp = enumOf("GroupOp", {
  Noop: {},
  MemberAdded: { member: b32, role: GroupMemberRole },
  MemberRemoved: { member: b32 },
  MemberRoleSet: { member: b32, role: GroupMemberRole },
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
  MemberJoinedViaTeeAttestation: { member: b32, ...teeQuote, role: GroupMemberRole },
});
export type GroupOp = Decoded<typeof GroupOp>;

/**
 * An operation with its place in the graph and its signature. `version` is 3; a `stateHash` other than zeros is the
 * group's before the operation. From 174 bytes.
 */
export const SignedGroupOp = struct("SignedGroupOp", {
  version: u8,
  groupId: b32,
  parentOpHashes: vec(b32),
  stateHash: b32,
  signer: b32,
  nonce: u64,
  op: GroupOp,
  signature: b64,
});
export type SignedGroupOp = Decoded<typeof SignedGroupOp>;
