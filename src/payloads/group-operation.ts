/** Operations on a group, as its log keeps them. Members are accounts. */
import {
  b32,
  b64,
  bool,
  bytes,
  checked,
  type Decoded,
  enumOf,
  map,
  names,
  option,
  pair,
  str,
  struct,
  u8,
  u32,
  u64,
  vec,
} from "../codec/index.js";
import {
  AccountMemberEndorsement,
  accountChain,
  DeviceCert,
  RootKeyHandoff,
  SignedDeviceRevocation,
} from "./account.js";
import { HybridTimestamp } from "./hybrid-timestamp.js";
import { GroupMemberRole } from "./member-role.js";
import { teePolicy, teeQuote } from "./tee.js";

/** Who sees a subgroup. 1 byte. */
export const SubgroupVisibility = names("SubgroupVisibility", ["Open", "Restricted"]);
export type SubgroupVisibility = Decoded<typeof SubgroupVisibility>;

/** A mask of {@link ContextCapability} bits; zero is an error. */
const contextCapability = checked(u8, "a bit mask other than 0", (mask) => mask !== 0);

/** The state that a removal must lead to. */
const removal = {
  member: b32,
  expectedGroupStateHash: b32,
  expectedContextStateHashes: vec(pair(b32, b32)),
} as const;

const metadata = { name: option(str), data: map(str, str) } as const;

/** An operation on a group. From 1 byte. */
export const GroupOp = enumOf("GroupOp", {
  Noop: {},
  MemberAdded: { member: b32, role: GroupMemberRole },
  MemberRemoved: removal,
  MemberLeft: removal,
  MemberRoleSet: { member: b32, role: GroupMemberRole },
  MemberCapabilitySet: { member: b32, capabilities: u32 },
  DefaultCapabilitiesSet: { capabilities: u32 },
  TargetApplicationSet: { appKey: b32, targetApplicationId: b32 },
  ContextRegistered: {
    contextId: b32,
    applicationId: b32,
    blobId: b32,
    source: str,
    serviceName: option(str),
  },
  ContextDetached: { contextId: b32 },
  SubgroupVisibilitySet: { mode: SubgroupVisibility },
  GroupMetadataSet: metadata,
  MemberMetadataSet: { member: b32, ...metadata },
  ContextMetadataSet: { contextId: b32, ...metadata },
  GroupDelete: {},
  GroupMigrationSet: { migration: option(bytes) },
  ContextCapabilityGranted: { contextId: b32, member: b32, capability: contextCapability },
  ContextCapabilityRevoked: { contextId: b32, member: b32, capability: contextCapability },
  TeeAdmissionPolicySet: teePolicy,
  MemberJoinedViaTeeAttestation: { member: b32, ...teeQuote, role: GroupMemberRole },
  MemberSetAutoFollow: { target: b32, autoFollowContexts: bool, autoFollowSubgroups: bool },
  TransferOwnership: { newOwner: b32 },
  CascadeUpgrade: {
    fromAppKey: b32,
    appKey: b32,
    targetApplicationId: b32,
    toStateVersion: u32,
    migration: option(bytes),
    cascadeHlc: HybridTimestamp,
  },
  GroupKeyRotated: { departed: b32 },
  AccountDeviceLinked: { ...accountChain, cert: DeviceCert, endorsement: AccountMemberEndorsement },
  AccountDeviceUnlinked: { account: b32, device: b32, proof: option(SignedDeviceRevocation) },
  AccountKeysRotated: { handoff: RootKeyHandoff },
  GroupKeyRotatedForDevice: { device: b32 },
});
export type GroupOp = Decoded<typeof GroupOp>;

/** An operation with its place in the graph and its signature. `version` is 10. From 142 bytes. */
export const SignedGroupOp = struct("SignedGroupOp", {
  version: u8,
  groupId: b32,
  parentOpHashes: vec(b32),
  signer: b32,
  nonce: u64,
  op: GroupOp,
  signature: b64,
});
export type SignedGroupOp = Decoded<typeof SignedGroupOp>;
