/** The facts in the status of a node: its identity, its groups and its contexts. */
import type { ContextSummary, GroupNode, Named, OwnNode } from "../../node/index.js";
import type { ColumnCount } from "../../store/index.js";
import { rootHashes } from "../../why/index.js";
import type { OpenNode } from "../node/options.js";

/** A group with the numbers of its log. */
export interface GroupStatus {
  readonly node: GroupNode;
  /** The groups above: the namespace first. */
  readonly above: readonly string[];
  /** The number of the last operation of its log; undefined without a log. */
  readonly operations: number | undefined;
  /** The number of heads of its log. */
  readonly heads: number;
  /** Work that the node has not done yet. */
  readonly work: readonly string[];
  /** The time of the newest head of its contexts and of its subgroups' contexts, in milliseconds since 1970. */
  readonly changedAt: number | undefined;
}

/** A context with its numbers. */
export interface ContextStatus extends ContextSummary {
  readonly pending: number | undefined;
  readonly heads: readonly string[];
  /** Undefined if this node never joined the context, or if the row does not decode. */
  readonly rootHash: string | undefined;
}

/** A node, as its status shows it. */
export interface NodeStatus {
  readonly own: OwnNode;
  /** This node as a member; undefined if the database does not have its account. */
  readonly self: Named | undefined;
  readonly groups: readonly GroupStatus[];
  /** The contexts, the last changed first. */
  readonly contexts: readonly ContextStatus[];
}

/** Reads the facts of a node. */
export async function readNodeStatus(
  { store, node }: Pick<OpenNode, "store" | "node">,
  families: readonly ColumnCount[],
): Promise<NodeStatus> {
  const own = await node.own();
  const [onlyKey] = own.publicKeys.size === 1 ? own.publicKeys : [];
  const account = own.account ?? onlyKey;
  const self = account === undefined ? undefined : (await node.names()).member(account);
  const byContext = new Map<string, Pick<ContextStatus, "rootHash" | "heads" | "pending">>();
  for await (const { context, nodes } of rootHashes([{ name: "", store }]))
    for (const { rootHash, heads, pending } of nodes) byContext.set(context, { rootHash, heads, pending });
  const facts = await node.contextFacts();
  const counts = new Map(families.map((one) => [one.column, { ...one, last: lastRead(one) }]));
  const contexts = facts.map((one) => ({
    ...{ rootHash: undefined, heads: [], pending: 0 },
    ...one,
    ...byContext.get(one.context.id),
    ...countsOf(counts, one.context.id, node),
  }));
  const changes = new Map(facts.map(({ context, changedAt }) => [context.id, changedAt]));
  const groups: GroupStatus[] = [];
  const add = async (one: GroupNode, above: readonly string[]): Promise<void> => {
    const details = await node.groupDetails(one.group.id);
    const log = above.length === 0 ? details?.namespaceLog : details?.ownLog;
    groups.push({
      ...{ node: one, above, changedAt: newest(one, changes) },
      ...{ operations: log && Number(log.length), heads: log?.heads.length ?? 0 },
      work: details?.pending ?? [],
    });
    for (const child of one.children) await add(child, [...above, one.group.id]);
  };
  for (const one of await node.namespaces()) await add(one, []);
  return { own, self, groups, contexts: contexts.toSorted(byChange) };
}

/**
 * The last context whose rows were counted before the damage; undefined if there is none. Rows are counted in key
 * order.
 */
function lastRead({ error, contexts }: ColumnCount): string | undefined {
  return error === undefined ? undefined : ([...contexts.keys()].at(-1) ?? "");
}

/** The counts of a context, from the counts of all rows. */
function countsOf(
  families: ReadonlyMap<string, ColumnCount & { readonly last: string | undefined }>,
  id: string,
  { unread }: OpenNode["node"],
): Pick<ContextStatus, "deltas" | "rows" | "bytes"> {
  const of = (column: string): { readonly rows: number; readonly bytes: number } | undefined => {
    const family = families.get(column);
    if (family?.last !== undefined && id >= family.last) return undefined;
    if (unread.isDamaged(column, id)) return undefined;
    return family?.contexts.get(id) ?? { rows: 0, bytes: 0 };
  };
  const state = of("State");
  return { deltas: of("Delta")?.rows, rows: state?.rows, bytes: state?.bytes };
}

function newest(
  { contexts, children }: GroupNode,
  changes: ReadonlyMap<string, number | undefined>,
): number | undefined {
  const times = [
    ...contexts.map(({ id }) => changes.get(id)),
    ...children.map((one) => newest(one, changes)),
  ];
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

function byChange(a: ContextStatus, b: ContextStatus): number {
  return (b.changedAt ?? 0) - (a.changedAt ?? 0) || (b.deltas ?? 0) - (a.deltas ?? 0);
}
