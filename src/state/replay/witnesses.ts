/**
 * Root hashes from other sources than deltas. They confirm a replay if deltas carry no hash of their author's state.
 */
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { Pause } from "../../pause.js";
import type { DeltaGraph } from "./graph.js";
import type { RecordedRoot } from "./record.js";

/** A root hash that is compared with a replayed state. */
export type ReplayWitness =
  | {
      /** The delta carries the root hash that its author had. */
      readonly kind: "author";
    }
  | {
      /** A watcher kept the root hash that the node had. */
      readonly kind: "record";
      /** The ids of the heads at that moment, 64 hex digits each. */
      readonly heads: readonly string[];
    }
  | {
      /** A checkpoint has the root hash of the state before the first delta. */
      readonly kind: "checkpoint";
      /** The id of the checkpoint, 64 hex digits. */
      readonly delta: string;
    }
  | {
      /** The present root hash of the node. The replay of all deltas gives it, or does not. */
      readonly kind: "rows";
    };

/** A place that no delta has. */
const NONE = -1;

/** A replay that is compared with root hashes. */
interface WitnessedReplay {
  readonly graph: DeltaGraph;
  /**
   * Moves to the state after some deltas, by their numbers, and all their ancestors; undefined if its hash is not
   * known.
   */
  rootHashAfter(heads: readonly number[]): Promise<Uint8Array | undefined>;
}

/** The root hashes that a replay is compared with. */
export interface KnownRoots {
  /** The root hash of the node, 32 bytes; undefined if the node has none. */
  readonly now: Uint8Array | undefined;
  /**
   * The checkpoint with the root hash of the state before the first delta, 64 hex digits; undefined without such a
   * checkpoint.
   */
  readonly checkpoint: string | undefined;
  /**
   * True if the state before the first delta comes from the present rows, and deltas in between may be missing. The
   * replay then gives these rows even if that state includes later writes.
   */
  readonly isOfRows: boolean;
  /** The root hashes that a watcher kept of the context. */
  readonly record: readonly RecordedRoot[];
}

/** The root hashes of a context from other sources than deltas, compared with its replay. */
export class Witnesses {
  readonly #graph: DeltaGraph;
  readonly #roots: KnownRoots;
  /** By their heads, as {@link nameOf} writes them: true if the replay has a root hash that was recorded. */
  readonly #recorded = new Map<string, boolean>();
  /** The recorded states that the replay gave. */
  readonly #agreeing: (readonly number[])[] = [];
  /** By the number of a delta: the place of the first of these states that includes it. */
  readonly #places: Int32Array;
  /** The heads of the present state. */
  #all = "";
  /** True if the replay of all deltas gives the present root hash; undefined if one of them is not known. */
  #isNow: boolean | undefined;

  private constructor(graph: DeltaGraph, roots: KnownRoots) {
    this.#graph = graph;
    this.#roots = roots;
    this.#places = new Int32Array(graph.deltas.length).fill(NONE);
  }

  /** Compares them, which moves the replay. */
  static async of({ graph, rootHashAfter }: WitnessedReplay, roots: KnownRoots): Promise<Witnesses> {
    const witnesses = new Witnesses(graph, roots);
    await witnesses.#compare(rootHashAfter);
    return witnesses;
  }

  async #compare(rootHashAfter: WitnessedReplay["rootHashAfter"]): Promise<void> {
    const [graph, places, { now, record }] = [this.#graph, this.#places, this.#roots];
    const pause = new Pause();
    const moments = new Map<string, { readonly heads: readonly number[]; readonly roots: RecordedRoot[] }>();
    for (const root of record) {
      if (pause.isLong) await pause.ifLong();
      const heads = root.heads.flatMap((id) => graph.numberOf(id) ?? []);
      if (heads.length === 0 || heads.length < root.heads.length) continue;
      const name = nameOf(heads);
      const moment = moments.get(name) ?? { heads, roots: [] };
      moments.set(name, moment);
      moment.roots.push(root);
    }
    const inOrder = [...moments].sort(([, a], [, b]) => Math.max(...a.heads) - Math.max(...b.heads));
    for (const [name, { heads, roots }] of inOrder) {
      if (pause.isLong) await pause.ifLong();
      const found = await rootHashAfter(heads);
      if (found === undefined) continue;
      const isRecorded = roots.some(({ rootHash }) => rootHash === toHex(found));
      this.#recorded.set(name, isRecorded);
      if (!isRecorded) continue;
      const place = this.#agreeing.push(heads) - 1;
      for (const open = [...heads]; open.length > 0; ) {
        if (pause.isLong) await pause.ifLong();
        const number = open.pop() as number;
        if (places[number] !== NONE) continue;
        places[number] = place;
        open.push(...graph.parents(number));
      }
    }
    const heads = await graph.heads();
    const found = now && (await rootHashAfter(heads));
    this.#all = nameOf(heads);
    this.#isNow = now && found && equalBytes(now, found);
  }

  /**
   * Compares the state after some deltas, by their numbers, and all their ancestors, with the root hash that a watcher
   * recorded; undefined without a record.
   */
  recorded(
    heads: readonly number[],
  ): { readonly agrees: boolean; readonly witness: ReplayWitness } | undefined {
    const agrees = this.#recorded.get(nameOf(heads));
    return agrees === undefined ? undefined : { agrees, witness: this.#record(heads) };
  }

  /** True if a state is the present state, and differs from the root hash that the node states. */
  contradictsRows(heads: readonly number[]): boolean {
    return this.#isNow === false && nameOf(heads) === this.#all;
  }

  /** The root hashes before and after a delta, by its number, that the replay gives, the nearest after it first. */
  around(number: number): readonly ReplayWitness[] {
    const { checkpoint, isOfRows } = this.#roots;
    const heads = this.#agreeing[this.#places[number] as number];
    return [
      ...(heads === undefined ? [] : [this.#record(heads)]),
      ...(this.#isNow === true && !isOfRows ? [{ kind: "rows" } as const] : []),
      ...(checkpoint === undefined ? [] : [{ kind: "checkpoint", delta: checkpoint } as const]),
    ];
  }

  #record(heads: readonly number[]): ReplayWitness {
    return { kind: "record", heads: heads.map((number) => this.#graph.deltas[number]?.id ?? "") };
  }
}

/** A name of a state, by the numbers of its newest deltas. */
function nameOf(heads: readonly number[]): string {
  return [...heads].sort((a, b) => a - b).join();
}
