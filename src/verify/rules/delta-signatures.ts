/** Signatures of deltas, and of the actions in them. */
import {
  actionDigest,
  actionDigest010,
  actionSignature,
  actionSignature010,
  deltaSigningBytes,
} from "../../digests/index.js";
import { ContextDagDelta } from "../../keys/index.js";
import { core010, core011 } from "../../schemas/index.js";
import { COMPARE } from "../advice.js";
import type { Broken } from "../finding.js";
import { on, type Rule } from "../rule.js";
import type { Tools } from "../tools.js";
import type { Signed } from "../work.js";

/** A signature, and the row that it is in. */
interface SignedIn extends Signed {
  readonly key: ContextDagDelta;
  readonly what: string;
}

/** Verifies what a batch of rows has signed. */
async function* verifyAll(
  signed: readonly SignedIn[],
  tools: Pick<Tools, "checked" | "verify">,
): AsyncGenerator<Broken, void, undefined> {
  tools.checked(signed.length);
  const right = await tools.verify(signed);
  for (const [at, { key, what, publicKey }] of signed.entries()) {
    if (right[at] === false)
      yield { key, message: `the signature of ${what} is not by this key`, expected: publicKey };
  }
}

const deltaSignature: Rule = {
  name: "delta-signature",
  relations: [22],
  severity: "error",
  says: "A delta is signed by its author, and one without an author is not signed.",
  means: "Nobody proves that the named author made the delta. It was forged or changed.",
  advice: COMPARE,
  checks: [
    on([core011], ContextDagDelta, async function* (batches, tools) {
      for await (const rows of batches) {
        const signed: SignedIn[] = [];
        for (const { key, value } of rows) {
          const { authorId, deltaSignature: signature, hlc } = value;
          if ((authorId === null) !== (signature === null))
            yield {
              key,
              message: authorId === null ? "a signature without an author" : "an author without a signature",
            };
          if (authorId === null || signature === null) continue;
          const governancePosition = value.governancePositionBlob?.value ?? null;
          const { contextId, deltaId } = key;
          const message = deltaSigningBytes({ contextId, deltaId, authorId, governancePosition, hlc });
          signed.push({ key, what: "the delta", publicKey: authorId, message, signature, strict: true });
        }
        yield* verifyAll(signed, tools);
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
    on([core010], ContextDagDelta, async function* (batches, tools) {
      for await (const rows of batches) {
        const signed: SignedIn[] = [];
        for (const { key, value } of rows) {
          for (const action of value.actions.value ?? []) {
            const by = actionSignature010(action);
            if (by === undefined || isPlaceholder(value.parents, by.signature)) continue;
            const what = `an action (${action.kind})`;
            signed.push({ key, what, ...by, message: actionDigest010(action), strict: false });
          }
        }
        yield* verifyAll(signed, tools);
      }
    }),
    on([core011], ContextDagDelta, async function* (batches, tools) {
      for await (const rows of batches) {
        const signed: SignedIn[] = [];
        for (const { key, value } of rows) {
          for (const action of value.actions.value ?? []) {
            const by = actionSignature(action);
            if (by === undefined) continue;
            const what = `an action (${action.kind})`;
            signed.push({ key, what, ...by, message: actionDigest(action), strict: true });
          }
        }
        yield* verifyAll(signed, tools);
      }
    }),
  ],
};

/** The first delta of a context in core-0.10 has zeros for signatures. */
function isPlaceholder(parents: readonly Uint8Array[], signature: Uint8Array): boolean {
  return (
    parents.every((parent) => parent.every((byte) => byte === 0)) && signature.every((byte) => byte === 0)
  );
}

export const deltaSignatureRules: readonly Rule[] = [deltaSignature, actionSignatures];
