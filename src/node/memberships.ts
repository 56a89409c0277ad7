/** The groups of a member. */
import { fromHex } from "../bytes/hex.js";
import type { Membership } from "./members.js";
import type { Names } from "./names.js";
import { firstValue, type NodeReader } from "./tables/rows.js";

/** The groups in which an account, before core-0.11 a public key, has a row as member. */
export async function membershipsOf(
  reader: NodeReader,
  groups: Iterable<string>,
  names: Names,
  member: string,
): Promise<readonly Membership[]> {
  const found: Membership[] = [];
  for (const id of groups) {
    const value = await firstValue(reader, "GroupMember", memberKey(reader, id, member));
    if (value !== undefined)
      found.push({ group: names.group(id), role: typeof value === "string" ? value : value.role });
  }
  return found;
}

/** The parts of a member's key, whose second one has a name in each revision. */
function memberKey(reader: NodeReader, group: string, member: string): Record<string, Uint8Array> {
  const parts = reader.schema.row("GroupMember").key.PARTS as readonly { readonly name: string }[];
  return { groupId: fromHex(group), [parts[1]?.name as string]: fromHex(member) };
}
