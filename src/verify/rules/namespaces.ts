/** The operations of a namespace: a graph like that of deltas, signed one by one. */
import { fromHex, toHex } from "../../bytes/hex.js";
import {
  anyNamespaceOp,
  invitationDigest,
  invitationDigest010,
  invitationDigest011,
} from "../../digests/index.js";
import { NamespaceGovHead, NamespaceGovOp } from "../../keys/index.js";
import type { SignedNamespaceOp, SignedNamespaceOp010, SignedNamespaceOp011 } from "../../payloads/index.js";
import type { Core010, ValueFor } from "../../schemas/index.js";
import { COMPARE, SYNC } from "../advice.js";
import { ahead, runsById } from "../batches.js";
import type { RowFinding } from "../finding.js";
import { refer } from "../reference.js";
import { referenceRule } from "../reference-check.js";
import { type GoodRow, on, onBatch, onEach, onEqual, type Rule } from "../rule.js";
import { only010, type Since010, type Since011, since010, since011 } from "../since.js";
import type { Tools } from "../tools.js";
import type { Signed } from "../work.js";
import { wronglySigned } from "./signed-forms.js";
import { bySigner, expectedVersion, operationIn, operationsIn } from "./signed-operations.js";

type EntryValue = ValueFor<Core010 | Since011, NamespaceGovOp>;
type Operation = SignedNamespaceOp010 | SignedNamespaceOp011 | SignedNamespaceOp;

/** The parents of the operation in a row, readable or not. */
function parentsIn({ skeletonBytes: { value: entry } }: EntryValue): readonly Uint8Array[] {
  return entry?.value.parentOpHashes ?? [];
}

const operationId: Rule = {
  name: "namespace-operation-id",
  relations: [41],
  severity: "error",
  says: "The id of a namespace operation is the hash of its signed content.",
  means: "The operation was changed after it was made. Peers do not accept it under this id.",
  advice: COMPARE,
  checks: [
    onEqual(since010, NamespaceGovOp, "the operation has another id", ({ key, value }) => {
      const operation = operationIn(value);
      return operation && [key.deltaId, anyNamespaceOp.id(operation)];
    }),
  ],
};

/** The version of operations, by revision. Those of core-1.0 are 8 to 23 so far. Its nodes keep older operations. */
const VERSION_010 = 1;
const VERSION_011 = 7;

const operationVersion: Rule = {
  name: "namespace-operation-version",
  relations: [41],
  severity: "error",
  says: "A namespace operation has the version of its revision.",
  means: "No node of this revision accepts the operation. The row was changed, or another version wrote it.",
  advice: COMPARE,
  checks: [
    onEach(since010, NamespaceGovOp, function* ({ key, value }, tools) {
      const operation = operationIn(value);
      if (operation === undefined) return;
      tools.checked();
      const expected = expectedVersion(operation, VERSION_010, VERSION_011);
      const message = "no node accepts an operation of this version";
      if (expected !== undefined) yield { key, message, found: operation.version, expected };
    }),
  ],
};

const operationSignature: Rule = {
  name: "namespace-operation-signature",
  relations: [41],
  severity: "error",
  says: "A namespace operation is signed by its signer.",
  means: "Nobody proves that the signer made the operation. It was forged or changed.",
  advice: COMPARE,
  checks: [
    on(since010, NamespaceGovOp, async function* (batches, tools) {
      const unsigned = (rows: readonly GoodRow<NamespaceGovOp, EntryValue>[]) => {
        const signed = operationsIn(rows).map(({ key, operation }) => ({
          key,
          ...bySigner(operation, anyNamespaceOp.signingBytes(operation)),
        }));
        return wronglySigned(signed, tools);
      };
      for await (const wrong of ahead(batches, unsigned))
        for (const { key, publicKey } of wrong)
          yield { key, message: "the operation's signature is not by its signer", expected: publicKey };
    }),
  ],
};

const heads = referenceRule({
  name: "namespace-heads",
  relations: [42],
  severity: "error",
  pairs: true,
  says: "The heads of a namespace are operations in it that no other one follows.",
  means:
    "The node does not know where the history of the namespace ends. It may offer peers an incomplete one.",
  advice: SYNC,
  references: [
    refer({
      revisions: since010,
      from: NamespaceGovHead,
      to: NamespaceGovOp,
      keys: ({ key: { namespaceId }, value }) => value.dagHeads.map((deltaId) => ({ namespaceId, deltaId })),
      message: "a head of the namespace is not there",
      shows: (_, { deltaId }) => ({ expected: deltaId, about: deltaId }),
    }),
  ],
  checks: [
    on(since010, NamespaceGovOp, async function* (batches, tools) {
      let open = new Set<string>();
      for await (const { id, rows, begins } of runsById(batches, ({ key }) => key.namespaceId)) {
        if (begins) {
          const [head] = await tools.find([new NamespaceGovHead({ namespaceId: id })]);
          open = new Set(head?.value?.dagHeads.map(toHex));
        }
        for (const { key, value } of rows) {
          for (const parent of parentsIn(value)) {
            const message = "the operation follows one that is still a head of the namespace";
            if (open.has(toHex(parent))) yield { key, message, found: parent, severity: "warning" };
          }
        }
      }
    }),
  ],
});

const parents = referenceRule({
  name: "namespace-parents",
  relations: [42],
  severity: "warning",
  says: "The parents of a namespace operation are there, and the first operation is.",
  means: "The history of the namespace has a gap. The node may not know all members or their rights.",
  advice: SYNC,
  references: [
    refer({
      revisions: since010,
      from: NamespaceGovOp,
      to: NamespaceGovOp,
      keys: ({ key: { namespaceId }, value }) =>
        parentsIn(value).map((parent) => ({ namespaceId, deltaId: parent })),
      message: "a parent of the operation is not there",
      shows: (_, { deltaId }) => ({ expected: deltaId }),
    }),
  ],
  checks: [
    on(since010, NamespaceGovOp, async function* (batches, tools) {
      let first = false;
      let count = 0;
      for await (const { id, rows, begins, ends } of runsById(batches, ({ key }) => key.namespaceId)) {
        if (begins) [first, count] = [false, 0];
        first ||= rows.some(({ value }) => parentsIn(value).length === 0);
        count += rows.length;
        if (!ends || first || rows[0] === undefined) continue;
        const { key } = rows[0];
        if ((await tools.count(NamespaceGovOp.range({ namespaceId: id }))) > count)
          yield {
            key,
            message: "not checked: the first operation may be one that does not decode",
            severity: "info",
          };
        else yield { key, message: "the namespace has no operation without parents: its first is not there" };
      }
    }),
  ],
});

const sequence: Rule = {
  name: "namespace-sequence",
  relations: [43],
  severity: "warning",
  says: "A namespace counts as many operations as it has; in core-0.10 it may count some twice.",
  means: "Operations of the namespace are missing, or the node counted one twice.",
  advice: SYNC,
  checks: [
    on(only010, NamespaceGovOp, (batches, tools) => counts(batches, tools, false)),
    on(since011, NamespaceGovOp, (batches, tools) => counts(batches, tools, true)),
  ],
};

/**
 * Compares the count in a namespace's head with the number of its operations. `exact`: the node counts each operation
 * once.
 */
async function* counts(
  batches: AsyncIterable<readonly GoodRow<NamespaceGovOp, EntryValue>[]>,
  tools: Tools<Since010>,
  exact: boolean,
): AsyncGenerator<RowFinding, void, undefined> {
  let count = 0n;
  for await (const { id, rows, begins, ends } of runsById(batches, ({ key }) => key.namespaceId)) {
    count = (begins ? 0n : count) + BigInt(rows.length);
    if (!ends) continue;
    tools.checked();
    const key = new NamespaceGovHead({ namespaceId: id });
    const [head] = await tools.find([key]);
    const found = head?.value?.sequence;
    if (head?.there === false) yield { key, message: "the namespace has operations, and no head" };
    if (found === undefined || found === count) continue;
    const all = BigInt(await tools.count(NamespaceGovOp.range({ namespaceId: id })));
    if (found < all)
      yield {
        key,
        message: "the namespace counts fewer operations than it has",
        found,
        expected: `at least ${all}`,
      };
    else if (exact && found > all)
      yield { key, message: "the namespace counts more operations than are there", found, expected: all };
  }
}

const invitation: Rule = {
  name: "invitation-signature",
  relations: [51],
  severity: "warning",
  says: "The invitation by which a member joined is signed by who invited.",
  means: "Nobody proves that the member was invited by the named inviter.",
  advice: "Ask the administrator of the group whether the member should be there, and remove it if not.",
  checks: [
    onBatch(since010, NamespaceGovOp, async function* (rows, tools) {
      const signed = operationsIn(rows).flatMap(({ key, operation }) => {
        const invited = invitationIn(operation);
        return invited === undefined ? [] : [{ key, ...invited }];
      });
      for (const { key, publicKey } of await wronglySigned(signed, tools))
        yield { key, message: "the invitation's signature is not by who invited", expected: publicKey };
    }),
  ],
};

/** The signature of the invitation in an operation, if it has one. */
function invitationIn(operation: Operation): Signed | undefined {
  if (operation.op.kind !== "Root") return undefined;
  const root = operation.op.value;
  if (!("signedInvitation" in root)) return undefined;
  const { invitation, inviterSignature } = root.signedInvitation;
  const publicKey = invitation.inviterIdentity;
  const signature = signatureOf(inviterSignature);
  if (!("invitationNonce" in invitation))
    return { publicKey, message: invitationDigest010(invitation), signature, strict: false };
  const message = "admitters" in invitation ? invitationDigest(invitation) : invitationDigest011(invitation);
  return { publicKey, message, signature, strict: true };
}

const NONE = new Uint8Array(64);

/** Reads a signature of 128 hex digits. Any other text gives a wrong signature. */
function signatureOf(text: string): Uint8Array {
  return /^[0-9a-fA-F]{128}$/.test(text) ? fromHex(text) : NONE;
}

export const namespaceRules: readonly Rule[] = [
  operationId,
  operationVersion,
  operationSignature,
  heads,
  parents,
  sequence,
  invitation,
];
