/** Digests of warrants and of an owner's consent, since core-1.0. Signatures are Ed25519 over the digest. 32 bytes. */
import { concat } from "../bytes/concat.js";
import { u32, u64 } from "../codec/index.js";
import type {
  ContextCreationWarrant,
  GovernanceWarrant,
  OwnerOpAuthorization,
  Warrant,
  WarrantA,
  WarrantB,
} from "../payloads/index.js";
import { domainDigest, utf8 } from "./domain-digest.js";

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

/** The digest of a warrant in its second layout: it names the application, and no key of the executor. */
export function warrantDigestB(warrant: Omit<WarrantB, "signature">): Uint8Array {
  return domainDigest(
    "calimero.warrant.v2",
    warrant.context,
    ...partiesOf(warrant),
    warrant.appVersion,
    utf8(warrant.method),
    warrant.intentHash,
    ...headsOf(warrant),
    ...endOf(warrant),
  );
}

/** The digest of a warrant in its first layout. */
export function warrantDigestA(warrant: Omit<WarrantA, "signature">): Uint8Array {
  return domainDigest(
    "calimero.warrant.v1",
    warrant.context,
    ...partiesOf(warrant),
    warrant.intentHash,
    ...endOf(warrant),
  );
}

/** The hash of a method and its arguments in a warrant. */
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

/**
 * The digests that the author's device may sign to let another account create a context. No warrant of a real node has
 * shown whether an optional text is one part or two (a byte and the text), so all forms are returned.
 */
export function contextCreationWarrantDigests(
  warrant: Omit<ContextCreationWarrant, "signature">,
): readonly Uint8Array[] {
  return OPTION_FORMS.map((optional) =>
    domainDigest(
      "calimero.context-creation-warrant.v1",
      warrant.group,
      warrant.seed,
      ...partiesOf(warrant),
      warrant.executorKey,
      warrant.applicationId,
      ...optional(warrant.serviceName),
      ...optional(warrant.name),
      warrant.initHash,
      ...headsOf(warrant),
      ...endOf(warrant),
    ),
  );
}

const ABSENT = Uint8Array.of(0);
const PRESENT = Uint8Array.of(1);

/** The parts of an optional text, in each form. */
const OPTION_FORMS: readonly ((text: string | null) => readonly Uint8Array[])[] = [
  (text) => (text === null ? [ABSENT] : [PRESENT, utf8(text)]),
  (text) => (text === null ? [ABSENT, utf8("")] : [PRESENT, utf8(text)]),
  (text) => [text === null ? ABSENT : concat(PRESENT, utf8(text))],
];

const WARRANT_KINDS = { Group: 0, Root: 1 } as const;

/**
 * The hash of an operation in a warrant.
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
 * The digest of the operation in an owner's consent.
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
