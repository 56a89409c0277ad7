/** Operations on a group, as its log keeps them. Members are accounts. */
import {
  b32,
  b64,
  bool,
  bytes,
  type Codec,
  checked,
  type Decoded,
  type EnumOf,
  enumOf,
  map,
  names,
  option,
  str,
  struct,
  tuple,
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
import { groupOps010 } from "./group-operation-010.js";
import { HybridTimestamp011 } from "./hybrid-timestamp.js";
import { GroupMemberRole011 } from "./member-role.js";
import { teePolicy, teeQuote } from "./tee.js";

/** The visibility of a subgroup. 1 byte. */
export const SubgroupVisibility = names("SubgroupVisibility", ["Open", "Restricted"]);
export type SubgroupVisibility = Decoded<typeof SubgroupVisibility>;

/** A mask of {@link ContextCapability} bits; zero is an error. */
const contextCapability = checked(u8, "a bit mask other than 0", (mask) => mask !== 0);

/** A removed member, and the expected state after the removal. */
const removal = {
  /** The member's account id, 32 bytes. */
  member: b32,
  /** SHA-256 of the group's admin, owner, application and members after the removal, 32 bytes. */
  expectedGroupStateHash: b32,
  /** Pairs of a context's id and a hash of its state, 32 bytes each. */
  expectedContextStateHashes: vec(tuple(b32, b32)),
} as const;

const metadata = {
  /** The new name, at most 64 bytes; null removes it. */
  name: option(str),
  /** The new data, which replaces the old: at most 64 entries, keys of 1 to 64 bytes, values of at most 4096. */
  data: map(str, str),
} as const;

/** The operations on a group by name, in the order of their tags. */
export const groupOps011 = {
  /** Does nothing. */
  Noop: {},
  /** A member adds another. */
  MemberAdded: {
    /** The member's account id, 32 bytes. */
    member: b32,
    /** The member's role. */
    role: GroupMemberRole011,
  },
  /** A member removes another. */
  MemberRemoved: removal,
  /** A member leaves. */
  MemberLeft: removal,
  /** An admin gives a member another role. */
  MemberRoleSet: {
    /** The member's account id, 32 bytes. */
    member: b32,
    /** The new role. */
    role: GroupMemberRole011,
  },
  /** An admin sets a member's capabilities. */
  MemberCapabilitySet: {
    /** The member's account id, 32 bytes. */
    member: b32,
    /** Bit mask of `Capability`. */
    capabilities: u32,
  },
  /** An admin sets the capabilities that new members get. */
  DefaultCapabilitiesSet: groupOps010.DefaultCapabilitiesSet,
  /** A member sets the group's application. */
  TargetApplicationSet: groupOps010.TargetApplicationSet,
  /** A member creates a context in the group. */
  ContextRegistered: {
    ...groupOps010.ContextRegistered,
    /** Service of a bundle that the context runs, or null. */
    serviceName: option(str),
  },
  /** An admin takes a context out of the group. */
  ContextDetached: groupOps010.ContextDetached,
  /** A member makes the subgroup open or restricted. */
  SubgroupVisibilitySet: {
    /** The new visibility of the subgroup. */
    mode: SubgroupVisibility,
  },
  /** A member sets name and data of the group. */
  GroupMetadataSet: metadata,
  /** A member sets name and data of a member. */
  MemberMetadataSet: {
    /** The member's account id, 32 bytes. */
    member: b32,
    ...metadata,
  },
  /** A member sets name and data of a context. */
  ContextMetadataSet: {
    /** The context's id, 32 bytes. */
    contextId: b32,
    ...metadata,
  },
  /** The owner deletes the group, which has no contexts. */
  GroupDelete: {},
  /** A member sets the group's migration, or clears it. */
  GroupMigrationSet: groupOps010.GroupMigrationSet,
  /** A member gives another more capabilities in one context. */
  ContextCapabilityGranted: {
    /** The context's id, 32 bytes. */
    contextId: b32,
    /** The member's account id, 32 bytes. */
    member: b32,
    /** Bit mask of `ContextCapability`, not 0: the bits that are added. */
    capability: contextCapability,
  },
  /** A member takes capabilities in one context from another. */
  ContextCapabilityRevoked: {
    /** The context's id, 32 bytes. */
    contextId: b32,
    /** The member's account id, 32 bytes. */
    member: b32,
    /** Bit mask of `ContextCapability`, not 0: the bits that are removed. */
    capability: contextCapability,
  },
  /** An admin sets which machines may join by attestation. */
  TeeAdmissionPolicySet: teePolicy,
  /** A member admits a machine that attested its environment. */
  MemberJoinedViaTeeAttestation: {
    /** The machine's account id, 32 bytes. */
    member: b32,
    ...teeQuote,
    /** The machine's role. */
    role: GroupMemberRole011,
  },
  /** An admin, or the member, sets what the member joins automatically. */
  MemberSetAutoFollow: {
    /** The member's account id, 32 bytes. */
    target: b32,
    /** True if the member joins new contexts. */
    autoFollowContexts: bool,
    /** True if the member joins new subgroups. */
    autoFollowSubgroups: bool,
  },
  /** The owner makes an admin the owner. */
  TransferOwnership: {
    /** The new owner's account id, 32 bytes. */
    newOwner: b32,
  },
  /** A member upgrades the application of the group and of all groups below that have the same one. */
  CascadeUpgrade: {
    /** App key of the groups that are upgraded, 32 bytes. */
    fromAppKey: b32,
    /** The new app key: blob id of the application's code, 32 bytes. */
    appKey: b32,
    /** The new application's id, 32 bytes. */
    targetApplicationId: b32,
    /** Version of the application's state after the upgrade. */
    toStateVersion: u32,
    /** Name of the migration method, in UTF-8, or null. */
    migration: option(bytes),
    /** Timestamp of the upgrade. */
    cascadeHlc: HybridTimestamp011,
  },
  /** An admin changes the group's key after a member left. */
  GroupKeyRotated: {
    /** Account id of the member who left, 32 bytes. */
    departed: b32,
  },
  /** An account gets another device. */
  AccountDeviceLinked: {
    ...accountChain,
    /** The certificate of the device. */
    cert: DeviceCert,
    /** The endorsement of the account by a member. */
    endorsement: AccountMemberEndorsement,
  },
  /** An account or an admin revokes a device. */
  AccountDeviceUnlinked: {
    /** The account's id, 32 bytes. */
    account: b32,
    /** The device's id, 32 bytes. */
    device: b32,
    /** The account's own revocation; null where an admin revokes. */
    proof: option(SignedDeviceRevocation),
  },
  /** An account changes its root key. */
  AccountKeysRotated: {
    /** The change, signed by the outgoing key. */
    handoff: RootKeyHandoff,
  },
  /** An admin changes the group's key after a device was revoked. */
  GroupKeyRotatedForDevice: {
    /** The device's id, 32 bytes. */
    device: b32,
  },
} as const;

/** An operation on a group. From 1 byte. */
export const GroupOp011: Codec<GroupOp011> = enumOf("GroupOp", groupOps011);
export type GroupOp011 = EnumOf<typeof groupOps011>;

/** The place of a group operation in the graph. */
export const placeInGroup = {
  /** The group's id, 32 bytes. */
  groupId: b32,
  /** Ids of the operations that it follows, 32 bytes each. */
  parentOpHashes: vec(b32),
} as const;

/** A group operation with its signature. */
export function signedInGroup<T>(op: Codec<T>) {
  return {
    /** The signer's Ed25519 public key, 32 bytes. */
    signer: b32,
    /**
     * One more than the greatest nonce that the signer has used in the group; on replicas the namespace operation's.
     */
    nonce: u64,
    /** The operation. */
    op,
    /**
     * Ed25519 signature over `calimero.group.v1` and the fields before it, 64 bytes; on replicas the namespace
     * operation's.
     */
    signature: b64,
  } as const;
}

/** A group operation with its place in the graph and its signature. From 142 bytes. */
export const SignedGroupOp011 = struct("SignedGroupOp", {
  /** 10 in the rows that nodes write. */
  version: u8,
  ...placeInGroup,
  ...signedInGroup(GroupOp011),
});
export type SignedGroupOp011 = Decoded<typeof SignedGroupOp011>;
