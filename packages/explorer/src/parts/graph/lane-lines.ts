/** The lines between the rows of a graph, computed from its packed lanes for any part of the list. */
import { firstNotBefore } from "merostore/internal";
import type { Lanes, Parentage } from "../../worker/history/lanes.js";

/** The lane of an edge that is not drawn as one. */
const STUB = 255;
/** The most steps whose lines are kept. */
const MOST_STEPS = 12;

/** A line in the gap between a row and the next one. */
export interface Line {
  /** The lane at the row above. */
  readonly from: number;
  /** The lane at the row below. */
  readonly to: number;
  /** The child row: the line has the colour of its author. */
  readonly child: number;
}

/** The lines of a graph. */
export class LaneLines {
  readonly #graph: Parentage;
  readonly #lanes: Lanes;
  /** Lines of the gaps below the rows of a step. */
  readonly #steps = new Map<number, readonly (readonly Line[])[]>();

  constructor(graph: Parentage, lanes: Lanes) {
    this.#graph = graph;
    this.#lanes = lanes;
  }

  /** The lines between a row and the next one. */
  below(row: number): readonly Line[] {
    const step = Math.floor(row / this.#lanes.step);
    let lines = this.#steps.get(step);
    if (lines === undefined) {
      lines = this.#read(step);
      const [oldest] = this.#steps.keys();
      if (this.#steps.size >= MOST_STEPS) this.#steps.delete(oldest as number);
      this.#steps.set(step, lines);
    }
    return lines[row - step * this.#lanes.step] ?? [];
  }

  /** The number of parents of a row without a line: they are not in the database. */
  stubs(row: number): number {
    const { parentsFrom } = this.#graph;
    let stubs = 0;
    for (let edge = parentsFrom[row] as number; edge < (parentsFrom[row + 1] as number); edge++)
      if (this.#lanes.ofEdge[edge] === STUB) stubs++;
    return stubs;
  }

  #read(step: number): readonly (readonly Line[])[] {
    const { size, parents, parentsFrom } = this.#graph;
    const { ofRow, ofEdge, states, statesFrom, step: rows } = this.#lanes;
    /** The edge that runs in each lane. */
    const running: number[] = [...states.subarray(statesFrom[step], statesFrom[step + 1])];
    const last = Math.min((step + 1) * rows, size);
    const gaps: Line[][] = [];
    for (let row = step * rows; row < last; row++) {
      for (const [lane, edge] of running.entries())
        if (edge >= 0 && parents[edge] === row) running[lane] = -1;
      const at = ofRow[row] as number;
      const below: Line[] = [];
      const end = (edge: number, lane: number): number =>
        parents[edge] === row + 1 ? (ofRow[row + 1] as number) : lane;
      for (const [lane, edge] of running.entries())
        if (edge >= 0) below.push({ from: lane, to: end(edge, lane), child: this.#childOf(edge) });
      for (let edge = parentsFrom[row] as number; edge < (parentsFrom[row + 1] as number); edge++) {
        const lane = ofEdge[edge] as number;
        if (lane === STUB) continue;
        below.push({ from: at, to: end(edge, lane), child: row });
        while (running.length <= lane) running.push(-1);
        const now = running[lane] as number;
        // A line that joins another one ends there.
        if (now < 0 || (parents[edge] as number) > (parents[now] as number)) running[lane] = edge;
      }
      gaps.push(below);
    }
    return gaps;
  }

  /** The row at which an edge begins. */
  #childOf(edge: number): number {
    const { parentsFrom } = this.#graph;
    return firstNotBefore(parentsFrom.length, (row) => (parentsFrom[row] as number) <= edge) - 1;
  }
}
