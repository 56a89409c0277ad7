/** The content of a node: all facts that need no scan of all rows. */
import type { ContextFacts, GroupNode, Named } from "merostore/node";
import { contextFacts } from "../database/context-facts.js";
import type { Database } from "../database/database.js";
import { allGroups, namespacesOf } from "../database/group-tree.js";

/** A namespace, a group or a context in the tree, in the order of its lines. */
export interface TreeLine {
  readonly kind: "namespace" | "group" | "context";
  readonly id: string;
  readonly name: string | undefined;
  /** The depth: the number of its ancestors. */
  readonly depth: number;
  /** Members with a row in a group; undefined for a context. */
  readonly members: number | undefined;
  /** The name of the application of a context, with its service. */
  readonly application: string | undefined;
  /** When the newest head of a context was made, in milliseconds since 1970. */
  readonly changedAt: number | undefined;
  /** False for a group that was deleted, and a context that this node never joined. */
  readonly isHere: boolean;
}

/** An application. */
export interface OverviewApplication {
  readonly id: string;
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** Bytes of its blob; 0 until the node has it. */
  readonly bytes: number;
  /** The number of contexts that run it. */
  readonly contexts: number;
}

/** The answer of the overview. */
export interface Overview {
  readonly namespaces: number;
  /** Groups below the namespaces. */
  readonly groups: number;
  readonly contexts: number;
  readonly tree: readonly TreeLine[];
  /** The number of groups with this node as a member, and its role if that is the same in all of them. */
  readonly memberOf: number;
  readonly role: string | undefined;
  readonly applications: readonly OverviewApplication[];
  /** When the newest of all heads was made, in milliseconds since 1970. */
  readonly changedAt: number | undefined;
}

export function overview(database: Database): Promise<Overview> {
  return database.kept("overview", () => read(database));
}

async function read(database: Database): Promise<Overview> {
  const { node } = database;
  const [namespaces, contexts] = [await namespacesOf(database), [...(await contextFacts(database)).values()]];
  const groups = [...allGroups(namespaces)];
  const roles = groups.flatMap(({ ownRole }) => ownRole ?? []);
  const times = contexts.flatMap(({ changedAt }) => changedAt ?? []);
  const names = await node.names();
  const applications = (await node.applications()).map(({ id, version, size }) => {
    const used = contexts.filter(({ application }) => application?.id === id).length;
    return { id, name: names.application(id).name, version, bytes: size, contexts: used };
  });
  return {
    namespaces: namespaces.length,
    groups: groups.length - namespaces.length,
    contexts: contexts.length,
    tree: treeLines(namespaces, contexts),
    memberOf: roles.length,
    role: roles.every((role) => role === roles[0]) ? roles[0] : undefined,
    applications: applications.sort((a, b) => b.bytes - a.bytes),
    changedAt: times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b)),
  };
}

/** The lines of the tree. Contexts of no group come last, at the top level. */
function treeLines(namespaces: readonly GroupNode[], contexts: readonly ContextFacts[]): readonly TreeLine[] {
  const left = new Map(contexts.map((facts) => [facts.context.id, facts]));
  const lines: TreeLine[] = [];
  const addContext = (context: Named, depth: number): void => {
    const facts = left.get(context.id);
    left.delete(context.id);
    lines.push(contextLine(context, facts, depth));
  };
  const addGroup = ({ group, members, exists, contexts, children }: GroupNode, depth: number): void => {
    const kind = depth === 0 ? "namespace" : "group";
    lines.push({ ...NOTHING, kind, id: group.id, name: group.name, depth, members, isHere: exists });
    for (const context of contexts) addContext(context, depth + 1);
    for (const child of children) addGroup(child, depth + 1);
  };
  for (const namespace of namespaces) addGroup(namespace, 0);
  for (const { context } of [...left.values()]) addContext(context, 0);
  return lines;
}

const NOTHING = { members: undefined, application: undefined, changedAt: undefined };

function contextLine({ id, name }: Named, facts: ContextFacts | undefined, depth: number): TreeLine {
  const application = facts?.application;
  return {
    ...NOTHING,
    kind: "context",
    id,
    name,
    depth,
    application: [application?.name ?? application?.id.slice(0, 8), facts?.service]
      .filter(Boolean)
      .join(", "),
    changedAt: facts?.changedAt,
    isHere: application !== undefined,
  };
}
