/** Digests of warrants and of an owner's consent, since core-1.0. Signatures are Ed25519 over the digest. 32 bytes. */
import { u32, u64 } from "../codec/index.js";
import type { GovernanceWarrant, OwnerOpAuthorization, Warrant, WarrantA } from "../payloads/index.js";
import { domainDigest } from "./domain-digest.js";
import { utf8 } from "./utf8.js";

/** The digest that the author's device signs to let another account call a method: its fields in order. */
export function warrantDigest(warrant: Omit<Warrant, "signature">): Uint8Array {
  return domainDigest(
    "calimero.warrant.v2",
    warrant.context,
    ...partiesOf(warrant),
    warrant.executorKey,
    warrant.releaseBytecodeId,
    utf8(warrant.releaseVersion),
    utf8(warrant.method),
    warrant.intentHash,
    ...headsOf(warrant),
    ...endOf(warrant),
  );
}

/** The digest of a warrant in its first layout. The domain of the second one is not known. */
export function warrantDigestA(warrant: Omit<WarrantA, "signature">): Uint8Array {
  return domainDigest(
    "calimero.warrant.v1",
    warrant.context,
    ...partiesOf(warrant),
    warrant.intentHash,
    ...endOf(warrant),
  );
}

/** The hash in a warrant of a method and its arguments. */
export function intentHash(method: string, args: Uint8Array): Uint8Array {
  return domainDigest("calimero.warrant.intent.v1", utf8(method), args);
}

/** The digest that the author's device signs to let another account sign an operation. */
export function governanceWarrantDigest(warrant: Omit<GovernanceWarrant, "signature">): Uint8Array {
  return domainDigest(
    "calimero.governance-warrant.v1",
    warrant.scope,
    Uint8Array.of(WARRANT_KINDS[warrant.kind]),
    ...partiesOf(warrant),
    warrant.executorKey,
    warrant.opHash,
    ...headsOf(warrant),
    ...endOf(warrant),
  );
}

const WARRANT_KINDS = { Group: 0, Root: 1 } as const;

/**
 * The hash in a warrant of an operation.
 *
 * @param operation the operation in Borsh
 */
export function governanceOpHash(kind: GovernanceWarrant["kind"], operation: Uint8Array): Uint8Array {
  return domainDigest("calimero.governance-warrant.op.v1", Uint8Array.of(WARRANT_KINDS[kind]), operation);
}

const CONSENT_KINDS = {
  TransferOwnership: 0,
  AdminChanged: 1,
  GroupDelete: 2,
  TeeAdmissionPolicy: 3,
  TeeAuthoringPolicy: 4,
  TeeReleaseAdmissionPolicy: 5,
} as const;

/** The digest that the owner's root key signs to consent to an operation. */
export function ownerConsentDigest(consent: Omit<OwnerOpAuthorization, "signature">): Uint8Array {
  return domainDigest(
    "calimero.account.owner-op.v1",
    consent.account,
    consent.namespace,
    consent.group,
    Uint8Array.of(CONSENT_KINDS[consent.kind]),
    consent.opDigest,
    u64.encode(consent.counter),
    u32.encode(consent.keyEpoch),
  );
}

/**
 * The digest in an owner's consent of the operation.
 *
 * @param operation the operation in Borsh
 */
export function ownerOpDigest(operation: Uint8Array): Uint8Array {
  return domainDigest("calimero.account.owner-op.body.v1", operation);
}

type Parties = Pick<Warrant, "authorAccount" | "authorDeviceKey" | "executor">;

function partiesOf({ authorAccount, authorDeviceKey, executor }: Parties): readonly Uint8Array[] {
  return [authorAccount, authorDeviceKey, executor];
}

function headsOf({ accountHeads, governanceFloor }: Pick<Warrant, "accountHeads" | "governanceFloor">) {
  return [accountHeads, governanceFloor].flatMap((ids) => [u64.encode(BigInt(ids.length)), ...ids]);
}

function endOf({ nonce, notAfter }: Pick<Warrant, "nonce" | "notAfter">): readonly Uint8Array[] {
  return [u64.encode(nonce), u64.encode(notAfter)];
}
