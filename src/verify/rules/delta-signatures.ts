/** Signatures of deltas, and of the actions in them. */
import { isZeros } from "../../bytes/bytes.js";
import {
  actionDigest,
  actionDigest010,
  actionSignature,
  actionSignature010,
  deltaSigningBytes011,
  possibleActionDigests,
} from "../../digests/index.js";
import { ContextDagDelta } from "../../keys/index.js";
import { type Action, type Action011, actionsIn } from "../../payloads/index.js";
import type { Core010, Core011, ValueFor } from "../../schemas/index.js";
import { COMPARE } from "../advice.js";
import { ahead } from "../batches.js";
import { type GoodRow, type KindCheck, on, onEach, type Rule } from "../rule.js";
import { only010, only011, since10, since011 } from "../since.js";
import type { Signed } from "../work.js";
import { signedDeltas } from "./delta-signing-forms.js";
import { unsignedOf, wronglySigned } from "./signed-forms.js";

/** A signature, and the row that it is in. */
interface SignedIn extends Signed {
  readonly key: ContextDagDelta;
  readonly what: string;
}

/** A check of the signatures in each delta. Threads verify the signatures of several batches at the same time. */
function onSigned<S extends Core010 | Core011>(
  revisions: readonly S[],
  signedIn: (row: GoodRow<ContextDagDelta, ValueFor<S, ContextDagDelta>>) => Iterable<SignedIn>,
): KindCheck {
  return on<S, typeof ContextDagDelta>(revisions, ContextDagDelta, async function* (batches, tools) {
    const verify = (rows: readonly Parameters<typeof signedIn>[0][]) =>
      wronglySigned(
        rows.flatMap((row) => [...signedIn(row)]),
        tools,
      );
    for await (const wrong of ahead(batches, verify))
      for (const { key, what, publicKey } of wrong)
        yield { key, message: `the signature of ${what} is not by this key`, expected: publicKey };
  });
}

const deltaSignature: Rule = {
  name: "delta-signature",
  relations: [22],
  severity: "error",
  says: "A delta is signed by its author, and one without an author is not signed.",
  means: "Nobody proves that the named author made the delta. It was forged or changed.",
  advice: COMPARE,
  checks: [
    onEach(since011, ContextDagDelta, function* ({ key, value: { authorId, deltaSignature } }) {
      if (authorId === null && deltaSignature !== null)
        yield { key, message: "a signature without an author" };
      if (authorId !== null && deltaSignature === null)
        yield { key, message: "an author without a signature" };
    }),
    onSigned(only011, function* ({ key, value }) {
      const { authorId, deltaSignature: signature, hlc } = value;
      if (authorId === null || signature === null) return;
      const governancePosition = value.governancePositionBlob?.value ?? null;
      const { contextId, deltaId } = key;
      const message = deltaSigningBytes011({ contextId, deltaId, authorId, governancePosition, hlc });
      yield { key, what: "the delta", publicKey: authorId, message, signature, strict: true };
    }),
    on(since10, ContextDagDelta, async function* (batches, tools) {
      const unsigned = async (rows: Parameters<typeof signedDeltas>[0]) =>
        unsignedOf(await signedDeltas(rows, tools), tools);
      for await (const wrong of ahead(batches, unsigned))
        for (const { key, forms } of wrong) {
          const message = "the signature of the delta is not by this key";
          yield { key, message, expected: forms[0].publicKey };
        }
    }),
  ],
};

const actionSignatures: Rule = {
  name: "action-signature",
  relations: [23],
  severity: "warning",
  says: "Actions on guarded data are signed by the owner, or by the device that they name.",
  means:
    "Nobody proves that the owner of the data made the change. core-0.10 also writes such actions in normal use.",
  advice: COMPARE,
  checks: [
    onSigned(only010, function* ({ key, value }) {
      for (const action of value.actions.value ?? []) {
        const by = actionSignature010(action);
        if (by === undefined || isPlaceholder(value.parents, by.signature)) continue;
        const what = `an action (${action.kind})`;
        yield { key, what, ...by, message: actionDigest010(action), strict: false };
      }
    }),
    onSigned(only011, function* ({ key, value }) {
      for (const action of value.actions.value ?? []) {
        const by = actionSignature(action);
        if (by === undefined) continue;
        const what = `an action (${action.kind})`;
        yield { key, what, ...by, message: actionDigest(action), strict: true };
      }
    }),
    on(since10, ContextDagDelta, async function* (batches, tools) {
      const unsigned = async (rows: Parameters<typeof signedDeltas>[0]) =>
        unsignedOf(rows.flatMap(signedActions), tools);
      for await (const wrong of ahead(batches, unsigned))
        for (const { key, what, forms } of wrong) {
          const message = `the signature of ${what} is in no known form by this key: it was changed, or its node signs otherwise`;
          yield { key, message, expected: forms[0].publicKey };
        }
    }),
  ],
};

/** The signed actions in a delta of core-1.0, each with all byte strings that its signature may cover. */
function signedActions({ key, value }: Parameters<typeof signedDeltas>[0][number]) {
  const list = value.actions.value ?? [];
  return actionsIn(list).flatMap((action) => {
    // Only core-0.10 has Compare actions.
    if (action.kind === "Compare") return [];
    const by = actionSignature(action as Action);
    if (by === undefined) return [];
    const digests =
      "actions" in list ? possibleActionDigests(action as Action) : [actionDigest(action as Action011)];
    const [first, ...others] = digests.map((message): Signed => ({ ...by, message, strict: true }));
    return first === undefined
      ? []
      : [{ key, what: `an action (${action.kind})`, forms: [first, ...others] as const }];
  });
}

/** The first delta of a context in core-0.10 has zeros for signatures. */
function isPlaceholder(parents: readonly Uint8Array[], signature: Uint8Array): boolean {
  return parents.every((parent) => isZeros(parent)) && isZeros(signature);
}

export const deltaSignatureRules: readonly Rule[] = [deltaSignature, actionSignatures];
