/** The signatures inside operations and deltas of core-1.0: warrants, proofs of accounts, consents of owners. */
import { equalBytes } from "../../bytes/order.js";
import {
  accountId,
  contextCreationWarrantDigests,
  deviceCertDigest,
  deviceScopeDigest,
  governanceOpHash,
  governanceWarrantDigest,
  handoffDigest,
  keyEnvelopeSigningBytes,
  namespaceOpSigningBytes,
  ownerConsentDigest,
  ownerOpDigest,
  warrantDigest,
  warrantDigestA,
  warrantDigestB,
} from "../../digests/index.js";
import type { Severity } from "../../findings/index.js";
import {
  type AccountGenesis,
  type AnyGroupOp,
  type DeltaDelegation,
  type GovernanceWarrant,
  type JoinAccountCredential,
  type KeyEnvelope,
  type RootKeyHandoff,
  type RootOp,
  type SignedNamespaceOp,
  UnwrappedGroupOp,
  UnwrappedRootOp,
} from "../../payloads/index.js";
import type { Signed } from "../work.js";
import type { SignedForms } from "./signed-forms.js";

/** A signature inside an operation or a delta, or a statement that is wrong by itself. */
export type Proof =
  | (SignedForms & {
      readonly what: string;
      /** The severity, if it is not that of the rule. */
      readonly severity?: Severity;
    })
  | { readonly wrong: string };

/** The account of a proof, with its root keys in order. */
interface Chain {
  readonly genesis: AccountGenesis;
  readonly chain: readonly RootKeyHandoff[];
}

/** The proofs in an operation on a group. */
export function* proofsOfGroupOp(op: AnyGroupOp): Iterable<Proof> {
  if ("scope" in op)
    yield* stated("the applications of the device", op.scope, deviceScopeDigest(op.scope.statement));
  if (op.kind === "ContextRegisteredOnBehalf") {
    const { warrant } = op.delegation;
    const digests = contextCreationWarrantDigests(warrant);
    yield* delegated(op.delegation, digests, warrant.executorKey);
  } else if (op.kind === "OnBehalf") {
    yield* governed(op.delegation, "Group", encoded(UnwrappedGroupOp, op.op));
  } else if (op.kind === "RootGuarded") {
    yield* consent(op.proof, encoded(UnwrappedGroupOp, op.op));
  }
}

/** The proofs in an operation on a namespace. */
export function* proofsOfRootOp(op: RootOp): Iterable<Proof> {
  if (op.kind === "OnBehalf") yield* governed(op.delegation, "Root", encoded(UnwrappedRootOp, op.op));
  else if (op.kind === "RootGuarded") yield* consent(op.proof, encoded(UnwrappedRootOp, op.op));
}

/** The proofs in the delegation of a delta. In the first layout no field names the executor's key. */
export function* proofsOfDelta(delegation: DeltaDelegation): Iterable<Proof> {
  if (delegation.kind === "A") {
    const { signPk } = delegation.executorProof.statement;
    yield* delegated(delegation, [warrantDigestA(delegation.warrant)], signPk);
  } else if (delegation.kind === "B")
    yield* delegated(delegation, [warrantDigestB(delegation.warrant)], delegation.executorKey);
  else yield* delegated(delegation, [warrantDigest(delegation.warrant)], delegation.warrant.executorKey);
}

/**
 * The signature over a group key for one recipient. A finding is a warning: the sources do not say whether core-1.0
 * still signs as core-0.11 does.
 */
export function* proofsOfEnvelopes(groupId: Uint8Array, envelopes: readonly KeyEnvelope[]): Iterable<Proof> {
  for (const envelope of envelopes)
    yield {
      ...{ severity: "warning" as const },
      ...oneForm(
        "a group key",
        envelope.sender,
        keyEnvelopeSigningBytes(groupId, envelope),
        envelope.signature,
      ),
    };
}

/** The signature of an operation that a relay passed on. The operation must be for the namespace that contains it. */
export function* proofsOfRelayed(operation: SignedNamespaceOp, namespaceId: Uint8Array): Iterable<Proof> {
  if (!equalBytes(operation.namespaceId, namespaceId))
    yield { wrong: "the operation that a relay passed on is for another namespace" };
  const message = namespaceOpSigningBytes(operation);
  yield oneForm("the operation that a relay passed on", operation.signer, message, operation.signature);
}

/** An operation in Borsh; undefined if it has an earlier layout. */
function encoded<T>(codec: { encode(value: T): Uint8Array }, op: unknown): Uint8Array | undefined {
  try {
    return codec.encode(op as T);
  } catch {
    return undefined;
  }
}

type Delegated = {
  readonly warrant: {
    readonly authorAccount: Uint8Array;
    readonly authorDeviceKey: Uint8Array;
    readonly executor: Uint8Array;
    readonly signature: Uint8Array;
  };
  readonly authorProof: JoinAccountCredential;
  readonly executorProof: JoinAccountCredential;
};

function* governed(
  delegation: Delegated & { readonly warrant: GovernanceWarrant },
  kind: GovernanceWarrant["kind"],
  operation: Uint8Array | undefined,
): Iterable<Proof> {
  const { warrant } = delegation;
  if (warrant.kind !== kind) yield { wrong: "the warrant is for an operation of another kind" };
  if (operation !== undefined && !equalBytes(warrant.opHash, governanceOpHash(kind, operation)))
    yield { wrong: "the warrant is for another operation" };
  yield* delegated(delegation, [governanceWarrantDigest(warrant)], warrant.executorKey);
}

function* delegated(
  { warrant, authorProof, executorProof }: Delegated,
  digests: readonly Uint8Array[],
  executorKey: Uint8Array,
): Iterable<Proof> {
  const { authorAccount, authorDeviceKey, executor, signature } = warrant;
  yield* signed("the warrant", authorDeviceKey, digests, signature);
  yield* credential("the author", authorProof, authorAccount, authorDeviceKey);
  yield* credential("the executor", executorProof, executor, executorKey);
}

function* credential(
  who: string,
  proof: JoinAccountCredential,
  account: Uint8Array,
  key: Uint8Array,
): Iterable<Proof> {
  const { statement } = proof;
  if (!equalBytes(statement.account, account))
    yield { wrong: `the certificate of ${who} is of another account` };
  if (!equalBytes(statement.signPk, key)) yield { wrong: `the certificate of ${who} is of another key` };
  yield* stated(`the certificate of ${who}`, proof, deviceCertDigest(statement));
}

function* consent(
  proof: Extract<RootOp, { readonly kind: "RootGuarded" }>["proof"],
  operation: Uint8Array | undefined,
): Iterable<Proof> {
  const { statement } = proof;
  if (operation !== undefined && !equalBytes(statement.opDigest, ownerOpDigest(operation)))
    yield { wrong: "the owner consented to another operation" };
  yield* stated("the owner's consent", proof, ownerConsentDigest(statement));
}

interface Statement {
  readonly account: Uint8Array;
  readonly keyEpoch: number;
  readonly signature: Uint8Array;
}

/** A statement that the root key of its epoch signed, and the changes of the root key before it. */
function* stated(
  what: string,
  { genesis, chain, statement }: Chain & { readonly statement: Statement },
  digest: Uint8Array,
): Iterable<Proof> {
  if (!equalBytes(accountId(genesis), statement.account))
    yield { wrong: `${what} begins with the root key of another account` };
  const keys = [genesis.rootSignPk, ...chain.map(({ newRootSignPk }) => newRootSignPk)];
  for (const [at, handoff] of chain.entries())
    yield* signed(
      "a change of the root key",
      keys[at] as Uint8Array,
      [handoffDigest(handoff)],
      handoff.signature,
    );
  const key = keys[statement.keyEpoch];
  if (key === undefined) yield { wrong: `${what} names a root key that it does not prove` };
  else yield* signed(what, key, [digest], statement.signature);
}

function oneForm(what: string, publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) {
  return { what, forms: [{ publicKey, message, signature, strict: true }] as const };
}

function* signed(
  what: string,
  publicKey: Uint8Array,
  messages: readonly Uint8Array[],
  signature: Uint8Array,
): Iterable<Proof> {
  const [first, ...others] = messages.map(
    (message): Signed => ({ publicKey, message, signature, strict: true }),
  );
  if (first !== undefined) yield { what, forms: [first, ...others] };
}
