/** The documents' `resolve_namespace` and `collect_descendant_groups`. Ids in answers are 64 hex digits. */

import { type IdLike, idHex } from "../bytes/id.js";
import { append } from "../collections/lists.js";
import { checkArgument, isReader } from "../options.js";
import type { Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/browser.js";
import { namespaceOf, readGroups } from "./tables/groups.js";
import type { NodeReader } from "./tables/rows.js";

/** The namespace of a group: the group without a parent that is above it, or itself. */
export async function resolveNamespace(reader: StoreReader<Schema>, group: IdLike): Promise<string> {
  checkArgument("resolveNamespace", reader, isReader);
  return namespaceOf(await readGroups(reader as unknown as NodeReader), idHex(group));
}

/** All groups below a group, each before its children. A group that is its own ancestor appears once. */
export async function collectDescendantGroups(
  reader: StoreReader<Schema>,
  group: IdLike,
): Promise<readonly string[]> {
  checkArgument("collectDescendantGroups", reader, isReader);
  const children = new Map<string, string[]>();
  for (const { id, parent = "" } of (await readGroups(reader as unknown as NodeReader)).values())
    append(children, parent, id);
  const top = idHex(group);
  // Iteration over a set includes elements that are added meanwhile.
  const found = new Set([top]);
  for (const id of found) for (const child of children.get(id) ?? []) found.add(child);
  found.delete(top);
  return [...found];
}
