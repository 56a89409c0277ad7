/** Governance operations of a namespace. Members are accounts, and join with a credential. */
import {
  b32,
  b64,
  bool,
  bytes,
  type Codec,
  type Decoded,
  type EnumOf,
  enumOf,
  lenient,
  option,
  seconds,
  struct,
  u8,
  u64,
  vec,
} from "../codec/index.js";
import { JoinAccountCredential } from "./account.js";
import { EncryptedGroupOp, KeyEnvelope, KeyRotation } from "./envelope.js";
import { SignedGroupOpenInvitation011 } from "./invitation.js";
import { GroupMemberRole011 } from "./member-role.js";
import { teeQuote } from "./tee.js";

/** The operations on the namespace itself by name, in the order of their tags. */
export const rootOps011 = {
  /** A member creates a group below another. */
  GroupCreated: {
    /** The group's id, 32 bytes. */
    groupId: b32,
    /** Id of the parent group, 32 bytes. */
    parentId: b32,
    /** True if the group is restricted; otherwise it is open. */
    restricted: bool,
    /** The admin's account id, 32 bytes: the signer's. */
    admin: b32,
  },
  /** An admin puts a group under another one. */
  GroupReparented: {
    /** The group's id, 32 bytes. */
    childGroupId: b32,
    /** Id of the parent group, 32 bytes. */
    newParentId: b32,
  },
  /** A member deletes a group and everything below it. */
  GroupDeleted: {
    /** The group's id, 32 bytes. */
    rootGroupId: b32,
    /** Ids of the groups below it, 32 bytes each. */
    cascadeGroupIds: vec(b32),
    /** Ids of the contexts in all of them, 32 bytes each. */
    cascadeContextIds: vec(b32),
  },
  /** An admin makes another member the namespace's admin. */
  AdminChanged: {
    /** The new admin's account id, 32 bytes. */
    newAdmin: b32,
  },
  /** An admin publishes a policy. Nodes do nothing with it. */
  PolicyUpdated: {
    /** The policy, as received. */
    policyBytes: bytes,
  },
  /** An account joins a group by an invitation. */
  MemberJoined: {
    /** The member's account id, 32 bytes. */
    member: b32,
    /** The invitation that was used. */
    signedInvitation: SignedGroupOpenInvitation011,
    /** The certificate of the signing device, with the proof of the account. */
    account: JoinAccountCredential,
  },
  /** A member gives another the key of a group. */
  KeyDelivery: {
    /** The group's id, 32 bytes. */
    groupId: b32,
    /** The group's key for one recipient. */
    envelope: KeyEnvelope,
  },
  /** A member of a group above joins an open group. */
  MemberJoinedOpen: {
    /** The member's account id, 32 bytes. */
    member: b32,
    /** The group's id, 32 bytes. */
    groupId: b32,
    /** The certificate of the signing device, with the proof of the account. */
    account: JoinAccountCredential,
  },
  /** An account joins a group by an invitation, with the time of joining. */
  MemberJoinedAt: {
    /** The member's account id, 32 bytes. */
    member: b32,
    /** The invitation that was used. */
    signedInvitation: SignedGroupOpenInvitation011,
    /** When, in Unix seconds by the joiner's clock. */
    joinedAt: seconds(u64),
    /** The certificate of the signing device, with the proof of the account. */
    account: JoinAccountCredential,
  },
  /** The founder creates the namespace: its first operation. */
  NamespaceCreated: {
    /** The founder's account id, 32 bytes. */
    founder: b32,
    /** The certificate of the signing device, with the proof of the account. */
    account: JoinAccountCredential,
  },
  /** A member admits a machine that attested its environment. */
  MemberJoinedViaTeeAttestation: {
    /** The group's id, 32 bytes. */
    groupId: b32,
    /** The machine's Ed25519 public key, 32 bytes. */
    member: b32,
    ...teeQuote,
    /** The machine's role. */
    role: GroupMemberRole011,
    /** The certificate of the machine's key, with the proof of its account. */
    account: JoinAccountCredential,
  },
} as const;

/** An operation on the namespace itself, readable by everyone in it. From 5 bytes. */
export const RootOp011: Codec<RootOp011> = enumOf("RootOp", rootOps011);
export type RootOp011 = EnumOf<typeof rootOps011>;

/** An operation that is encrypted under the key of a group. */
export const sealed = {
  /** Id of the key that it is encrypted under: SHA-256 of the key, 32 bytes. */
  keyId: b32,
  /** The operation, encrypted. */
  encrypted: EncryptedGroupOp,
} as const;

/** The kinds of operations on a namespace up to core-0.11, with the operations on the namespace itself. */
export function namespaceOps<R, K>(root: Codec<R>, rotation: Codec<K>) {
  return {
    /** An operation on the namespace itself. */
    Root: {
      /** The operation, in clear. */
      value: root,
    },
    /** An operation on a group. */
    Group: {
      /** The group's id, 32 bytes. */
      groupId: b32,
      ...sealed,
      /** The group's new key where the operation changes it, otherwise null. */
      keyRotation: option(rotation),
    },
  } as const;
}

/** An operation on the namespace, or one on a group, encrypted under its key. From 6 bytes. */
export const NamespaceOp011: Codec<NamespaceOp011> = enumOf(
  "NamespaceOp",
  namespaceOps(RootOp011, KeyRotation),
);
export type NamespaceOp011 = EnumOf<ReturnType<typeof namespaceOps<RootOp011, KeyRotation>>>;

/** The place of a namespace operation in the graph. */
export const placeInNamespace = {
  /** The namespace's id, 32 bytes. */
  namespaceId: b32,
  /** Ids of the operations that it follows, 32 bytes each. */
  parentOpHashes: vec(b32),
} as const;

/** A namespace operation with its signature. */
export function signedInNamespace<T>(op: Codec<T>) {
  return {
    /** The signer's Ed25519 public key, 32 bytes. */
    signer: b32,
    /** One more than the `sequence` of the signer's NamespaceGovHead when it was made. */
    nonce: u64,
    /** The operation. */
    op,
    /** Ed25519 signature over `calimero.namespace.v1` and the fields before it, 64 bytes. */
    signature: b64,
  } as const;
}

/** A namespace operation with its place in the graph and its signature. From 147 bytes. */
export const SignedNamespaceOp011 = struct("SignedNamespaceOp", {
  /** 7 in the rows that nodes write. */
  version: u8,
  ...placeInNamespace,
  ...signedInNamespace(NamespaceOp011),
});
export type SignedNamespaceOp011 = Decoded<typeof SignedNamespaceOp011>;

/** The known part of an operation that this node cannot read. From 100 bytes. */
export const OpaqueSkeleton = struct("OpaqueSkeleton", {
  /** The operation's id, 32 bytes. */
  deltaId: b32,
  /** Ids of the operations that it follows, 32 bytes each. */
  parentOpHashes: vec(b32),
  /** The group's id, 32 bytes. */
  groupId: b32,
  /** The signer's Ed25519 public key, 32 bytes. */
  signer: b32,
});
export type OpaqueSkeleton = Decoded<typeof OpaqueSkeleton>;

/** The kinds of entries of a namespace's operations. */
function entries<T>(value: Codec<T>) {
  return {
    /** An operation that this node has. */
    Signed: {
      /** The operation. */
      value,
    },
    /** An operation that this node cannot read. */
    Opaque: {
      /** The known part of it. */
      value: OpaqueSkeleton,
    },
  } as const;
}

/** The content of a row of a namespace's operations, around signed ones of type `T`. */
export type StoredEntry<T> = EnumOf<ReturnType<typeof entries<T>>>;

/** The codec of the content of a row of a namespace's operations. */
export function storedEntry<T>(signed: Codec<T>): Codec<StoredEntry<T>> {
  return enumOf("StoredNamespaceEntry", entries(signed));
}

/** The same as nodes read it: rows of older builds have no tag. */
export function readableEntry<T>(stored: Codec<StoredEntry<T>>, signed: Codec<T>): Codec<StoredEntry<T>> {
  const decodeAs = (kind: string, codec: Codec<unknown>) => ({
    decode: (bytes: Uint8Array) => ({ kind, value: codec.decode(bytes) }) as StoredEntry<T>,
  });
  return lenient(stored, [decodeAs("Signed", signed), decodeAs("Opaque", OpaqueSkeleton)]);
}

/** The content of a row of the namespace's operations. From 101 bytes. */
export const StoredNamespaceEntry011: Codec<StoredNamespaceEntry011> = storedEntry(SignedNamespaceOp011);
export type StoredNamespaceEntry011 = StoredEntry<SignedNamespaceOp011>;

/** The same as nodes read it: rows of older builds have no tag. From 101 bytes with the tag. */
export const ReadableNamespaceEntry011 = readableEntry(StoredNamespaceEntry011, SignedNamespaceOp011);
