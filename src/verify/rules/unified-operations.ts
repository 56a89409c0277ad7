/** Operations in the one form that core-0.11 has for all, beside those of namespaces. */
import { NamespaceGovHead, NamespaceGovOp, ScopeUnifiedOp } from "../../keys/index.js";
import { core011 } from "../../schemas/index.js";
import { on, type Rule } from "../rule.js";

export const unifiedOperation: Rule = {
  name: "unified-operation",
  relations: [49],
  severity: "error",
  says: "An operation of a namespace is there in both forms.",
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
        for (const [at, { key }] of rows.entries()) {
          // Other scopes are contexts, whose changes of writers are named by a delta, and may outlive it.
          if (namespaces[at]?.there === false && operations[at]?.there === false) continue;
          tools.checked();
          if (operations[at]?.there === false)
            yield { key, message: "the namespace has no such operation", found: key.opId };
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
