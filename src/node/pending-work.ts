/** Work on groups that a node still has to do: key changes and deletions. */
import { fromHex, toHex } from "../bytes/hex.js";
import type { Names } from "./names.js";
import { type NodeReader, rowsOf } from "./tables/rows.js";

/** Work on a group. */
export interface PendingWork {
  /** The group's id, 64 hex digits. */
  readonly group: string;
  /** The work, in words. */
  readonly work: string;
}

/** The work on a group; without one, that on all groups. */
export async function* pendingWork(
  reader: NodeReader,
  names: Names,
  group?: string,
): AsyncGenerator<PendingWork, void, undefined> {
  const id = group === undefined ? undefined : fromHex(group);
  const leading = id === undefined ? {} : { groupId: id };
  for await (const rows of rowsOf(reader, "GroupPendingKeyRotation", leading))
    for (const { key } of rows) {
      const of = toHex(key.groupId);
      const { name, id } = names.member(toHex(key.departed), of);
      yield { group: of, work: `the key must change because ${name ?? id} left` };
    }
  for await (const rows of rowsOf(reader, "GroupPendingDeviceRotation", leading))
    for (const { key } of rows)
      yield {
        group: toHex(key.groupId),
        work: `the key must change because device ${toHex(key.device)} was revoked`,
      };
  const namespace = id === undefined ? {} : { namespaceId: id };
  for await (const rows of rowsOf(reader, "PendingSelfPurge", namespace))
    for (const { key } of rows)
      yield {
        group: toHex(key.namespaceId),
        work: "this node left the namespace and must still delete its rows",
      };
}
