/** The contexts and namespaces that have a history. */
import type { StoreReader } from "../store/browser.js";
import type { Named } from "./names.js";
import type { CalimeroNode } from "./node.js";
import { idsOfHistories } from "./tables/histories.js";
import type { NodeReader } from "./tables/rows.js";

/** All contexts or namespaces. Those that only deltas or operations name come last. */
export async function withHistory(
  node: CalimeroNode,
  reader: StoreReader,
  kind: "context" | "namespace",
): Promise<readonly Named[]> {
  const named =
    kind === "context"
      ? (await node.contextFacts()).map(({ context }) => context)
      : (await node.namespaces()).map(({ group }) => group);
  const of = kind === "context" ? "ContextDagDelta" : "NamespaceGovOp";
  const stray = new Set(await idsOfHistories(reader as unknown as NodeReader, of));
  for (const { id } of named) stray.delete(id);
  return [...named, ...[...stray].map((id) => ({ kind, id, name: undefined }))];
}
