/** Warrants, since core-1.0: an account lets another one act for it. */
import {
  b32,
  b64,
  type Codec,
  type Decoded,
  names,
  option,
  seconds,
  str,
  struct,
  u64,
  vec,
} from "../codec/index.js";
import { JoinAccountCredential } from "./account.js";
import { SignedOwnerOpAuthorization } from "./account-statements.js";

/** The account that gives a warrant, and the one that gets it. */
const parties = {
  /** Id of the account that gives the warrant, 32 bytes. */
  authorAccount: b32,
  /** Ed25519 public key of the device that signed, 32 bytes. */
  authorDeviceKey: b32,
  /** Id of the account that acts, 32 bytes. */
  executor: b32,
} as const;

const executorKey = {
  /** Ed25519 public key of the device that acts, 32 bytes. */
  executorKey: b32,
} as const;

/** The places in the logs that the author knew. */
const heads = {
  /** Ids of the operations on the account that the author knew, 32 bytes each. */
  accountHeads: vec(b32),
  /** Ids of the operations on the namespace that the author knew, 32 bytes each. */
  governanceFloor: vec(b32),
} as const;

/** The fields that every warrant ends with. */
const end = {
  /** Number of the warrant: each is used once. */
  nonce: u64,
  /** Until when it may be used, in Unix seconds. */
  notAfter: seconds(u64),
  /** Ed25519 signature by the author's device over a digest of the fields before it, 64 bytes. */
  signature: b64,
} as const;

/** Permission to call one method of a context once. From 320 bytes. */
export const Warrant = struct("Warrant", {
  /** The context's id, 32 bytes. */
  context: b32,
  ...parties,
  ...executorKey,
  /** Blob id of the code of the release that the author saw, 32 bytes. */
  releaseBytecodeId: b32,
  /** Version of that release. */
  releaseVersion: str,
  /** The method. */
  method: str,
  /** Hash of the method and its arguments, 32 bytes. */
  intentHash: b32,
  ...heads,
  ...end,
});
export type Warrant = Decoded<typeof Warrant>;

/** The second layout of {@link Warrant}, before 0.11.0-rc.83. From 284 bytes. */
export const WarrantB = struct("WarrantB", {
  /** The context's id, 32 bytes. */
  context: b32,
  ...parties,
  /** The application's version, 32 bytes. */
  appVersion: b32,
  /** The method. */
  method: str,
  /** Hash of the method and its arguments, 32 bytes. */
  intentHash: b32,
  ...heads,
  ...end,
});
export type WarrantB = Decoded<typeof WarrantB>;

/** The first layout of {@link Warrant}, from 0.11.0-rc.26 on. 240 bytes. */
export const WarrantA = struct("WarrantA", {
  /** The context's id, 32 bytes. */
  context: b32,
  ...parties,
  /** Hash of the method and its arguments, 32 bytes. */
  intentHash: b32,
  ...end,
});
export type WarrantA = Decoded<typeof WarrantA>;

/** Permission to create one context in a group. From 346 bytes. */
export const ContextCreationWarrant = struct("ContextCreationWarrant", {
  /** The group's id, 32 bytes. */
  group: b32,
  /** The seed of the context's id, 32 bytes. */
  seed: b32,
  ...parties,
  ...executorKey,
  /** The application's id, 32 bytes. */
  applicationId: b32,
  /** Service of a bundle that the context runs, or null. */
  serviceName: option(str),
  /** The context's name, or null. */
  name: option(str),
  /** Hash of the arguments of the first call, 32 bytes. */
  initHash: b32,
  ...heads,
  ...end,
});
export type ContextCreationWarrant = Decoded<typeof ContextCreationWarrant>;

/** Permission to sign one operation on a group or a namespace. From 281 bytes. */
export const GovernanceWarrant = struct("GovernanceWarrant", {
  /** Id of the group or namespace, 32 bytes. */
  scope: b32,
  /** The target: a group, or the namespace itself. */
  kind: names("GovernanceWarrantKind", ["Group", "Root"]),
  ...parties,
  ...executorKey,
  /** Hash of the operation, 32 bytes. */
  opHash: b32,
  ...heads,
  ...end,
});
export type GovernanceWarrant = Decoded<typeof GovernanceWarrant>;

const proofs = {
  /** The certificate of the author's device, with the proof of the account. */
  authorProof: JoinAccountCredential,
  /** The certificate of the executor's device, with the proof of the account. */
  executorProof: JoinAccountCredential,
} as const;

/** A {@link Warrant} with the proofs of both accounts. From 826 bytes. */
export const Delegation = struct("Delegation", {
  /** The warrant. */
  warrant: Warrant,
  ...proofs,
  ...executorKey,
});
export type Delegation = Decoded<typeof Delegation>;

/** A {@link WarrantB} with the proofs of both accounts. From 790 bytes. */
export const DelegationB = struct("DelegationB", {
  /** The warrant. */
  warrant: WarrantB,
  ...proofs,
  ...executorKey,
});
export type DelegationB = Decoded<typeof DelegationB>;

/** A {@link WarrantA} with the proofs of both accounts. From 714 bytes. */
export const DelegationA = struct("DelegationA", {
  /** The warrant. */
  warrant: WarrantA,
  ...proofs,
});
export type DelegationA = Decoded<typeof DelegationA>;

/** A {@link ContextCreationWarrant} with the proofs of both accounts. From 852 bytes. */
export const ContextCreationDelegation = struct("ContextCreationDelegation", {
  /** The warrant. */
  warrant: ContextCreationWarrant,
  ...proofs,
  ...executorKey,
});
export type ContextCreationDelegation = Decoded<typeof ContextCreationDelegation>;

/** A {@link GovernanceWarrant} with the proofs of both accounts. From 787 bytes. */
export const GovernanceDelegation = struct("GovernanceDelegation", {
  /** The warrant. */
  warrant: GovernanceWarrant,
  ...proofs,
  ...executorKey,
});
export type GovernanceDelegation = Decoded<typeof GovernanceDelegation>;

/** The operations that wrap another operation. */
export function wrappers<T>(op: Codec<T>) {
  return {
    /** A member signs an operation for another account. */
    OnBehalf: {
      /** The operation. */
      op,
      /** The permission of the other account. */
      delegation: GovernanceDelegation,
    },
    /** An operation that needs the consent of the owner's root key. */
    RootGuarded: {
      /** The operation. */
      op,
      /** The consent. */
      proof: SignedOwnerOpAuthorization,
    },
  } as const;
}
export type Wrappers<T> = ReturnType<typeof wrappers<T>>;
