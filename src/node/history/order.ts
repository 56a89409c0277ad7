/**
 * Causal order, newest first, of rows that name the rows they follow: operations and deltas. Among rows that may come next
 * the one with the greatest rank is first (the number of an operation, the time of a delta), then the greatest id.
 */
import { toHex } from "../../bytes/hex.js";
import { IdTable } from "../../bytes/id-table.js";
import { compareBigints, compareBytes } from "../../bytes/order.js";
import { NumberColumn } from "../../collections/columns.js";
import { Heap } from "../../collections/heap.js";
import { NumberLists } from "../../collections/number-lists.js";

/** A row with its place in the graph. Ids are 32 bytes. */
export interface Placed {
  readonly id: Uint8Array;
  /** A number that is greater than the ranks of its parents. */
  readonly rank: bigint;
  /** Ids of its parents. */
  readonly parents: readonly Uint8Array[];
}

/** The parents of a row that was not added. */
const NONE = new Uint32Array(0);

/** The order of all rows of a graph. Takes about 100 bytes for each. */
export class CausalOrder {
  readonly #ids: IdTable;
  readonly #ranks: bigint[] = [];
  /** The lists of parents. */
  readonly #lists = new NumberLists();
  /** By the number of a row: the place of its list of parents, plus 1; 0 for a row that was not added. */
  readonly #places = new NumberColumn();
  /** By the number of a row: the number of its children. */
  readonly #followers = new NumberColumn();

  /** @param ids a table in which the ids of rows may already have numbers */
  constructor(ids = new IdTable()) {
    this.#ids = ids;
  }

  /** Adds a row. Returns its number. */
  add({ id, rank, parents }: Placed): number {
    const number = this.#ids.add(id);
    this.addNumbered(
      number,
      rank,
      parents.map((parent) => this.#ids.add(parent)),
    );
    return number;
  }

  /** Adds a row by the numbers of its id and of its parents' ids in the table. */
  addNumbered(number: number, rank: bigint, parents: readonly number[]): void {
    const followers = this.#followers;
    // A row that is added again replaces the one before.
    for (const parent of this.parentsOf(number)) followers.set(parent, followers.get(parent) - 1);
    this.#ranks[number] = rank;
    // A row that names itself as parent is forged: the name does not count.
    const others = parents.filter((parent) => parent !== number);
    this.#places.set(number, this.#lists.add(others) + 1);
    for (const parent of others) followers.set(parent, followers.get(parent) + 1);
  }

  /** The ids of all rows and of their parents, by their numbers. */
  get ids(): IdTable {
    return this.#ids;
  }

  /** The numbers of a row's parents. */
  parentsOf(number: number): Uint32Array {
    const place = this.#places.get(number);
    return place === 0 ? NONE : this.#lists.at(place - 1);
  }

  /** The ids of the rows, newest first. A cycle, which only forged rows form, is broken at its greatest rank. */
  *newestFirst(): Generator<Uint8Array, void, undefined> {
    for (const number of this.numbersNewestFirst()) yield this.#id(number);
  }

  /** The numbers of the rows in the same order. */
  *numbersNewestFirst(): Generator<number, void, undefined> {
    const ranks = this.#ranks;
    const followers = new Uint32Array(this.#ids.size);
    const known = (number: number): boolean => this.#places.get(number) > 0;
    for (let number = 0; number < followers.length; number++) followers[number] = this.#followers.get(number);
    const byRank = (a: number, b: number): number =>
      compareBigints(ranks[b], ranks[a]) || compareBytes(this.#id(b), this.#id(a));
    const ready = new Heap<number>(byRank);
    const taken = new Uint8Array(this.#ids.size);
    for (let number = 0; number < followers.length; number++)
      if (known(number) && followers[number] === 0) ready.push(number);
    let left: number[] | undefined;
    let place = 0;
    for (;;) {
      for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
        if (taken[next] === 1) continue;
        taken[next] = 1;
        yield next;
        for (const parent of this.parentsOf(next))
          if (followers[parent]! > 0 && --followers[parent]! === 0 && known(parent)) ready.push(parent);
      }
      if (left === undefined) {
        left = [];
        for (let number = 0; number < taken.length; number++)
          if (taken[number] === 0 && known(number)) left.push(number);
        left.sort(byRank);
      }
      while (place < left.length && taken[left[place] as number] === 1) place++;
      const first = left[place];
      if (first === undefined) return;
      ready.push(first);
    }
  }

  #id(number: number): Uint8Array {
    return this.#ids.at(number);
  }
}

/** The rows of a walk. */
export interface Graph<T extends Placed> {
  /** Ids of the rows that no other row follows. */
  readonly heads: readonly Uint8Array[];
  /** The rows of these ids; undefined for an id that no row has. */
  get(ids: readonly Uint8Array[]): Promise<readonly (T | undefined)[]>;
}

/** Rows that are read beyond a limit: ranks that clocks got wrong put rows only a little out of place. */
const WINDOW = 256;

/**
 * The newest rows that the heads reach, at most `limit`. Each row is read when it is next, so the cost does not depend
 * on the length of the graph. `rest` yields the rows of the whole graph; it is called only if the heads reach fewer
 * rows.
 */
export async function* newestOf<T extends Placed>(
  graph: Graph<T>,
  limit: number,
  rest: () => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const rows = new Map<string, T>();
  const order = new CausalOrder();
  const add = (row: T): void => {
    if (rows.has(toHex(row.id))) return;
    rows.set(toHex(row.id), row);
    order.add(row);
  };
  for await (const row of walk(graph)) {
    add(row);
    if (rows.size === limit + WINDOW) break;
  }
  if (rows.size < limit + WINDOW) for await (const row of rest()) add(row);
  for (const id of order.newestFirst()) {
    yield rows.get(toHex(id)) as T;
    if (--limit === 0) return;
  }
}

/** The rows that the heads reach, by descending rank. */
async function* walk<T extends Placed>(graph: Graph<T>): AsyncGenerator<T, void, undefined> {
  const ready = new Heap<T>((a, b) => compareBigints(b.rank, a.rank) || compareBytes(b.id, a.id));
  const seen = new Set<string>();
  const reach = async (ids: readonly Uint8Array[]): Promise<void> => {
    const fresh = ids.filter((id) => !seen.has(toHex(id)));
    for (const id of fresh) seen.add(toHex(id));
    for (const row of fresh.length === 0 ? [] : await graph.get(fresh))
      if (row !== undefined) ready.push(row);
  };
  await reach(graph.heads);
  for (let row = ready.pop(); row !== undefined; row = ready.pop()) {
    yield row;
    await reach(row.parents);
  }
}
