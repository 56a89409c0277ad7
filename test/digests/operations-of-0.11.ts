/** The signed parts of signed operations of core-0.11: invitations, credentials, group keys, accounts. */
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import { verify } from "../../src/crypto/index.js";
import * as digest from "../../src/digests/index.js";
import type {
  DeviceCert,
  DeviceRevocation,
  JoinAccountCredential,
  KeyEnvelope,
  RootKeyHandoff,
  SignedDeviceRevocation,
  SignedGroupOp011,
  SignedGroupOpenInvitation011,
  SignedNamespaceOp011,
} from "../../src/payloads/index.js";
import type { Tally } from "./rows.js";

const strict = { strict: true };

/** The first root keys of accounts, by account id in hex, as proofs have shown them. */
export type FirstKeys = Map<string, Uint8Array>;

/** Counts the signed parts of a namespace operation. */
export function countNamespaceOperation({ op }: SignedNamespaceOp011, tally: Tally, known: FirstKeys): void {
  if (op.kind === "Group") {
    for (const envelope of op.keyRotation?.envelopes ?? []) countEnvelope(op.groupId, envelope, tally);
    return;
  }
  const root = op.value;
  if (root.kind === "KeyDelivery") countEnvelope(root.groupId, root.envelope, tally);
  if ("signedInvitation" in root) countInvitation(root.signedInvitation, tally);
  if ("account" in root) countCredential(root.account, tally, known);
}

/** Counts the signed parts of a group operation. */
export function countGroupOperation({ op }: SignedGroupOp011, tally: Tally, known: FirstKeys): void {
  if (op.kind === "AccountDeviceLinked") {
    const rootKey = countChain(op, op.cert.account, op.cert.keyEpoch, tally, known);
    countCert(op.cert, rootKey, tally);
    const { endorsement } = op;
    const message = digest.endorsementDigest(endorsement);
    tally.check("endorsement signature", verify(endorsement.member, message, endorsement.signature, strict));
  }
  if (op.kind === "AccountDeviceUnlinked" && op.proof !== null) countRevocation(op.proof, tally, known);
  if (op.kind === "AccountKeysRotated") {
    const { handoff } = op;
    const first = known.get(toHex(handoff.account));
    const message = digest.handoffDigest(handoff);
    const right = handoff.fromEpoch === 0 && first !== undefined;
    tally.check("handoff signature", right && verify(first, message, handoff.signature, strict));
  }
}

function countEnvelope(groupId: Uint8Array, envelope: KeyEnvelope, tally: Tally): void {
  const message = digest.keyEnvelopeSigningBytes(groupId, envelope);
  const right = verify(envelope.sender, message, envelope.signature, strict);
  tally.check(`key envelope for a ${envelope.recipient.kind}`, right);
}

function countInvitation(signed: SignedGroupOpenInvitation011, tally: Tally): void {
  const { invitation, inviterSignature } = signed;
  const message = digest.invitationDigest011(invitation);
  const right = verify(invitation.inviterIdentity, message, fromHex(inviterSignature), strict);
  tally.check("invitation signature", right);
}

function countCredential(credential: JoinAccountCredential, tally: Tally, known: FirstKeys): void {
  const cert = credential.statement;
  countCert(cert, countChain(credential, cert.account, cert.keyEpoch, tally, known), tally);
}

function countRevocation(proof: SignedDeviceRevocation, tally: Tally, known: FirstKeys): void {
  const revocation: DeviceRevocation = proof.statement;
  const rootKey = countChain(proof, revocation.account, revocation.keyEpoch, tally, known);
  const message = digest.deviceRevocationDigest(revocation);
  tally.check("revocation signature", verify(rootKey, message, revocation.signature, strict));
}

function countCert(cert: DeviceCert, rootKey: Uint8Array, tally: Tally): void {
  const message = digest.deviceCertDigest(cert);
  tally.check("device certificate", verify(rootKey, message, cert.signature, strict));
}

/** The root key of an epoch. Checks the account's id and the handoffs up to it first. */
function countChain(
  proof: { readonly genesis: JoinAccountCredential["genesis"]; readonly chain: readonly RootKeyHandoff[] },
  account: Uint8Array,
  epoch: number,
  tally: Tally,
  known: FirstKeys,
): Uint8Array {
  known.set(toHex(account), proof.genesis.rootSignPk);
  tally.check("account id of a proof", equalBytes(digest.accountId(proof.genesis), account));
  let rootKey = proof.genesis.rootSignPk;
  for (const handoff of proof.chain.slice(0, epoch)) {
    const message = digest.handoffDigest(handoff);
    tally.check("handoff signature", verify(rootKey, message, handoff.signature, strict));
    rootKey = handoff.newRootSignPk;
  }
  return rootKey;
}
