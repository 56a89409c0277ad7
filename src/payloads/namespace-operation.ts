/** Operations of a namespace since core-1.0: sealed ones, and an endorsement after the signature. */
import {
  b32,
  b64,
  bytes,
  type Codec,
  type Decoded,
  type EnumOf,
  enumOf,
  option,
  struct,
  type UntaggedOf,
  u8,
  untagged,
} from "../codec/index.js";
import { KeyRotation } from "./envelope.js";
import { SignedGroupOpenInvitation } from "./invitation.js";
import { GroupMemberRole } from "./member-role.js";
import {
  namespaceOps,
  placeInNamespace,
  readableEntry,
  rootOps011,
  SignedNamespaceOp011,
  type StoredEntry,
  sealed,
  signedInNamespace,
  storedEntry,
} from "./namespace-operation-011.js";
import { type Wrappers, wrappers } from "./warrant.js";

const invitation = {
  /** The invitation that was used. */
  signedInvitation: SignedGroupOpenInvitation,
} as const;

const salt = {
  /** Random bytes that determine the id, 32 bytes. */
  salt: b32,
} as const;

/** Operations of core-0.11 with the fields of today, except salts and quotes. */
const earlierOps = (() => {
  const { NamespaceCreated, MemberJoinedViaTeeAttestation, ...others } = rootOps011;
  return {
    ...others,
    /** An account joins a group by an invitation. */
    MemberJoined: { ...others.MemberJoined, ...invitation },
    /** An account joins a group by an invitation, with the time of joining. */
    MemberJoinedAt: { ...others.MemberJoinedAt, ...invitation },
    /** The founder creates the namespace: its first operation. */
    NamespaceCreatedV2: NamespaceCreated,
    /** A member admits a machine that attested its environment. */
    MemberJoinedViaTeeAttestation: {
      ...MemberJoinedViaTeeAttestation,
      /** The machine's role. */
      role: GroupMemberRole,
    },
  } as const;
})();

const ops = {
  ...earlierOps,
  /** A member creates a group below another. */
  GroupCreated: { ...earlierOps.GroupCreated, ...salt },
  /** The founder creates the namespace: its first operation. */
  NamespaceCreatedV2: { ...earlierOps.NamespaceCreatedV2, ...salt },
} as const;

const today = {
  ...ops,
  /** A member admits a machine that attested its environment. */
  MemberJoinedViaTeeAttestation: {
    ...ops.MemberJoinedViaTeeAttestation,
    /** The quote of the machine. */
    quote: bytes,
  },
} as const;

/** An operation on the namespace itself that wraps no other operation. From 5 bytes. */
export const UnwrappedRootOp: Codec<UnwrappedRootOp> = enumOf("UnwrappedRootOp", today);
export type UnwrappedRootOp = EnumOf<typeof today>;

/** An operation on the namespace itself. From 5 bytes. */
export const RootOp: Codec<RootOp> = enumOf("RootOp", { ...today, ...wrappers(UnwrappedRootOp) });
export type RootOp = UnwrappedRootOp | EnumOf<Wrappers<UnwrappedRootOp>>;

type WithoutQuote = EnumOf<typeof ops>;

/** An operation on the namespace itself before namespace schema 23: machines join without their quote. From 5 bytes. */
export const RootOpWithoutQuote: Codec<RootOpWithoutQuote> = enumOf("RootOp", {
  ...ops,
  ...wrappers<WithoutQuote>(enumOf("UnwrappedRootOp", ops)),
});
export type RootOpWithoutQuote = WithoutQuote | EnumOf<Wrappers<WithoutQuote>>;

type WithoutSalt = EnumOf<typeof earlierOps>;

/** An operation on the namespace itself while ids did not follow from a salt. From 5 bytes. */
export const RootOpWithoutSalt: Codec<RootOpWithoutSalt> = enumOf("RootOp", {
  ...earlierOps,
  ...wrappers<WithoutSalt>(enumOf("UnwrappedRootOp", earlierOps)),
});
export type RootOpWithoutSalt = WithoutSalt | EnumOf<Wrappers<WithoutSalt>>;

function namespaceOp<T>(root: Codec<T>) {
  return enumOf("NamespaceOp", {
    ...namespaceOps(root, KeyRotation),
    /** An operation on the namespace itself, under the namespace's key. */
    RootSealed: sealed,
    /** A joiner's whole signed operation, under the namespace's key, passed on by a relay. */
    RootRelaySealed: sealed,
    /** An operation on the namespace itself, under the key of one of its groups. */
    RootSealedForGroup: {
      /** The group's id, 32 bytes. */
      groupId: b32,
      ...sealed,
    },
  });
}

/** An operation on the namespace, or one on a group, encrypted under its key. From 6 bytes. */
export const NamespaceOp = namespaceOp(RootOp);
export type NamespaceOp = Decoded<typeof NamespaceOp>;

/** Consent of a member that an invitation names as admitter to admit the joiner. 96 bytes. */
export const AdmitterEndorsement = struct("AdmitterEndorsement", {
  /** The admitter's Ed25519 public key, 32 bytes. */
  signer: b32,
  /** Ed25519 signature by the admitter over the namespace, the member and the invitation's nonce, 64 bytes. */
  signature: b64,
});
export type AdmitterEndorsement = Decoded<typeof AdmitterEndorsement>;

function signed<T>(op: Codec<T>) {
  return struct("SignedNamespaceOp", {
    /** Number of the layout: 23 in the rows that nodes of today write. */
    version: u8,
    ...placeInNamespace,
    ...signedInNamespace(op),
    /** Consent to admit the joiner, or null. Neither the signature nor the id covers it. */
    admitterEndorsement: option(AdmitterEndorsement),
  });
}

/** The last namespace schema of core-0.11. */
const LAST_OF_011 = 7;

const signedNamespaceOp = {
  /** Namespace schema 23. */
  today: signed(NamespaceOp),
  /** Namespace schemas before 23: machines join without their quote. */
  withoutQuote: signed(namespaceOp(RootOpWithoutQuote)),
  /** Namespace schemas from 8 on, while ids did not follow from a salt. */
  withoutSalt: signed(namespaceOp(RootOpWithoutSalt)),
  /** Namespace schema 7. */
  "core-0.11": SignedNamespaceOp011,
};

/**
 * A namespace operation with its place in the graph and its signature, in the layout of today, without the quotes of
 * machines, without salts, or in the layout of core-0.11. The version decides only if the bytes fit two layouts. From
 * 147 bytes.
 */
export const SignedNamespaceOp: Codec<SignedNamespaceOp> = untagged(
  "SignedNamespaceOp",
  signedNamespaceOp,
  ({ kind, version }) => (kind === "core-0.11") === version <= LAST_OF_011,
);
export type SignedNamespaceOp = UntaggedOf<typeof signedNamespaceOp>;

/** The content of a row of the namespace's operations. From 101 bytes. */
export const StoredNamespaceEntry: Codec<StoredNamespaceEntry> = storedEntry(SignedNamespaceOp);
export type StoredNamespaceEntry = StoredEntry<SignedNamespaceOp>;

/** The same as nodes read it: rows of older builds have no tag. From 101 bytes with the tag. */
export const ReadableNamespaceEntry = readableEntry(StoredNamespaceEntry, SignedNamespaceOp);
