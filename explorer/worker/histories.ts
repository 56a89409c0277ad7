/** The histories of a database, to choose from. */
import type { ContextSummary, Named } from "merostore/node";
import type { Database } from "./database.js";
import { allGroups } from "./group-tree.js";
import type { HistoryOf } from "./history.js";

/** A history that can be looked at. */
export interface Choice {
  readonly of: HistoryOf;
  readonly thing: Named;
  /** How many deltas or operations it has. */
  readonly length: number;
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
  const summaries = await database.kept("contexts", () => node.contexts());
  const contexts = new Map(summaries.map((summary) => [summary.context.id, summary]));
  const all: Choices[] = [];
  for (const top of await node.namespaces()) {
    const choices: Choice[] = [];
    for (const { group, contexts: inGroup } of allGroups([top])) {
      const details = choices.length > MOST ? undefined : await node.groupDetails(group.id);
      if (group.id === top.group.id)
        choices.push({ of: "namespace", thing: group, length: Number(details?.namespaceLog?.length ?? 0n) });
      if (details?.ownLog !== undefined)
        choices.push({ of: "group", thing: group, length: Number(details.ownLog.length) });
      for (const { id } of inGroup) {
        const summary = contexts.get(id);
        if (summary !== undefined) choices.push(choiceOf(summary));
        contexts.delete(id);
      }
    }
    all.push(listed(top.group, choices));
  }
  if (contexts.size > 0) all.push(listed(undefined, [...contexts.values()].map(choiceOf)));
  return all;
}

function listed(namespace: Named | undefined, choices: readonly Choice[]): Choices {
  const more = choices.slice(MOST).filter(({ of }) => of === "context").length;
  return { namespace, choices: choices.slice(0, MOST), more };
}

function choiceOf({ context, deltas }: ContextSummary): Choice {
  return { of: "context", thing: context, length: deltas };
}
