/** A group's own log: the operations that this node applied to the group, in its order, newest first. */
import { fromHex, toHex } from "../../bytes/hex.js";
import type { Named } from "../names.js";
import { groupSentence } from "../sentences/group.js";
import { firstValue, type NodeReader } from "../tables/rows.js";
import { GraphBuilder, type HistoryGraph } from "./graph.js";
import type { HistoryOptions } from "./namespace-log.js";
import type { Operation } from "./operation.js";
import { actingIn, type LogNames, speakerOf } from "./speaker.js";
import { groupOperationId, hexes, loggedOperations } from "./stored.js";

/** The graph of a group's own log, in the order of the log. */
export async function groupLogGraph(reader: NodeReader, log: LogNames, group: string): Promise<HistoryGraph> {
  const builder = new GraphBuilder();
  const people = new Map<string, Named>();
  const numbers: number[] = [];
  for await (const { id, sequence, parents, actor } of groupLog(reader, log, group)) {
    if (!people.has(actor.id)) people.set(actor.id, actor);
    const placed = { id: fromHex(id), rank: sequence, parents: parents.map((parent) => fromHex(parent)) };
    numbers.push(builder.add({ ...placed, author: actor.id, after: undefined, before: undefined, marks: 0 }));
  }
  const head = await firstValue(reader, "GroupOpHead", { groupId: fromHex(group) });
  const personOf = (id: string): Named => people.get(id) as Named;
  const heads = hexes(head?.dagHeads ?? []);
  return builder.build(log.names.group(group), heads, personOf, [...new Set(numbers)]);
}

/** The operations of a group's own log. A limit makes it read only as many rows. */
export async function* groupLog(
  reader: NodeReader,
  log: LogNames,
  group: string,
  { limit }: HistoryOptions = {},
): AsyncGenerator<Operation, void, undefined> {
  for await (const rows of loggedOperations(reader, fromHex(group), limit))
    for (const { sequence, signed } of rows) {
      const { op, signer, parentOpHashes } = signed;
      const by = speakerOf(log, toHex(signer), group);
      yield {
        id: toHex(groupOperationId(signed)),
        log: "group",
        namespace: by.group,
        group: by.group,
        actor: actingIn(op, by),
        signer: toHex(signer),
        sequence,
        parents: hexes(parentOpHashes),
        sentence: groupSentence(op, by),
        state: "readable",
        kind: op.kind,
        revision: log.revision,
        isOnGroup: true,
        op,
        keyId: undefined,
        time: undefined,
      };
    }
}
