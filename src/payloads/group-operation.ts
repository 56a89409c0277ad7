/** Operations on a group since core-1.0: new kinds, and more fields of known ones. */
import {
  b32,
  type Codec,
  type EnumOf,
  enumOf,
  map,
  option,
  str,
  struct,
  type UntaggedOf,
  u8,
  u32,
  u64,
  untagged,
} from "../codec/index.js";
import { JoinAccountCredential } from "./account.js";
import { SignedDeviceLabel, SignedDeviceScope } from "./account-statements.js";
import { groupOps011, placeInGroup, SignedGroupOp011, signedInGroup } from "./group-operation-011.js";
import { HybridTimestamp } from "./hybrid-timestamp.js";
import { GroupMemberRole } from "./member-role.js";
import { earlierEvidence, foundingRelay, teeOps } from "./tee.js";
import { ContextCreationDelegation, type Wrappers, wrappers } from "./warrant.js";

/** The release of an application. */
const release = {
  /** Name of the application's package. */
  packageName: str,
  /** Version of the release. */
  version: str,
} as const;

const role = {
  /** The member's role. */
  role: GroupMemberRole,
} as const;

const device = {
  /** The account's id, 32 bytes. */
  account: b32,
  /** The device's id, 32 bytes. */
  device: b32,
} as const;

const scope = {
  /** The applications that the device acts for, with the proof of the account. */
  scope: SignedDeviceScope,
} as const;

/** Writers by account id, each with a mask of `WriterBit`. */
const writers = map(b32, u8);

/** Operations of core-0.11, with their fields of today. */
const known = {
  ...groupOps011,
  /** A member adds another. */
  MemberAdded: { ...groupOps011.MemberAdded, ...role },
  /** An admin gives a member another role. */
  MemberRoleSet: { ...groupOps011.MemberRoleSet, ...role },
  /** A member sets the group's application. */
  TargetApplicationSet: { ...groupOps011.TargetApplicationSet, ...release },
  /** A member creates a context in the group. */
  ContextRegistered: { ...groupOps011.ContextRegistered, ...release },
  /** A member admits a machine that attested its environment. */
  MemberJoinedViaTeeAttestation: { ...groupOps011.MemberJoinedViaTeeAttestation, ...role },
  /** A member upgrades the application of the group and of all groups below that have the same one. */
  CascadeUpgrade: {
    ...groupOps011.CascadeUpgrade,
    /** Timestamp of the upgrade. */
    cascadeHlc: HybridTimestamp,
    ...release,
  },
  /** An account gets another device. */
  AccountDeviceLinked: { ...groupOps011.AccountDeviceLinked, ...scope },
} as const;

/** Operations about accounts that core-1.0 added: tags 28 to 32. */
const ofAccounts = {
  /** An account announces a device of its own. */
  AccountDeviceCertified: {
    /** The certificate of the device, with the proof of the account. */
    credential: JoinAccountCredential,
    ...scope,
  },
  /** The account of the group gets a namespace. */
  AccountNamespaceGained: {
    /** The namespace's id, 32 bytes. */
    namespace: b32,
    /** The application's id, 32 bytes, or null. */
    application: option(b32),
  },
  /** The account of the group leaves a namespace. */
  AccountNamespaceLeft: {
    /** The namespace's id, 32 bytes. */
    namespace: b32,
  },
  /** A device no longer acts for an application. */
  AccountDeviceDescoped: {
    ...device,
    /** The application's id, 32 bytes, or null. */
    application: option(b32),
    ...scope,
  },
  /** A device gets a name. */
  AccountDeviceLabelled: {
    ...device,
    /** The device's name. */
    label: str,
    /** Number of the name: a higher one replaces the device's earlier ones. */
    labelEpoch: u32,
    /** The name signed by the root key of the account, or null. */
    rootProof: option(SignedDeviceLabel),
  },
} as const;

const byAnother = {
  /** A member creates a context for another account. */
  ContextRegisteredOnBehalf: {
    ...groupOps011.ContextRegistered,
    ...release,
    /** The context's name, or null. */
    name: option(str),
    /** The permission of the other account. */
    delegation: ContextCreationDelegation,
  },
} as const;

const last = {
  /** The founder of the group lets a machine act for others. */
  FoundingRelayAttested: foundingRelay,
} as const;

/** A change of the writers of a shared entity: the last operation of groups, and the last effect of operations. */
export const rotated = {
  /** The writers of an entity of a context change. */
  SharedWritersRotated: {
    /** The context's id, 32 bytes. */
    context: b32,
    /** The entity's id, 32 bytes. */
    cell: b32,
    /** The writers before, by account id, each with a mask of `WriterBit`. */
    priorWriters: writers,
    /** Number of the change. */
    nonce: u64,
    /** The writers from then on. */
    newWriters: writers,
  },
} as const;

const today = { ...known, ...ofAccounts, ...teeOps, ...byAnother } as const;
type Today = typeof known & typeof ofAccounts & typeof teeOps & typeof byAnother;

const earlier = {
  ...today,
  /** A device no longer acts for its applications. */
  AccountDeviceDescoped: { ...device, ...scope },
  /** A machine proves that it may write. */
  TeeAuthorityEvidence: earlierEvidence,
} as const;

/** Tags of the operations that wrap no other operation: all but 40 and 42. */
const UNWRAPPED = [...Array(40).keys(), 41, 43];

/** An operation on a group that wraps no other operation. From 1 byte. */
export const UnwrappedGroupOp: Codec<UnwrappedGroupOp> = enumOf(
  "UnwrappedGroupOp",
  { ...today, ...last, ...rotated },
  UNWRAPPED,
);
export type UnwrappedGroupOp = EnumOf<Today & typeof last & typeof rotated>;

const wrapped = wrappers(UnwrappedGroupOp);

/** An operation on a group. From 1 byte. */
export const GroupOp: Codec<GroupOp> = enumOf("GroupOp", {
  ...today,
  OnBehalf: wrapped.OnBehalf,
  ...last,
  RootGuarded: wrapped.RootGuarded,
  ...rotated,
});
export type GroupOp = UnwrappedGroupOp | EnumOf<Wrappers<UnwrappedGroupOp>>;

type UnwrappedEarlier = EnumOf<typeof earlier & typeof last & typeof rotated>;

function earlierOp(ops: typeof earlier): Codec<GroupOpEarlier> {
  const { OnBehalf, RootGuarded } = wrappers<UnwrappedEarlier>(
    enumOf("UnwrappedGroupOp", { ...ops, ...last, ...rotated }, UNWRAPPED),
  );
  return enumOf("GroupOp", { ...ops, OnBehalf, ...last, RootGuarded, ...rotated });
}

/** An operation on a group before group schema 16: two kinds have fewer fields. From 1 byte. */
export const GroupOpEarlier = earlierOp(earlier);
export type GroupOpEarlier = UnwrappedEarlier | EnumOf<Wrappers<UnwrappedEarlier>>;

/** The same while timestamps had 24 bytes, since group schema 11. From 1 byte. */
export const GroupOpEarlier24 = earlierOp({
  ...earlier,
  CascadeUpgrade: { ...groupOps011.CascadeUpgrade, ...release },
});

function signed<T>(op: Codec<T>) {
  return struct("SignedGroupOp", {
    /** Number of the layout: 16 in the rows that nodes of today write. */
    version: u8,
    ...placeInGroup,
    ...signedInGroup(op),
  });
}

/** The last group schema of core-0.11. */
const LAST_OF_011 = 10;

const signedGroupOp = {
  /** Group schema 16. */
  today: signed(GroupOp),
  /** Group schemas 11 to 15. */
  earlier: signed(GroupOpEarlier),
  /** The same while timestamps had 24 bytes. */
  "earlier-24": signed(GroupOpEarlier24),
  /** Group schema 10. */
  "core-0.11": SignedGroupOp011,
};

/**
 * A group operation with its place in the graph and its signature, in the layout of today, of a group schema before 16,
 * or of core-0.11. The version decides only if the bytes fit two layouts. From 142 bytes.
 */
export const SignedGroupOp: Codec<SignedGroupOp> = untagged(
  "SignedGroupOp",
  signedGroupOp,
  ({ kind, version }) => (kind === "core-0.11") === version <= LAST_OF_011,
);
export type SignedGroupOp = UntaggedOf<typeof signedGroupOp>;

/** Returns whether nodes write a group operation of this layout with its version: 10 in core-0.11, above 10 in core-1.0. */
export function isWrittenVersion(signed: SignedGroupOp | SignedGroupOp011): boolean {
  const is011 = !("kind" in signed) || signed.kind === "core-0.11";
  return is011 ? signed.version === LAST_OF_011 : signed.version > LAST_OF_011;
}
