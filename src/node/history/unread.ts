/** Operations on groups that the database cannot read. */
import { fromHex, toHex } from "../../bytes/hex.js";
import { Pause } from "../../pause.js";
import type { GroupRecord } from "../tables/groups.js";
import type { NodeReader } from "../tables/rows.js";
import { Keyring } from "./keyring.js";
import { READ_FOR_NAMES } from "./namespace-log.js";
import { lengthOfLogs, storedOperations } from "./stored.js";

/**
 * The number of operations on each group that cannot be read, because the database lacks their key or has only their
 * skeleton. Undefined if the logs are too long to count them.
 */
export async function unreadOperations(
  reader: NodeReader,
  groups: ReadonlyMap<string, GroupRecord>,
): Promise<ReadonlyMap<string, number> | undefined> {
  if ((await lengthOfLogs(reader)) > READ_FOR_NAMES) return undefined;
  const keys = await Keyring.read(reader);
  const counts = new Map<string, number>();
  const count = (group: Uint8Array): void =>
    void counts.set(toHex(group), (counts.get(toHex(group)) ?? 0) + 1);
  const pause = new Pause();
  for (const { id, parent } of groups.values()) {
    if (parent !== undefined) continue;
    const namespaceId = fromHex(id);
    for await (const rows of storedOperations(reader, namespaceId))
      for (const { signed, skeletonOf } of rows) {
        await pause.ifLong();
        if (skeletonOf !== undefined) count(skeletonOf);
        else if (signed?.op.kind === "Group" && !keys.has(signed.op.keyId, signed.op.groupId, namespaceId))
          count(signed.op.groupId);
      }
  }
  return counts;
}
