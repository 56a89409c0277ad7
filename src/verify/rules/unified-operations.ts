/** Operations in the one form that core-0.11 has for all, beside those of namespaces. */
import { equalBytes } from "../../bytes/order.js";
import { NamespaceGovHead, NamespaceGovOp, ScopeUnifiedOp } from "../../keys/index.js";
import type { Op, SignedNamespaceOp011 } from "../../payloads/index.js";
import { core011 } from "../../schemas/index.js";
import { on, type Rule } from "../rule.js";

/** What of the form for all is not as an operation of a namespace leaves it, if anything is not. */
function otherThan(op: Op, signed: SignedNamespaceOp011): string | undefined {
  const { parentOpHashes, signer } = signed;
  const alike = (parent: Uint8Array, at: number) => equalBytes(parent, parentOpHashes[at] as Uint8Array);
  if (op.parents.length !== parentOpHashes.length || !op.parents.every(alike)) return "its parents are";
  if (!equalBytes(op.authorship.deviceKey, signer)) return "its device key is";
  if (op.hlc.time !== 0n || op.hlc.id !== 1n) return "its time is";
  // It is signed in the namespace's form alone.
  const unused = [...op.expectedScopeRoot, ...op.signature];
  return unused.every((byte) => byte === 0) ? undefined : "its root or its signature is";
}

export const unifiedOperation: Rule = {
  name: "unified-operation",
  relations: [49],
  severity: "error",
  says: "An operation of a namespace is there in both forms, which agree on what both have.",
  pairs: true,
  checks: [
    on([core011], ScopeUnifiedOp, async function* (batches, tools) {
      for await (const rows of batches) {
        const operations = await tools.find(
          rows.map(({ key: { scope, opId } }) => new NamespaceGovOp({ namespaceId: scope, deltaId: opId })),
        );
        const namespaces = await tools.find(
          rows.map(({ key }) => new NamespaceGovHead({ namespaceId: key.scope })),
        );
        for (const [at, { key, value }] of rows.entries()) {
          // Other scopes are contexts, whose changes of writers are named by a delta, and may outlive it.
          if (namespaces[at]?.there === false && operations[at]?.there === false) continue;
          tools.checked();
          if (operations[at]?.there === false)
            yield { key, message: "the namespace has no such operation", found: key.opId };
          const entry = operations[at]?.value?.skeletonBytes.value;
          if (value.value === undefined || entry?.kind !== "Signed") continue;
          const what = otherThan(value.value, entry.value);
          if (what === undefined) continue;
          const message = `${what} not what the namespace's operation makes of it`;
          yield { key, message, severity: "error" };
        }
      }
    }),
    on([core011], NamespaceGovOp, async function* (batches, tools) {
      for await (const rows of batches) {
        // Of an operation that is known by its frame alone there is no other form.
        const signed = rows.filter(({ value }) => value.skeletonBytes.value?.kind === "Signed");
        tools.checked(signed.length);
        for (const [{ key }, { there }] of await tools.join(
          signed,
          ({ key: { namespaceId, deltaId } }) => new ScopeUnifiedOp({ scope: namespaceId, opId: deltaId }),
        )) {
          const message = "the operation is not there in the other form";
          if (!there) yield { key, message, expected: key.deltaId, severity: "warning" };
        }
      }
    }),
  ],
};
