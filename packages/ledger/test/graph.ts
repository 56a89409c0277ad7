/** The rule of merging in its simplest form: on the whole graph of commits, with plain maps as contents. */
import { fromHex, toHex } from "merostore/internal";
import { decodeCommit } from "../src/tables/commit-table.js";
import { decodeNode } from "../src/tables/tree-node.js";
import { objectOf, rowsOf, type Stored } from "./stored.js";

/** Key as hex digits → priority and value, or its digest. */
export type Contents = ReadonlyMap<string, string>;

interface GraphCommit {
  readonly id: string;
  readonly timestamp: bigint;
  readonly parents: readonly string[];
  readonly contents: Contents;
}

const FIRST = "00".repeat(32);

/** The newer side's changes over the older side. */
export function lastOneWins(base: Contents, older: Contents, newer: Contents): Contents {
  const merged = new Map(older);
  for (const key of new Set([...base.keys(), ...newer.keys()])) {
    const value = newer.get(key);
    if (value === base.get(key)) continue;
    if (value === undefined) merged.delete(key);
    else merged.set(key, value);
  }
  return merged;
}

export function sameContents(a: Contents, b: Contents): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

/** All commits of a page whose history was kept. */
export class Graph {
  readonly commits = new Map<string, GraphCommit>();

  constructor(stored: Stored) {
    this.commits.set(FIRST, { id: FIRST, timestamp: 0n, parents: [], contents: new Map() });
    for (const [key, value] of rowsOf(stored, "commit")) {
      const { timestamp, parents, root } = decodeCommit(fromHex(value));
      const id = key.slice(-64);
      const contents = contentsOf(stored, toHex(root.digest));
      this.commits.set(id, { id, timestamp, parents: parents.map(toHex), contents });
    }
  }

  get merges(): GraphCommit[] {
    return [...this.commits.values()].filter(({ parents }) => parents.length === 2);
  }

  /** Two commits together, by the rule of last one wins. */
  merged(one: string, other: string): Contents {
    const [a, b] = [this.#get(one), this.#get(other)].sort(byTime) as [GraphCommit, GraphCommit];
    const own = (of: string, not: string): number => {
      const known = this.#ancestors(not);
      return [...this.#ancestors(of)].filter((id) => this.#get(id).parents.length === 1 && !known.has(id))
        .length;
    };
    if (own(a.id, b.id) === 0) return b.contents;
    if (own(b.id, a.id) === 0) return a.contents;
    return lastOneWins(this.#base(a.id, b.id), a.contents, b.contents);
  }

  /** The contents from which two commits parted: their latest common ancestors, merged. */
  #base(a: string, b: string): Contents {
    const others = this.#ancestors(b);
    const common = [...this.#ancestors(a)].filter((id) => others.has(id));
    const latest = common
      .filter((id) => !common.some((later) => later !== id && this.#ancestors(later).has(id)))
      .map((id) => this.#get(id))
      .sort(byTime);
    // A device that merged several of them has made commits of their merges.
    return latest.reduce((base, other) => this.#mergeOf(base.id, other.id)).contents;
  }

  #mergeOf(a: string, b: string): GraphCommit {
    const found = this.merges.find(({ parents }) => parents.includes(a) && parents.includes(b));
    if (found === undefined) throw new Error(`nobody has merged ${a} and ${b}`);
    return found;
  }

  /** A commit and all before it. */
  #ancestors(id: string): Set<string> {
    const found = new Set<string>();
    const open = [id];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(...this.#get(next).parents);
    }
    return found;
  }

  #get(id: string): GraphCommit {
    const commit = this.commits.get(id);
    if (commit === undefined) throw new Error(`the commit ${id} is not there`);
    return commit;
  }
}

function byTime(a: GraphCommit, b: GraphCommit): number {
  return a.timestamp === b.timestamp ? (a.id < b.id ? -1 : 1) : a.timestamp < b.timestamp ? -1 : 1;
}

function contentsOf(stored: Stored, root: string, into = new Map<string, string>()): Map<string, string> {
  const { entries, children } = decodeNode(objectOf(stored, root));
  for (const child of children) if (child !== undefined) contentsOf(stored, toHex(child.digest), into);
  for (const { key, value, priority } of entries) into.set(toHex(key), `${priority} ${toHex(value.digest)}`);
  return into;
}
