/** Things that only operations name: members who left, groups that are gone. */
import { READ_FOR_NAMES } from "./history/namespace-log.js";
import type { Operation } from "./history/operation.js";
import type { Named } from "./names.js";
import { thingsIn } from "./sentences/sentence.js";
import type { GroupRecord } from "./tables/groups.js";

/** The logs of namespaces. */
interface Logs {
  history(namespace: string, options: { readonly limit: number }): AsyncIterable<Operation>;
}

/** The names in the newest 10,000 operations of the namespaces. */
export async function thingsSaid(
  logs: Logs,
  groups: ReadonlyMap<string, GroupRecord>,
): Promise<readonly Named[]> {
  const things = new Map<string, Named>();
  let left = READ_FOR_NAMES;
  for (const { id, parent } of groups.values()) {
    if (parent !== undefined || left === 0) continue;
    for await (const { sentence, signer, actor } of logs.history(id, { limit: left })) {
      left--;
      const key: Named = { kind: "key", id: signer, name: undefined };
      for (const thing of [actor, ...thingsIn(sentence), key])
        if (!things.has(thing.kind + thing.id)) things.set(thing.kind + thing.id, thing);
    }
  }
  return [...things.values()];
}
