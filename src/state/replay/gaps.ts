/** Missing deltas, and the relations that they hide: a delta may follow another one only through a missing delta. */
import type { DeltaGraph } from "./graph.js";

/** The deltas that follow some that are not there. */
export class Gaps {
  readonly #graph: DeltaGraph;
  /** The latest time of a delta with a missing parent, among a delta and its ancestors; undefined without one. */
  readonly #latest: (bigint | undefined)[] = [];

  /** @param missing the ids of deltas that are not there, 64 hex digits each */
  constructor(graph: DeltaGraph, missing: readonly string[]) {
    this.#graph = graph;
    const absent = new Set(missing);
    for (const [number, { time, parents }] of absent.size === 0 ? [] : graph.deltas.entries()) {
      let latest: bigint | undefined;
      for (const parent of graph.parents(number)) latest = later(latest, this.#latest[parent]);
      if (graph.lacksParents(number) && parents.some((id) => absent.has(id))) latest = later(latest, time);
      this.#latest[number] = latest;
    }
  }

  /** Returns true if a delta can follow another one through missing deltas: clocks only go up. */
  canFollow(number: number, earlier: number): boolean {
    const latest = this.#latest[number];
    const time = this.#graph.deltas[earlier]?.time;
    return latest !== undefined && time !== undefined && time < latest;
  }
}

function later(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}
