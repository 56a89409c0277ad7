/**
 * Proofs inside operations and deltas, since core-1.0: warrants to act for another, consents of owners, and
 * endorsements of admitters.
 */
import { equalBytes } from "../../bytes/order.js";
import { admitterSigningBytes, createdGroupId, foundedNamespaceId } from "../../digests/index.js";
import { ContextDagDelta, GroupOpLog, NamespaceGovOp } from "../../keys/index.js";
import type { RootOp, UnwrappedRootOp } from "../../payloads/index.js";
import { COMPARE } from "../advice.js";
import type { RowFinding } from "../finding.js";
import { onBatch, type Rule } from "../rule.js";
import { since10 } from "../since.js";
import type { Tools } from "../tools.js";
import {
  type Proof,
  proofsOfDelta,
  proofsOfEnvelopes,
  proofsOfGroupOp,
  proofsOfRelayed,
  proofsOfRootOp,
} from "./proof-forms.js";
import { type RootOperation, rootOperations } from "./root-operations.js";
import { unsignedOf } from "./signed-forms.js";

interface ProofsOfRow {
  readonly key: RowFinding["key"];
  readonly proofs: Iterable<Proof>;
}

async function* wrongProofs(
  rows: readonly ProofsOfRow[],
  tools: Pick<Tools, "checked" | "verify">,
): AsyncGenerator<RowFinding, void, undefined> {
  const proofs = rows.flatMap(({ key, proofs }) => [...proofs].map((proof) => ({ key, ...proof })));
  for (const proof of proofs) if ("wrong" in proof) yield { key: proof.key, message: proof.wrong };
  const signed = proofs.flatMap((proof) => ("forms" in proof ? [proof] : []));
  for (const { key, what, forms, severity } of await unsignedOf(signed, tools)) {
    const message = `the signature of ${what} is not by this key`;
    yield { key, message, expected: forms[0].publicKey, ...(severity !== undefined && { severity }) };
  }
}

const operationProof: Rule = {
  name: "operation-proof",
  relations: [22, 41],
  severity: "error",
  says: "Warrants, certificates and consents inside operations and deltas are signed by whom they name, and are for these.",
  means: "Nobody proves that the named account let another one act, or that the owner consented.",
  advice: COMPARE,
  checks: [
    onBatch(since10, NamespaceGovOp, async function* (rows, tools) {
      const operations = await rootOperations(rows, tools);
      yield* wrongProofs(
        operations.map((one) => ({ key: one.key, proofs: proofsOfRoot(one) })),
        tools,
      );
    }),
    onBatch(since10, GroupOpLog, (rows, tools) =>
      wrongProofs(
        rows.map(({ key, value: { value } }) => ({
          key,
          proofs: value === undefined ? [] : proofsOfGroupOp(value.op),
        })),
        tools,
      ),
    ),
    onBatch(since10, ContextDagDelta, (rows, tools) =>
      wrongProofs(
        rows.map(({ key, value }) => {
          const delegation = "delegation" in value ? value.delegation : null;
          return { key, proofs: delegation === null ? [] : proofsOfDelta(delegation) };
        }),
        tools,
      ),
    ),
  ],
};

function* proofsOfRoot({ key, op, group, relayed, endorsement }: RootOperation): Iterable<Proof> {
  if (relayed !== undefined) yield* proofsOfRelayed(relayed, key.namespaceId);
  if (group !== undefined) yield* proofsOfEnvelopes(group.groupId, group.envelopes);
  if (op === undefined) return;
  yield* proofsOfRootOp(op as RootOp);
  if (op.kind === "KeyDelivery") yield* proofsOfEnvelopes(op.groupId, [op.envelope]);
  if (endorsement === null || !("signedInvitation" in op)) return;
  const { signer: publicKey, signature } = endorsement;
  const { invitationNonce } = op.signedInvitation.invitation;
  const message = admitterSigningBytes(key.namespaceId, op.member, invitationNonce);
  yield { what: "the endorsement", forms: [{ publicKey, message, signature, strict: true }] };
}

type Salted = Extract<UnwrappedRootOp, { readonly kind: "NamespaceCreatedV2" | "GroupCreated" }>;

/** Returns whether an operation makes an id from a salt. Operations of earlier layouts have no salt. */
function isSalted(op: { readonly kind: string }): op is Salted {
  return "salt" in op;
}

const foundedId: Rule = {
  name: "founded-id",
  relations: [41],
  severity: "error",
  says: "The ids of a namespace and of a group follow from who made it and from a salt.",
  means: "No node accepts the operation: it makes a namespace or a group under the id of another one.",
  advice: COMPARE,
  checks: [
    onBatch(since10, NamespaceGovOp, async function* (rows, tools) {
      for (const { key, op: outer } of await rootOperations(rows, tools)) {
        const op = outer?.kind === "OnBehalf" || outer?.kind === "RootGuarded" ? outer.op : outer;
        if (op === undefined || !isSalted(op)) continue;
        tools.checked();
        const isNamespace = op.kind === "NamespaceCreatedV2";
        const found = isNamespace ? key.namespaceId : op.groupId;
        const expected = isNamespace ? foundedNamespaceId(op.founder, op.salt) : createdGroupId(op);
        const message = "the id does not follow from who made it and from the salt";
        if (!equalBytes(found, expected)) yield { key, message, found, expected };
      }
    }),
  ],
};

export const proofRules: readonly Rule[] = [operationProof, foundedId];
