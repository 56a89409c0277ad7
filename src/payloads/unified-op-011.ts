/** Operations of namespaces and contexts in one form, since core-0.11. */
import {
  b32,
  b64,
  bool,
  bytes,
  type Codec,
  type Decoded,
  type EnumOf,
  enumOf,
  struct,
  u32,
  vec,
} from "../codec/index.js";
import { accountChain, DeviceCert, RootKeyHandoff } from "./account.js";
import { HybridTimestamp011 } from "./hybrid-timestamp.js";
import { GroupMemberRole011 } from "./member-role.js";
import { Writers011 } from "./storage-type.js";

/** The author of an operation; zeros if unknown. 96 bytes. */
export const Authorship = struct("Authorship", {
  /** The author's account id, 32 bytes. */
  account: b32,
  /** Id of the author's device, 32 bytes. */
  device: b32,
  /** The device's Ed25519 public key, 32 bytes. */
  deviceKey: b32,
});
export type Authorship = Decoded<typeof Authorship>;

/** The effects of operations by name, in the order of their tags. */
export const opPayloads011 = {
  /** Writes an entity. */
  Put: {
    /** The entity's id, 32 bytes. */
    entity: b32,
    /** Its content. */
    value: bytes,
  },
  /** Deletes an entity. */
  Delete: {
    /** The entity's id, 32 bytes. */
    entity: b32,
  },
  /** Changes the writers of a shared entity. */
  SetWriters: {
    /** The entity's id, 32 bytes. */
    object: b32,
    /** The writers by account id, each with a mask of `WriterBit`. */
    writers: Writers011,
  },
  /** Adds a member to a group. */
  MemberAdded: {
    /** The group's id, 32 bytes. */
    group: b32,
    /** The member's account id, 32 bytes. */
    member: b32,
    /** The member's role. */
    role: GroupMemberRole011,
  },
  /** Removes a member from a group. */
  MemberRemoved: {
    /** The group's id, 32 bytes. */
    group: b32,
    /** The member's account id, 32 bytes. */
    member: b32,
  },
  /** Makes another member the namespace's admin. */
  AdminChanged: {
    /** The new admin's account id, 32 bytes. */
    newAdmin: b32,
  },
  /** Publishes a policy. */
  PolicyUpdated: {
    /** The policy, as received. */
    policyBytes: bytes,
  },
  /** Creates a group below another. */
  SubgroupCreated: {
    /** The group's id, 32 bytes. */
    child: b32,
    /** Id of the parent group, 32 bytes. */
    parent: b32,
    /** True if the group is restricted; otherwise it is open. */
    restricted: bool,
    /** The admin's account id, 32 bytes. */
    admin: b32,
  },
  /** Puts a group under another one. */
  SubgroupReparented: {
    /** The group's id, 32 bytes. */
    child: b32,
    /** Id of the parent group, 32 bytes. */
    newParent: b32,
  },
  /** Deletes a group. */
  SubgroupDeleted: {
    /** The group's id, 32 bytes. */
    scope: b32,
  },
  /** Makes a group open or restricted. */
  SubgroupVisibilitySet: {
    /** The group's id, 32 bytes. */
    scope: b32,
    /** True if the group is restricted; otherwise it is open. */
    restricted: bool,
  },
  /** Sets the capabilities that new members of a group get. */
  DefaultCapabilitiesSet: {
    /** The group's id, 32 bytes. */
    group: b32,
    /** Bit mask of `Capability`. */
    capabilities: u32,
  },
  /** Sets a member's capabilities in a group. */
  MemberCapabilitySet: {
    /** The group's id, 32 bytes. */
    group: b32,
    /** The member's account id, 32 bytes. */
    member: b32,
    /** Bit mask of `Capability`. */
    capabilities: u32,
  },
  /** Does nothing. */
  Noop: {},
  /** Gives an account another device. */
  DeviceLinked: {
    ...accountChain,
    /** The certificate of the device. */
    cert: DeviceCert,
  },
  /** Revokes a device of an account. */
  DeviceRevoked: {
    /** The account's id, 32 bytes. */
    account: b32,
    /** The device's id, 32 bytes. */
    device: b32,
  },
  /** Changes the root key of an account. */
  AccountKeysRotated: {
    /** The change, signed by the outgoing key. */
    handoff: RootKeyHandoff,
  },
  /** Adds a member to a group, with a device of the member's account. */
  MemberJoinedWithDevice: {
    /** The group's id, 32 bytes. */
    group: b32,
    /** The member's account id, 32 bytes. */
    member: b32,
    /** The member's role. */
    role: GroupMemberRole011,
    ...accountChain,
    /** The certificate of the device. */
    cert: DeviceCert,
  },
  /** An operation on a group that this node cannot decrypt; rewritten once it can. */
  Opaque: {
    /** The group's id, 32 bytes. */
    group: b32,
  },
} as const;

/** The effect of an operation. From 1 byte. */
export const OpPayload011: Codec<OpPayload011> = enumOf("OpPayload", opPayloads011);
export type OpPayload011 = EnumOf<typeof opPayloads011>;

/** An operation of a namespace or a context, with a timestamp and an effect of a revision. */
export function op<H, P>(hlc: Codec<H>, payload: Codec<P>) {
  return struct("Op", {
    /** Id of the governance operation, or of the delta that changed the writers, 32 bytes. */
    id: b32,
    /** Id of the namespace, or of the context where writers change, 32 bytes. */
    scope: b32,
    /** Ids of the operations that it follows, 32 bytes each; none where writers change. */
    parents: vec(b32),
    /** The author. */
    authorship: Authorship,
    /** The operation's timestamp; time 0 and id 1 for governance. */
    hlc,
    /** The effect of the operation. */
    payload,
    /** A hash of 32 bytes: zeros in the rows that nodes write. */
    expectedScopeRoot: b32,
    /** A signature of 64 bytes: zeros in the rows that nodes write. */
    signature: b64,
  });
}

/** An operation of a namespace or a context. From 285 bytes. */
export const Op011 = op(HybridTimestamp011, OpPayload011);
export type Op011 = Decoded<typeof Op011>;
