/** The heads of logs, as the operations in the logs give them (governance G.1). */
import { fromHex, toHex } from "../../bytes/hex.js";
import { groupOperationId, loggedOperations } from "../history/stored.js";
import type { NodeReader } from "../tables/rows.js";
import type { Replay } from "./replay.js";

/** The end of a log. */
export interface Heads {
  readonly sequence: bigint;
  /** Ids of the operations that no other operation follows, 64 hex digits each, in order. */
  readonly heads: readonly string[];
}

/** The number of heads that a group's own log keeps. */
const MOST_HEADS = 64;

/** The end of a namespace's log. */
export function namespaceHeads({ operations }: Replay): Heads {
  const followed = new Uint8Array(operations.list.length);
  for (const operation of operations.list)
    for (const parent of operations.parentsOf(operation)) followed[parent] = 1;
  const heads = operations.list
    .filter(
      (operation) =>
        operation !== undefined && operation.state !== "local" && followed[operation.number] === 0,
    )
    .map((operation) => operations.id((operation as { readonly number: number }).number));
  return { sequence: BigInt(operations.size), heads: heads.toSorted() };
}

/** The end of a group's own log; undefined if the group has no log. */
export async function groupHeads(
  reader: NodeReader,
  replay: Replay,
  group: string,
): Promise<Heads | undefined> {
  const log = replay.logs.get(group);
  const last = log?.at(-1);
  if (log === undefined || last === undefined) return undefined;
  /** An operation that came from another node is the only head; this node's own ones follow it. */
  const carried = replay.operations.accounts
    ? log.findLast(({ state, signer }) => state === "group" && !replay.own.publicKeys.has(signer))
    : undefined;
  const since = carried?.logged ?? 0n;
  const rows: { readonly id: string; readonly parents: readonly string[]; readonly sequence: bigint }[] = [];
  outer: for await (const logged of loggedOperations(reader, fromHex(group)))
    for (const { sequence, signed } of logged) {
      if (sequence < since) break outer;
      const id = toHex(groupOperationId(signed));
      rows.push({ id, parents: signed.parentOpHashes.map(toHex), sequence });
    }
  let heads: string[] = [];
  for (const { id, parents, sequence } of rows.reverse()) {
    heads = sequence === carried?.logged ? [id] : [...heads.filter((head) => !parents.includes(head)), id];
    if (heads.length > MOST_HEADS) heads = heads.slice(-MOST_HEADS);
  }
  return { sequence: last.logged ?? 0n, heads: heads.toSorted() };
}
