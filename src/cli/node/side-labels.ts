/** Labels of the things of several nodes, which may call one thing by different names. */
import { withNames } from "../names-of-thing.js";
import type { OpenSide } from "./options.js";

/** Returns a label for an id: the names that the nodes give the thing, and the id in the form of the first node. */
export async function sideLabels(
  sides: readonly OpenSide[],
  kind: "context" | "group",
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const names = await Promise.all(sides.map(({ node }) => node.names()));
  const labels = new Map<string, string>();
  for (const id of ids) {
    const things = names.map((one) => one.as(kind, id));
    const named = things.findIndex(({ name }) => name !== undefined);
    const side = sides[Math.max(named, 0)];
    if (side === undefined) continue;
    await side.labels.prepare(things);
    labels.set(id, withNames(names, kind, id, side.labels.id(id)));
  }
  return labels;
}
