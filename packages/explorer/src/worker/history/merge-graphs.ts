/** Merges two graphs of the same history: rows with the same id are one row. */
import { Heap } from "merostore/internal";
import type { HistoryGraph } from "merostore/node";
import type { Parentage } from "./lanes.js";

/** Bytes of an id. */
const ID_BYTES = 32;

/** The sides that have a row. */
export const Sides = { A: 1, B: 2, BOTH: 3 } as const;

/** The used parts of a graph. */
export type MergeableGraph = Parentage & Pick<HistoryGraph, "ids" | "after" | "before">;

/** The merged graph: a row has the parents of both sides. */
export interface MergedGraph extends MergeableGraph {
  /** The sides that have each row. */
  readonly sides: Uint8Array;
  /** The row of each side; -1 if the side does not have it. */
  readonly rowsA: Int32Array;
  readonly rowsB: Int32Array;
}

/** A row before its place is known. */
interface Merging {
  readonly id: string;
  rowA: number;
  rowB: number;
  readonly parents: Set<number>;
  time: number;
  after: number;
}

/** Merges two graphs, newest first: a row comes before the rows that it follows. */
export function mergeGraphs(a: MergeableGraph, b: MergeableGraph): MergedGraph {
  const known = new Map<string, number>();
  const all: Merging[] = [];
  const enter = (id: string): Merging => {
    const at = known.get(id);
    if (at !== undefined) return all[at] as Merging;
    const made = { id, rowA: -1, rowB: -1, parents: new Set<number>(), time: Number.NaN, after: Number.NaN };
    known.set(id, all.length);
    all.push(made);
    return made;
  };
  for (const [graph, side] of [
    [a, "rowA"],
    [b, "rowB"],
  ] as const) {
    const ids = idsOf(graph);
    for (let row = 0; row < graph.size; row++) {
      const merging = enter(ids(row));
      merging[side] = row;
      if (Number.isNaN(merging.time)) {
        merging.time = graph.before[row] as number;
        merging.after = graph.after[row] as number;
      }
      for (
        let edge = graph.parentsFrom[row] as number;
        edge < (graph.parentsFrom[row + 1] as number);
        edge++
      ) {
        const id = ids(graph.parents[edge] as number);
        enter(id);
        merging.parents.add(known.get(id) as number);
      }
    }
  }
  return packed(all, newestFirst(all));
}

/** Ids as text that is quick to make: each character has two bytes. */
function idsOf({ ids }: MergeableGraph): (row: number) => string {
  return (row) => {
    let text = "";
    for (let at = row * ID_BYTES; at < (row + 1) * ID_BYTES; at += 2)
      text += String.fromCharCode(((ids[at] as number) << 8) | (ids[at + 1] as number));
    return text;
  };
}

const isThere = ({ rowA, rowB }: Merging): boolean => rowA >= 0 || rowB >= 0;

/**
 * Orders the rows so that each comes before its parents. Of several candidates, the row with the latest time is next.
 */
function newestFirst(all: readonly Merging[]): readonly number[] {
  const followers = new Uint32Array(all.length);
  for (const { parents } of all)
    for (const parent of parents) followers[parent] = (followers[parent] as number) + 1;
  const heap = new Heap<number>((one, other) => newerFirst(all[one] as Merging, all[other] as Merging));
  for (const [at, row] of all.entries()) if (isThere(row) && followers[at] === 0) heap.push(at);
  const order: number[] = [];
  const isPlaced = new Uint8Array(all.length);
  const place = (): void => {
    for (let at = heap.pop(); at !== undefined; at = heap.pop()) {
      if (isPlaced[at] === 1) continue;
      isPlaced[at] = 1;
      order.push(at);
      for (const parent of (all[at] as Merging).parents) {
        followers[parent] = (followers[parent] as number) - 1;
        if (followers[parent] === 0 && isThere(all[parent] as Merging)) heap.push(parent);
      }
    }
  };
  place();
  // A cycle, which only forged rows can form, is broken at its first row.
  for (const [at, row] of all.entries()) {
    if (isPlaced[at] === 1 || !isThere(row)) continue;
    heap.push(at);
    place();
  }
  return order;
}

/** Rows of unknown time come last, and the same rows always come in the same order. */
function newerFirst(one: Merging, other: Merging): number {
  const [a, b] = [Number.isNaN(one.time) ? -1 : one.time, Number.isNaN(other.time) ? -1 : other.time];
  if (a !== b) return b - a;
  return one.id < other.id ? -1 : 1;
}

function packed(all: readonly Merging[], order: readonly number[]): MergedGraph {
  const size = order.length;
  const placeOf = new Uint32Array(all.length);
  const missing = all.flatMap((row, at) => (isThere(row) ? [] : [at]));
  for (const [place, at] of [...order, ...missing].entries()) placeOf[at] = place;
  const ids = new Uint8Array(all.length * ID_BYTES);
  for (const [at, { id }] of all.entries())
    for (let character = 0; character < id.length; character++) {
      const offset = (placeOf[at] as number) * ID_BYTES + 2 * character;
      ids[offset] = id.charCodeAt(character) >> 8;
      ids[offset + 1] = id.charCodeAt(character) & 0xff;
    }
  const rows = order.map((at) => all[at] as Merging);
  const parentsFrom = new Uint32Array(size + 1);
  const parents: number[] = [];
  for (const [place, row] of rows.entries()) {
    for (const parent of row.parents) parents.push(placeOf[parent] as number);
    parentsFrom[place + 1] = parents.length;
  }
  return {
    ...{ size, ids, parentsFrom, parents: Uint32Array.from(parents) },
    after: Float64Array.from(rows, ({ after }) => after),
    before: Float64Array.from(rows, ({ time }) => time),
    sides: Uint8Array.from(rows, ({ rowA, rowB }) => (rowA >= 0 ? Sides.A : 0) | (rowB >= 0 ? Sides.B : 0)),
    rowsA: Int32Array.from(rows, ({ rowA }) => rowA),
    rowsB: Int32Array.from(rows, ({ rowB }) => rowB),
  };
}
