/** The histories of a database, to choose from. */
import { fromHex, type Schema } from "merostore";
import type { Named } from "merostore/node";
import { contextFacts } from "../database/context-facts.js";
import type { Database } from "../database/database.js";
import { allGroups, namespacesOf } from "../database/group-tree.js";
import { compareNamed } from "../database/order.js";
import type { HistoryOf } from "./rows.js";

/** A history that can be shown. */
export interface Choice {
  readonly of: HistoryOf;
  readonly thing: Named;
  /**
   * The number of its operations; undefined for a context: only the count of all rows gives the number of its deltas.
   */
  readonly length: number | undefined;
  /** True if it has no delta or operation. */
  readonly isEmpty: boolean;
  /** When the newest head of a context was made, in milliseconds since 1970. */
  readonly changedAt: number | undefined;
}

/** The histories of one namespace: its log, the own logs of its groups, and the deltas of its contexts. */
export interface Choices {
  /** Undefined for the contexts that are in no group. */
  readonly namespace: Named | undefined;
  readonly choices: readonly Choice[];
  /** The number of contexts that are not listed. */
  readonly more: number;
}

/** The most histories of one namespace. */
const MOST = 200;

/** The histories of all namespaces; contexts of no group come last. */
export function histories(database: Database): Promise<readonly Choices[]> {
  return database.kept("histories", () => readHistories(database));
}

async function readHistories(database: Database): Promise<readonly Choices[]> {
  const { node } = database;
  const contexts = new Map<string, Choice>();
  for (const { context, changedAt } of (await contextFacts(database)).values()) {
    const isEmpty = changedAt === undefined && !(await hasDeltas(database, context.id));
    contexts.set(context.id, { of: "context", thing: context, length: undefined, isEmpty, changedAt });
  }
  const all: Choices[] = [];
  for (const top of await namespacesOf(database)) {
    const choices: Choice[] = [];
    for (const { group, contexts: inGroup } of allGroups([top])) {
      const details = choices.length > MOST ? undefined : await node.groupDetails(group.id);
      const log = (of: HistoryOf, length = 0n): Choice => ({
        ...{ of, thing: group, length: Number(length), isEmpty: length === 0n, changedAt: undefined },
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

/** Returns whether a context has any delta. */
async function hasDeltas({ store }: Database, context: string): Promise<boolean> {
  const { column, key } = (store.schema as Schema).row("ContextDagDelta");
  if (!store.columns.includes(column)) return false;
  const { gte, lt } = key.range({ contextId: fromHex(context) });
  for await (const _ of store.raw.scan(column, { gte, lt }, { limit: 1 }).keys()) return true;
  return false;
}

function listed(namespace: Named | undefined, choices: readonly Choice[]): Choices {
  const more = choices.slice(MOST).filter(({ of }) => of === "context").length;
  return { namespace, choices: choices.slice(0, MOST), more };
}
