/** What the tree of groups is made from, as it is read. */
import type { GroupFacts } from "./groups.js";
import type { Names } from "./names.js";
import { countMembers } from "./tables/members.js";
import { hasKind, type NodeReader } from "./tables/rows.js";
import type { Tables } from "./tables/tables.js";

/** Reads what the nodes of the tree are made from. */
export async function readGroupFacts(reader: NodeReader, tables: Tables, names: Names): Promise<GroupFacts> {
  const own = await tables.own();
  const isOwn = (member: string): boolean => own.account === member || own.publicKeys.has(member);
  return {
    groups: await tables.groups(),
    names,
    memberCounts: await countMembers(reader, isOwn),
    hasVisibility: hasKind(reader, "GroupSubgroupVis"),
  };
}
