/** The heads of a context: its deltas without children. */
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { ContextDagDelta, ContextMeta } from "../../keys/index.js";
import { SYNC } from "../advice.js";
import { runsById } from "../batches.js";
import { on, onBatch, type Rule } from "../rule.js";
import { since010 } from "../since.js";

export const deltaHeads: Rule = {
  name: "delta-heads",
  relations: [18],
  severity: "error",
  pairs: true,
  says: "The heads of a context are applied deltas that no applied delta follows.",
  means:
    "The node does not know where the history of the context ends. It may offer its peers an incomplete history.",
  advice: SYNC,
  checks: [
    onBatch(since010, ContextMeta, async function* (rows, tools) {
      const heads = rows.flatMap(({ key, value }) =>
        value.dagHeads.map((deltaId) => ({ key, value, deltaId })),
      );
      tools.checked(heads.length);
      for (const [{ key, value, deltaId }, { there, value: delta }] of await tools.join(
        heads,
        ({ key, deltaId }) => new ContextDagDelta({ contextId: key.contextId, deltaId }),
      )) {
        // After it has fetched a snapshot and while it knows no delta, core-0.10 uses the root hash as head.
        const fallback = value.dagHeads.length === 1 && equalBytes(deltaId, value.rootHash);
        if (!there && !fallback)
          yield { key, message: "a head is not there", expected: deltaId, about: deltaId };
        if (delta?.applied === false)
          yield { key, message: "a head is not applied", found: deltaId, severity: "warning" };
      }
    }),
    on(since010, ContextDagDelta, async function* (batches, tools) {
      let heads = new Set<string>();
      for await (const { id, rows, begins } of runsById(batches, ({ key }) => key.contextId)) {
        if (begins) {
          const [meta] = await tools.find([new ContextMeta({ contextId: id })]);
          heads = new Set(meta?.value?.dagHeads.map(toHex));
        }
        for (const { key, value } of rows) {
          if (!value.applied) continue;
          for (const parent of value.parents) {
            if (heads.has(toHex(parent)))
              yield {
                key,
                message: "the delta follows one that is still a head of the context",
                found: parent,
                severity: "warning",
              };
          }
        }
      }
    }),
  ],
};
