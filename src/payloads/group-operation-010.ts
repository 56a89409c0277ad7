/** Operations on a group, as the log of core-0.10 keeps them. Members are public keys. */
import {
  b32,
  b64,
  bytes,
  type Codec,
  type Decoded,
  type EnumOf,
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

/** The operations on a group of core-0.10 by name, in the order of their tags. */
export const groupOps010 = {
  /** Does nothing. */
  Noop: {},
  /** A member adds another. */
  MemberAdded: {
    /** The member's Ed25519 public key, 32 bytes. */
    member: b32,
    /** The member's role. */
    role: GroupMemberRole010,
  },
  /** A member removes another; the group's key changes. */
  MemberRemoved: {
    /** The member's Ed25519 public key, 32 bytes. */
    member: b32,
  },
  /** An admin gives a member a role, and adds a missing member. */
  MemberRoleSet: {
    /** The member's Ed25519 public key, 32 bytes. */
    member: b32,
    /** The new role. */
    role: GroupMemberRole010,
  },
  /** An admin sets a member's capabilities. */
  MemberCapabilitySet: {
    /** The member's Ed25519 public key, 32 bytes. */
    member: b32,
    /** Bit mask of `Capability`. */
    capabilities: u32,
  },
  /** An admin sets the capabilities that new members get. */
  DefaultCapabilitiesSet: {
    /** Bit mask of `Capability`. */
    capabilities: u32,
  },
  /** An admin sets when contexts take a new version of the application. */
  UpgradePolicySet: {
    /** The new policy. */
    policy: UpgradePolicy,
  },
  /** A member sets the group's application. */
  TargetApplicationSet: {
    /** App key of the group: blob id of the application's code, 32 bytes. */
    appKey: b32,
    /** The application's id, 32 bytes. */
    targetApplicationId: b32,
  },
  /** A member creates a context in the group. */
  ContextRegistered: {
    /** The context's id, 32 bytes. */
    contextId: b32,
    /** The application's id, 32 bytes. */
    applicationId: b32,
    /** Blob id of the application's code, 32 bytes. */
    blobId: b32,
    /** The source of the application: a URL, or empty. */
    source: str,
  },
  /** An admin takes a context out of the group. */
  ContextDetached: {
    /** The context's id, 32 bytes. */
    contextId: b32,
  },
  /** An admin sets the visibility that new contexts get. */
  DefaultVisibilitySet: {
    /** 0 open, 1 restricted. */
    mode: u8,
  },
  /** An admin names a context. */
  ContextAliasSet: {
    /** The context's id, 32 bytes. */
    contextId: b32,
    /** The name. */
    alias: str,
  },
  /** An admin, or the member, names a member. */
  MemberAliasSet: {
    /** The member's Ed25519 public key, 32 bytes. */
    member: b32,
    /** The name. */
    alias: str,
  },
  /** An admin names the group. */
  GroupAliasSet: {
    /** The name. */
    alias: str,
  },
  /** An admin deletes the group, which has no contexts. */
  GroupDelete: {},
  /** A member sets the group's migration, or clears it. */
  GroupMigrationSet: {
    /** Name of the method, in UTF-8; null clears it. */
    migration: option(bytes),
  },
  /** A member gives another more capabilities in one context. */
  ContextCapabilityGranted: {
    /** The context's id, 32 bytes. */
    contextId: b32,
    /** The member's Ed25519 public key, 32 bytes. */
    member: b32,
    /** Bit mask of `ContextCapability`: the bits that are added. */
    capability: u8,
  },
  /** A member takes capabilities in one context from another. */
  ContextCapabilityRevoked: {
    /** The context's id, 32 bytes. */
    contextId: b32,
    /** The member's Ed25519 public key, 32 bytes. */
    member: b32,
    /** Bit mask of `ContextCapability`: the bits that are removed. */
    capability: u8,
  },
  /** An admin sets which machines may join by attestation. */
  TeeAdmissionPolicySet: teePolicy,
  /** A member admits a machine that attested its environment. */
  MemberJoinedViaTeeAttestation: {
    /** The machine's Ed25519 public key, 32 bytes. */
    member: b32,
    ...teeQuote,
    /** The machine's role. */
    role: GroupMemberRole010,
  },
} as const;

/** An operation on a group in core-0.10. Members are public keys. From 1 byte. */
export const GroupOp010: Codec<GroupOp010> = enumOf("GroupOp", groupOps010);
export type GroupOp010 = EnumOf<typeof groupOps010>;

/** A group operation with its place in the graph and its signature, in core-0.10. From 174 bytes. */
export const SignedGroupOp010 = struct("SignedGroupOp", {
  /** 3 in the rows that nodes write. */
  version: u8,
  /** The group's id, 32 bytes. */
  groupId: b32,
  /** Ids of the operations that it follows, 32 bytes each. */
  parentOpHashes: vec(b32),
  /** SHA-256 of the group's admin, application and members before the operation, 32 bytes; zeros where not asserted. */
  stateHash: b32,
  /** The signer's Ed25519 public key, 32 bytes. */
  signer: b32,
  /** One more than the greatest nonce that the signer has used in the group. */
  nonce: u64,
  /** The operation. */
  op: GroupOp010,
  /** Ed25519 signature over `calimero.group.v1` and the fields before it, 64 bytes. */
  signature: b64,
});
export type SignedGroupOp010 = Decoded<typeof SignedGroupOp010>;
