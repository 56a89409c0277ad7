/** Those who are or were in a group. */
import type { Named } from "./names.js";

/** The lookups in a node. */
interface Groups {
  memberList(group: string): Promise<Iterable<{ readonly member: Named }>>;
  groupDetails(group: string): Promise<{ readonly gone: readonly { readonly member: Named }[] } | undefined>;
}

/** @internal The members of a group, then those who are gone, by the names that it gives them. None of a group without a row. */
export async function everMembers(node: Groups, group: string): Promise<readonly Named[]> {
  const details = await node.groupDetails(group);
  if (details === undefined) return [];
  return [...(await node.memberList(group)), ...details.gone].map(({ member }) => member);
}
