/** Several nodes side by side: their states of every context, and the problems in their order of importance. */
import { fromHex } from "merostore";
import {
  type RootHash,
  rootHashes,
  sameVerdicts,
  type WhyPair,
  whyDiffer,
  wrongVerdicts,
} from "merostore/diff";
import type { GroupNode } from "merostore/node";
import type { Database } from "../database/database.js";
import { allGroups, namespacesOf } from "../database/group-tree.js";
import { compareNamed } from "../database/order.js";
import { openState } from "../state/source.js";
import type { Thing } from "./compare.js";
import type {
  Fleet,
  FleetCell,
  FleetContext,
  FleetNamespace,
  FleetNode,
  FleetProblem,
} from "./fleet-answers.js";

/** The most contexts and namespaces that are sent to the page. */
const MOST = 1_000;

/** A node that is opened, or the reason why it could not be. */
export type FleetMember =
  | { readonly name: string; readonly location: string; readonly database: Database }
  | { readonly name: string; readonly location: string; readonly failure: string };

/** A node that could be read, with its place among all. */
interface Read {
  readonly at: number;
  readonly name: string;
  readonly database: Database;
  readonly namespaces: readonly GroupNode[];
}

/**
 * A context or group in which nodes differ: the place of the node that represents most nodes, and the places of the
 * others.
 */
interface Difference {
  readonly of: "context" | "group";
  readonly thing: Thing;
  readonly most: number;
  readonly others: readonly number[];
  readonly changedAt: number | undefined;
}

/** Puts nodes side by side. Reports the known facts first, and again after each cause that is found. */
export async function fleet(
  members: readonly FleetMember[],
  onReport: (fleet: Fleet) => void,
): Promise<Fleet> {
  const found = new FleetBuilder(members);
  await found.read();
  for (const _ of found.differences) {
    onReport(found.answer());
    await found.explainNext();
  }
  return found.answer();
}

class FleetBuilder {
  readonly #members: readonly FleetMember[];
  readonly #nodes: FleetNode[] = [];
  readonly #read: Read[] = [];
  readonly #namespaces: FleetNamespace[] = [];
  readonly #cells = new Map<string, (FleetCell | undefined)[]>();
  readonly #problems: FleetProblem[] = [];
  #explained = 0;
  /** The differences to explain, contexts first. */
  readonly differences: Difference[] = [];

  constructor(members: readonly FleetMember[]) {
    this.#members = members;
  }

  async read(): Promise<void> {
    /** The first node with a name for a thing names it, as in its other views. */
    const names = new Map<string, string>();
    const nameOnce = ({ id, name }: Thing): void => {
      if (name !== undefined && !names.has(id)) names.set(id, name);
    };
    const groups = new Map<string, Thing>();
    const topOf = new Map<string, string>();
    const operations = new Map<string, (number | undefined)[]>();
    const changed = new Map<string, (number | undefined)[]>();
    const none = <T>(): (T | undefined)[] => this.#members.map(() => undefined);
    for (const [at, member] of this.#members.entries()) {
      const { name, location } = member;
      const nothing = { name, location, revision: undefined, account: undefined, contexts: 0, damaged: [] };
      if ("failure" in member) {
        this.#nodes.push({ ...nothing, failure: member.failure });
        this.#note("error", undefined, undefined, `${name} could not be read: ${member.failure}`);
        continue;
      }
      const { database } = member;
      const { node } = database;
      const namespaces = await namespacesOf(database);
      for (const top of namespaces) {
        const { namespaceLog } = (await node.groupDetails(top.group.id)) ?? {};
        const counts = operations.get(top.group.id) ?? none<number>();
        counts[at] = Number(namespaceLog?.length ?? 0n);
        operations.set(top.group.id, counts);
        for (const { group, contexts } of allGroups([top])) {
          nameOnce(group);
          for (const { id } of contexts) {
            groups.set(id, group);
            topOf.set(id, top.group.id);
          }
        }
      }
      const facts = await node.contextFacts();
      for (const { context, changedAt } of facts) {
        nameOnce(context);
        const times = changed.get(context.id) ?? none<number>();
        times[at] = changedAt;
        changed.set(context.id, times);
      }
      this.#nodes.push({
        ...nothing,
        revision: database.opened.revision,
        contexts: facts.filter(({ application, isUnread }) => application !== undefined || isUnread).length,
        failure: undefined,
      });
      this.#read.push({ at, name, database, namespaces });
    }
    await this.#nameAccounts();
    const thing = (id: string): Thing => ({ id, name: names.get(id) });
    const contexts = await this.#readContexts(thing, groups, changed);
    const tops = [...operations].map(([id, counts]) => ({ thing: thing(id), counts }));
    for (const { thing: namespace, counts } of tops.toSorted((a, b) => compareNamed(a.thing, b.thing))) {
      const own = contexts.filter(({ context }) => topOf.get(context.id) === namespace.id);
      this.#namespaces.push({ namespace, operations: counts, contexts: own });
      this.#addOperations(namespace, counts);
    }
    const rest = contexts.filter(({ context }) => !topOf.has(context.id));
    if (rest.length > 0) this.#namespaces.push({ namespace: undefined, operations: none(), contexts: rest });
    this.#namespaces.sort((a, b) => rankOf(a) - rankOf(b));
    this.#noteAbsent(contexts);
  }

  async #readContexts(
    thing: (id: string) => Thing,
    groups: ReadonlyMap<string, Thing>,
    changed: ReadonlyMap<string, readonly (number | undefined)[]>,
  ): Promise<FleetContext[]> {
    const contexts: FleetContext[] = [];
    const sides = this.#read.map(({ at, database }) => ({ name: `${at}`, store: database.store }));
    for await (const { context, nodes } of rootHashes(sides)) {
      const times = changed.get(context) ?? [];
      const most = mostOf(nodes, times);
      const cells: (FleetCell | undefined)[] = this.#members.map(() => undefined);
      const others: number[] = [];
      for (const { node, rootHash, pending } of nodes) {
        const at = Number(node);
        const changedAt = times[at];
        const isMost = rootHash !== undefined && rootHash === most.rootHash;
        if (!isMost) others.push(at);
        const state = isMost ? "most" : rootHash === undefined ? "unknown" : "open";
        cells[at] = { state, rootHash, changedAt, behind: 0, ahead: 0 };
        if (pending)
          this.#note(
            "warning",
            "context",
            thing(context),
            `${this.#nameOf(at)} waits to apply ${pending} of its deltas`,
            changedAt,
          );
      }
      const found = thing(context);
      const group = groups.get(context);
      if (others.length > 0) {
        const changedAt = newest(nodes.map(({ node }) => times[Number(node)]));
        this.differences.push({ of: "context", thing: found, most: Number(most.node), others, changedAt });
      }
      this.#cells.set(context, cells);
      contexts.push({ context: found, group: group && thing(group.id), cells });
    }
    return contexts.sort((a, b) => rankOfContext(a) - rankOfContext(b) || compareNamed(a.context, b.context));
  }

  /** Names the accounts of nodes by the rows of other nodes: its own database calls a node "this node". */
  async #nameAccounts(): Promise<void> {
    for (const { at, database } of this.#read) {
      const { account } = await database.node.own();
      if (account === undefined) continue;
      for (const other of this.#read) {
        if (other.at === at || (await other.database.node.own()).account === account) continue;
        const name = (await other.database.node.names()).of(account)?.name;
        if (name !== undefined) this.#nodes[at] = { ...(this.#nodes[at] as FleetNode), account: name };
      }
    }
  }

  /** Nodes of a namespace with different numbers of operations. */
  #addOperations(namespace: Thing, counts: readonly (number | undefined)[]): void {
    const having = counts.flatMap((count, at) => (count === undefined ? [] : [{ at, count }]));
    const most = having.toSorted((a, b) => b.count - a.count)[0];
    const others = having.filter(({ count }) => count !== most?.count).map(({ at }) => at);
    if (most !== undefined && others.length > 0)
      this.differences.push({ of: "group", thing: namespace, most: most.at, others, changedAt: undefined });
  }

  /** Notes the contexts that some nodes lack: a node that was never a member does not have the context. */
  #noteAbsent(contexts: readonly FleetContext[]): void {
    const byNodes = new Map<string, number>();
    for (const { cells } of contexts) {
      const having = this.#read.filter(({ at }) => cells[at] !== undefined).map(({ name }) => name);
      if (having.length === this.#read.length) continue;
      const nodes = LIST.format(having);
      byNodes.set(nodes, (byNodes.get(nodes) ?? 0) + 1);
    }
    for (const [nodes, count] of byNodes)
      this.#note(
        "info",
        undefined,
        undefined,
        `${count} ${count === 1 ? "context is" : "contexts are"} only on ${nodes}`,
      );
  }

  #note(
    severity: FleetProblem["severity"],
    of: FleetProblem["of"],
    thing: Thing | undefined,
    sentence: string,
    changedAt?: number | undefined,
  ): void {
    this.#problems.push({ severity, of, thing, sentence, nodes: undefined, changedAt });
  }

  /** Finds the causes of the next difference. */
  async explainNext(): Promise<void> {
    const { of, thing, most, others, changedAt } = this.differences[this.#explained] as Difference;
    const places = [most, ...others];
    const sides = places.flatMap((place) => this.#read.find(({ at }) => at === place) ?? []);
    const sources = sides.map(({ name, database: { store, node } }) => ({ name, reader: store, node }));
    const [answer] = await whyDiffer(sources, {
      [of]: thing.id,
      rows: 1,
      stateOptions: async () => (await openState((sides[0] as Read).database, thing.id, false)).options,
    });
    for (const [index, pair] of (answer?.pairs ?? []).entries()) {
      const at = others[index] as number;
      if (of === "context") await this.#judge(thing.id, at, pair);
      if (!sameVerdicts.includes(pair.verdict))
        this.#problems.push({
          ...{ severity: severityOf(pair), of, thing, sentence: pair.sentence },
          ...{ nodes: [most, at], changedAt },
        });
    }
    this.#explained++;
  }

  /** Sets the state of a cell, relative to the state that most nodes have. */
  async #judge(context: string, at: number, pair: WhyPair): Promise<void> {
    const cells = this.#cells.get(context);
    const cell = cells?.[at];
    const own = this.#read.find((one) => one.at === at);
    if (cells === undefined || cell === undefined || own === undefined) return;
    const state = pair.verdict === "unknown" ? "unknown" : isWrong(pair) ? "wrong" : "other";
    const missing = { behind: 0, ahead: 0 };
    for (const { rule, deltas } of pair.causes) {
      const [first] = deltas;
      if (rule !== "deltas" || first === undefined) continue;
      const table = own.database.store.table("ContextDagDelta");
      const hasIt = await table.has({ contextId: fromHex(context), deltaId: fromHex(first) });
      missing[hasIt ? "ahead" : "behind"] += deltas.length;
    }
    cells[at] = { ...cell, state, ...missing };
  }

  #nameOf(place: number): string {
    return this.#members[place]?.name ?? "";
  }

  /** The present facts. */
  answer(): Fleet {
    const nodes = this.#nodes.map((node, at) => {
      const member = this.#members[at];
      return member === undefined || "failure" in member
        ? node
        : { ...node, damaged: [...member.database.damage.keys()] };
    });
    return {
      nodes,
      namespaces: this.#namespaces.slice(0, MOST),
      problems: this.#problems
        .toSorted(
          (a, b) =>
            SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
            (b.changedAt ?? 0) - (a.changedAt ?? 0),
        )
        .slice(0, MOST),
      differing: this.differences.length,
      explained: this.#explained,
    };
  }
}

/**
 * The rank of a context in the matrix: first differing contexts, then contexts of several nodes, then contexts of one
 * node.
 */
function rankOfContext({ cells }: FleetContext): number {
  const having = cells.filter((cell) => cell !== undefined);
  return having.some(({ state }) => state !== "most") ? 0 : having.length > 1 ? 1 : 2;
}

function rankOf({ operations, contexts }: FleetNamespace): number {
  const counts = new Set(operations.filter((count) => count !== undefined));
  return Math.min(counts.size > 1 ? 0 : 2, ...contexts.map(rankOfContext));
}

const LIST = new Intl.ListFormat("en");

const SEVERITIES: readonly FleetProblem["severity"][] = ["error", "warning", "info"];

/** Verdicts that need attention, below an error. */
const DOUBTFUL: readonly WhyPair["verdict"][] = ["unknown", "parent-missing"];

function severityOf(pair: WhyPair): FleetProblem["severity"] {
  return isWrong(pair) ? "error" : DOUBTFUL.includes(pair.verdict) ? "warning" : "info";
}

function isWrong({ verdict, unexplainedCount }: WhyPair): boolean {
  return wrongVerdicts.includes(verdict) || unexplainedCount > 0;
}

/** The node that represents the state of most nodes. Of two states with as many nodes, the newer one counts. */
function mostOf(nodes: readonly RootHash[], times: readonly (number | undefined)[]): RootHash {
  const having = (hash: string | undefined): readonly RootHash[] =>
    nodes.filter(({ rootHash }) => rootHash === hash);
  const timeOf = (hash: string | undefined): number =>
    newest(having(hash).map(({ node }) => times[Number(node)])) ?? 0;
  const known = nodes.filter(({ rootHash }) => rootHash !== undefined);
  return (known.length > 0 ? known : nodes).toSorted(
    (a, b) =>
      having(b.rootHash).length - having(a.rootHash).length || timeOf(b.rootHash) - timeOf(a.rootHash),
  )[0] as RootHash;
}

function newest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
