/** The shape of a history in contiguous memory: rows with their parents, authors and times. */
import { fromHex, toHex } from "../../bytes/hex.js";
import { ID_BYTES } from "../../bytes/id-table.js";
import { checkArgument, hasMembers, isFlag, isList, type OptionChecks } from "../../options.js";
import { type SignalOption, signalOption } from "../../progress.js";
import type { Named } from "../names.js";
import { CausalOrder, type Placed } from "./order.js";

/**
 * A history of operations or deltas as a graph. Row 0 is the newest, and each row comes before the rows that it
 * follows. There are two exceptions: forged rows that form a cycle, and a group's own log, which is in the order of its
 * sequence numbers.
 */
export interface HistoryGraph {
  /** The subject of the history. */
  readonly of: Named;
  /** Number of rows. */
  readonly size: number;
  /** The id of each row, 32 bytes, then the ids of parents that are not in the database. */
  readonly ids: Uint8Array;
  /** The index in `parents` of the first parent of each row, and at the end the length of `parents`. */
  readonly parentsFrom: Uint32Array;
  /** The parents of each row. A number from `size` on stands for an id in `ids` that no row has. */
  readonly parents: Uint32Array;
  /** The author of each row: an index in `people`. */
  readonly authors: Uint32Array;
  /** The authors, in the order of their oldest rows: accounts, or public keys before core-0.11. Undefined if unknown. */
  readonly people: readonly (Named | undefined)[];
  /** The earliest time at which each row was made, in milliseconds since 1970; NaN if unknown. */
  readonly after: Float64Array;
  /** The latest time at which each row was made. For a delta, both times are equal. */
  readonly before: Float64Array;
  /** Further facts about each row: the sum of `HEAD`, `PENDING` and `CHECKPOINT`. */
  readonly marks: Uint8Array;
}

/** The subject of a {@link HistoryGraph}. */
export interface GraphOptions extends SignalOption {
  /** True if it is a group's own log; it always is for a group that is not a namespace. Default false. */
  readonly own?: boolean;
  /** The kinds that the id may have: a group and a context can have the same one. Default all. */
  readonly kinds?: readonly ("namespace" | "group" | "context")[];
}

/** The checks of {@link GraphOptions}. */
export const graphOptions: OptionChecks<GraphOptions> = { ...signalOption, own: isFlag, kinds: isList };

/** Marks of the rows of a {@link HistoryGraph}. */
export const RowMark = {
  /** The newest of its line: the database names it as a head. */
  HEAD: 1,
  /** A delta that is not applied yet. */
  PENDING: 2,
  /** A delta that stands for a state that the node took over whole. */
  CHECKPOINT: 4,
} as const;

/** The parts of a row that a graph keeps. */
export interface GraphRow extends Placed {
  /** The author, as a key of the map of people; undefined for nobody. */
  readonly author: string | undefined;
  /** Milliseconds since 1970. */
  readonly after: number | undefined;
  readonly before: number | undefined;
  readonly marks: number;
}

/** A row of nobody. */
const NOBODY = "";

/** Collects the rows of a history in any order. Takes about 150 bytes for each. */
export class GraphBuilder {
  readonly #order = new CausalOrder();
  readonly #rows: (Omit<GraphRow, keyof Placed | "author"> & { readonly author: number })[] = [];
  readonly #people = new Map<string, number>();

  /** The authors of the rows that were added. */
  get people(): readonly string[] {
    return [...this.#people.keys()].filter((author) => author !== NOBODY);
  }

  /** Adds a row. Returns its number. */
  add({ author = NOBODY, after, before, marks, ...placed }: GraphRow): number {
    let person = this.#people.get(author);
    if (person === undefined) {
      person = this.#people.size;
      this.#people.set(author, person);
    }
    const number = this.#order.add(placed);
    this.#rows[number] = { author: person, after, before, marks };
    return number;
  }

  /**
   * The graph of the rows that were added.
   *
   * @param heads 64 hex digits each
   * @param personOf the name of an author
   * @param numbers the rows in another order than the causal one, newest first
   */
  build(
    of: Named,
    heads: readonly string[],
    personOf: (author: string) => Named,
    numbers: Iterable<number> = this.#order.numbersNewestFirst(),
  ): HistoryGraph {
    const order = this.#order;
    const list = Uint32Array.from(numbers);
    const size = list.length;
    const rowOf = new Uint32Array(order.ids.size);
    // Ids that only parents name come after all rows.
    let missing = size;
    const isRow = new Uint8Array(rowOf.length);
    for (let row = 0; row < size; row++) {
      rowOf[list[row] as number] = row;
      isRow[list[row] as number] = 1;
    }
    for (let number = 0; number < rowOf.length; number++) if (isRow[number] === 0) rowOf[number] = missing++;
    const ids = new Uint8Array(missing * ID_BYTES);
    for (let number = 0; number < rowOf.length; number++)
      ids.set(order.ids.at(number), (rowOf[number] as number) * ID_BYTES);
    const graph = this.#columns(list, rowOf);
    for (const head of heads) {
      const number = order.ids.find(fromHex(head));
      if (number >= 0 && isRow[number] === 1) graph.marks[rowOf[number] as number]! |= RowMark.HEAD;
    }
    return { of, size, ids, ...graph, ...this.#byAppearance(graph.authors, personOf) };
  }

  #columns(
    list: Uint32Array,
    rowOf: Uint32Array,
  ): Pick<HistoryGraph, "parentsFrom" | "parents" | "authors" | "after" | "before" | "marks"> {
    const size = list.length;
    const parentsFrom = new Uint32Array(size + 1);
    for (let row = 0; row < size; row++)
      parentsFrom[row + 1] = (parentsFrom[row] as number) + this.#order.parentsOf(list[row] as number).length;
    const parents = new Uint32Array(parentsFrom[size] as number);
    const [authors, marks] = [new Uint32Array(size), new Uint8Array(size)];
    const [after, before] = [
      new Float64Array(size).fill(Number.NaN),
      new Float64Array(size).fill(Number.NaN),
    ];
    for (let row = 0; row < size; row++) {
      const number = list[row] as number;
      const facts = this.#rows[number];
      if (facts === undefined) continue;
      let at = parentsFrom[row] as number;
      for (const parent of this.#order.parentsOf(number)) parents[at++] = rowOf[parent] as number;
      authors[row] = facts.author;
      marks[row] = facts.marks;
      if (facts.after !== undefined) after[row] = facts.after;
      if (facts.before !== undefined) before[row] = facts.before;
    }
    return { parentsFrom, parents, authors, after, before, marks };
  }

  /** Numbers the people by their first appearance, from the oldest row on. */
  #byAppearance(
    authors: Uint32Array,
    personOf: (author: string) => Named,
  ): Pick<HistoryGraph, "authors" | "people"> {
    const keys = [...this.#people.keys()];
    const places = new Int32Array(keys.length).fill(-1);
    const people: (Named | undefined)[] = [];
    for (let row = authors.length - 1; row >= 0; row--) {
      const key = authors[row] as number;
      if (places[key] === -1) {
        places[key] = people.length;
        people.push(keys[key] === NOBODY ? undefined : personOf(keys[key] as string));
      }
      authors[row] = places[key] as number;
    }
    return { authors, people };
  }
}

/** The id of a row of a graph, or of one that is not in the database, as 64 hex digits. */
export function graphId(graph: Pick<HistoryGraph, "ids">, row: number): string {
  checkArgument("graphId", graph, hasMembers("a graph", "ids"));
  const { ids } = graph;
  return toHex(ids.subarray(row * ID_BYTES, (row + 1) * ID_BYTES));
}
