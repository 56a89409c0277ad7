/**
 * Causal order, newest first, of rows that name the rows they follow: operations and deltas. Among rows that may come next
 * the one with the greatest rank is first (the number of an operation, the time of a delta), then the greatest id.
 */
import { toHex } from "../../bytes/hex.js";
import { ID_BYTES, IdTable } from "../../bytes/id-table.js";
import { compareBytes } from "../../bytes/order.js";
import { Heap } from "../../collections/heap.js";

/** A row with its place in the graph. Ids are 32 bytes. */
export interface Placed {
  readonly id: Uint8Array;
  /** Greater than that of the rows that it follows. */
  readonly rank: bigint;
  /** Ids of the rows that it follows. */
  readonly parents: readonly Uint8Array[];
}

/** The order of all rows of a graph. Takes about 100 bytes for each. */
export class CausalOrder {
  readonly #ids = new IdTable();
  readonly #ranks: bigint[] = [];
  readonly #parents: (readonly number[])[] = [];
  /** Numbers of ids that only parents name: such rows are not there. */
  #rows = 0;

  /** Adds a row. */
  add({ id, rank, parents }: Placed): void {
    const number = this.#ids.add(id);
    this.#ranks[number] = rank;
    this.#parents[number] = parents.map((parent) => this.#ids.add(parent));
    this.#rows++;
  }

  /** How many rows were added. */
  get size(): number {
    return this.#rows;
  }

  /** The ids of the rows, newest first. Rows that follow each other in a circle, which only forged rows do, come last. */
  *newestFirst(): Generator<Uint8Array, void, undefined> {
    const [ranks, parents] = [this.#ranks, this.#parents];
    const followers = new Uint32Array(this.#ids.size);
    const known = (number: number): boolean => parents[number] !== undefined;
    for (const list of parents) for (const parent of list ?? []) followers[parent]!++;
    const ready = new Heap<number>(
      (a, b) => compareRanks(ranks[b], ranks[a]) || compareBytes(this.#id(b), this.#id(a)),
    );
    const taken = new Uint8Array(this.#ids.size);
    for (let number = 0; number < followers.length; number++)
      if (known(number) && followers[number] === 0) ready.push(number);
    for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
      taken[next] = 1;
      yield this.#id(next);
      for (const parent of parents[next] ?? [])
        if (--followers[parent]! === 0 && known(parent)) ready.push(parent);
    }
    for (let number = 0; number < taken.length; number++)
      if (known(number) && taken[number] === 0) yield this.#id(number);
  }

  #id(number: number): Uint8Array {
    return this.#ids.bytes.subarray(number * ID_BYTES, (number + 1) * ID_BYTES);
  }
}

/** Where a walk finds rows. */
export interface Graph<T extends Placed> {
  /** Ids of the rows that none follows. */
  readonly heads: readonly Uint8Array[];
  /** The rows of these ids; undefined where there is none. */
  get(ids: readonly Uint8Array[]): Promise<readonly (T | undefined)[]>;
}

/**
 * The rows that the heads lead to, newest first, each read when it is next: the first ones cost the same however long
 * the graph is.
 */
export async function* walkNewestFirst<T extends Placed>(
  graph: Graph<T>,
): AsyncGenerator<T, void, undefined> {
  const ready = new Heap<T>((a, b) => compareRanks(b.rank, a.rank) || compareBytes(b.id, a.id));
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

/** Items in arrays of at most `size`. */
export function* batches<T>(items: Iterable<T>, size: number): Generator<readonly T[], void, undefined> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function compareRanks(a: bigint | undefined, b: bigint | undefined): number {
  return (a ?? 0n) < (b ?? 0n) ? -1 : (a ?? 0n) > (b ?? 0n) ? 1 : 0;
}
