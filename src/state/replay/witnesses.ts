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
  readonly #checkpoint: string | undefined;
  /** By their heads, as {@link nameOf} writes them: true if the replay has a root hash that was recorded. */
  readonly #recorded: ReadonlyMap<string, boolean>;
  /** The recorded states that the replay gave. */
  readonly #agreeing: readonly (readonly number[])[];
  /** By the number of a delta: the place of the first of these states that includes it. */
  readonly #places: Int32Array;
  readonly #all: string;
  readonly #isNow: boolean | undefined;
  readonly #isOfRows: boolean;

  private constructor(
    graph: DeltaGraph,
    checkpoint: string | undefined,
    recorded: ReadonlyMap<string, boolean>,
    agreeing: readonly (readonly number[])[],
    places: Int32Array,
    now: {
      readonly heads: readonly number[];
      readonly agrees: boolean | undefined;
      readonly isOfRows: boolean;
    },
  ) {
    this.#graph = graph;
    this.#checkpoint = checkpoint;
    this.#recorded = recorded;
    this.#agreeing = agreeing;
    this.#places = places;
    this.#all = nameOf(now.heads);
    this.#isNow = now.agrees;
    this.#isOfRows = now.isOfRows;
  }

  /** Compares them, which moves the replay. */
  static async of(
    { graph, rootHashAfter }: WitnessedReplay,
    { now, checkpoint, isOfRows, record }: KnownRoots,
  ): Promise<Witnesses> {
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
    const recorded = new Map<string, boolean>();
    const agreeing: (readonly number[])[] = [];
    const places = new Int32Array(graph.deltas.length).fill(NONE);
    const inOrder = [...moments].sort(([, a], [, b]) => Math.max(...a.heads) - Math.max(...b.heads));
    for (const [name, { heads, roots }] of inOrder) {
      if (pause.isLong) await pause.ifLong();
      const found = await rootHashAfter(heads);
      if (found === undefined) continue;
      const isRecorded = roots.some(({ rootHash }) => rootHash === toHex(found));
      recorded.set(name, isRecorded);
      if (!isRecorded) continue;
      const place = agreeing.push(heads) - 1;
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
    const agrees = now && found && equalBytes(now, found);
    return new Witnesses(graph, checkpoint, recorded, agreeing, places, { heads, agrees, isOfRows });
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
    const heads = this.#agreeing[this.#places[number] as number];
    return [
      ...(heads === undefined ? [] : [this.#record(heads)]),
      ...(this.#isNow === true && !this.#isOfRows ? [{ kind: "rows" } as const] : []),
      ...(this.#checkpoint === undefined ? [] : [{ kind: "checkpoint", delta: this.#checkpoint } as const]),
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
