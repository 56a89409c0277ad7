/** The operations on the namespace that a delta names as known to its author. */

import { IdTable } from "../../bytes/id-table.js";
import { ContextDagDelta, NamespaceGovOp, NamespaceParticipation } from "../../keys/index.js";
import { SYNC } from "../advice.js";
import { runsById } from "../batches.js";
import { on, type Rule } from "../rule.js";
import { type Since011, since011 } from "../since.js";
import type { Tools } from "../tools.js";
import { pathOfContext } from "./group-path.js";

export const deltaGovernance: Rule = {
  name: "delta-governance",
  relations: [42],
  severity: "warning",
  says: "The operations that the author of an applied delta knew last are there.",
  means: "The node lacks operations of the namespace, and may not know all members or their rights.",
  advice: SYNC,
  checks: [
    on(since011, ContextDagDelta, async function* (batches, tools) {
      let namespaceId: Uint8Array | undefined;
      // Many deltas name the same operations. Each operation is looked up once, and reported for the first delta that
      // names it.
      let seen = new IdTable();
      for await (const { id: contextId, rows, begins } of runsById(batches, ({ key }) => key.contextId)) {
        if (begins) {
          namespaceId = await namespaceOf(contextId, tools);
          seen = new IdTable();
        }
        if (namespaceId === undefined) continue;
        const named: { readonly key: ContextDagDelta; readonly place: NamespaceGovOp }[] = [];
        for (const { key, value } of rows) {
          if (!value.applied) continue;
          for (const deltaId of value.governancePositionBlob?.value?.governanceDagHeads ?? []) {
            tools.checked();
            if (seen.has(deltaId)) continue;
            seen.add(deltaId);
            named.push({ key, place: new NamespaceGovOp({ namespaceId, deltaId }) });
          }
        }
        for (const [{ key, place }, { there }] of await tools.join(named, ({ place }) => place)) {
          const message = "an operation that the delta's author knew is not there";
          if (!there) yield { key, message, expected: place.deltaId };
        }
      }
    }),
  ],
};

/** Returns the namespace of a context; undefined if this node does not take part in it. */
async function namespaceOf(contextId: Uint8Array, tools: Tools<Since011>): Promise<Uint8Array | undefined> {
  const namespaceId = (await pathOfContext(contextId, tools))?.at(-1);
  if (namespaceId === undefined) return undefined;
  const [part] = await tools.find([new NamespaceParticipation({ namespaceId })]);
  return part?.there ? namespaceId : undefined;
}
