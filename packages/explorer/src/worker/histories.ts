/** The histories of a database, to choose from. */
import type { Named } from "merostore/node";
import type { Database } from "./database.js";
import { allGroups, namespacesOf } from "./group-tree.js";
import type { HistoryOf } from "./history-of.js";
import { compareNamed } from "./order.js";
import { rowCounts } from "./row-counts.js";

/** A history that can be looked at. */
export interface Choice {
  readonly of: HistoryOf;
  readonly thing: Named;
  /** The number of its deltas or operations. */
  readonly length: number;
  /** When the newest head of a context was made, in milliseconds since 1970. */
  readonly changedAt: number | undefined;
}

/** The histories of one namespace: its log, the own logs of its groups, and the deltas of its contexts. */
export interface Choices {
  /** Undefined for the contexts that are in no group. */
  readonly namespace: Named | undefined;
  readonly choices: readonly Choice[];
  /** Contexts that are not listed. */
  readonly more: number;
}

/** Histories of one namespace at most. */
const MOST = 200;

/** The histories of all namespaces; contexts of no group come last. */
export function histories(database: Database): Promise<readonly Choices[]> {
  return database.kept("histories", () => readHistories(database));
}

async function readHistories(database: Database): Promise<readonly Choices[]> {
  const { node } = database;
  const counts = new Map((await rowCounts(database)).contexts.map(({ id, deltas }) => [id, deltas]));
  const contexts = new Map(
    (await node.contextFacts()).map(({ context, changedAt }): [string, Choice] => [
      context.id,
      { of: "context", thing: context, length: counts.get(context.id) ?? 0, changedAt },
    ]),
  );
  const all: Choices[] = [];
  for (const top of await namespacesOf(database)) {
    const choices: Choice[] = [];
    for (const { group, contexts: inGroup } of allGroups([top])) {
      const details = choices.length > MOST ? undefined : await node.groupDetails(group.id);
      const log = (of: HistoryOf, length = 0n): Choice => ({
        ...{ of, thing: group, length: Number(length), changedAt: undefined },
      });
      if (group.id === top.group.id) choices.push(log("namespace", details?.namespaceLog?.length));
      if (details?.ownLog !== undefined) choices.push(log("group", details.ownLog.length));
      for (const { id } of inGroup) {
        const choice = contexts.get(id);
        if (choice !== undefined) choices.push(choice);
        contexts.delete(id);
      }
    }
    all.push(listed(top.group, choices));
  }
  if (contexts.size > 0)
    all.push(
      listed(
        undefined,
        [...contexts.values()].sort((a, b) => compareNamed(a.thing, b.thing)),
      ),
    );
  return all;
}

function listed(namespace: Named | undefined, choices: readonly Choice[]): Choices {
  const more = choices.slice(MOST).filter(({ of }) => of === "context").length;
  return { namespace, choices: choices.slice(0, MOST), more };
}
