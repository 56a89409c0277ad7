/** Missing deltas, and the relations that they hide: a delta may follow another one only through a missing delta. */
import { Pause } from "../../pause.js";
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

/** The largest base in which each delta has a bit. With a larger one, `has` returns false for every delta. */
const MOST_OF_BASE = 256;

/** The deltas that follow everything in the state before the first delta. */
export class FollowersOfBase {
  readonly #all: bigint;
  /** By number: a bit for each delta of the base that a delta follows. */
  readonly #followed: readonly bigint[];

  private constructor(all: bigint, followed: readonly bigint[]) {
    this.#all = all;
    this.#followed = followed;
  }

  /** @param base the ids of the deltas that are known to be in that state, 64 hex digits each */
  static async of(graph: DeltaGraph, base: ReadonlySet<string>): Promise<FollowersOfBase> {
    if (base.size > MOST_OF_BASE) return new FollowersOfBase(0n, []);
    const all = (1n << BigInt(base.size)) - 1n;
    const followed: bigint[] = [];
    const bits = new Map([...base].map((id, at) => [id, 1n << BigInt(at)]));
    const pause = new Pause();
    for (const [number, { parents }] of graph.deltas.entries()) {
      if (pause.isLong) await pause.ifLong();
      let own = 0n;
      for (const parent of graph.parents(number)) own |= followed[parent] as bigint;
      if (graph.lacksParents(number)) for (const id of parents) own |= bits.get(id) ?? 0n;
      followed.push(own);
    }
    return new FollowersOfBase(all, followed);
  }

  /** Returns true if a delta follows all of them. */
  has(number: number): boolean {
    return this.#followed[number] === this.#all;
  }
}
