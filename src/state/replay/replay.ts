/**
 * The state of a context at any moment, from its deltas. Each delta carries a hash of its author's state, so that a replay that
 * is wrong cannot pass: SHA-256 over all entities.
 */
import { fromHex, toHex } from "../../bytes/hex.js";
import { isDate } from "../../bytes/realm.js";
import { once } from "../../node/tables/once.js";
import type { NodeReader } from "../../node/tables/rows.js";
import { Pause } from "../../pause.js";
import type { Schema } from "../../schemas/index.js";
import type { StoreReader } from "../../store/browser.js";
import { EntityRows } from "../entity-rows.js";
import { layoutOf } from "../layouts/layout-of.js";
import type { StateOptions } from "../state.js";
import { TypeTable } from "../types/from-manifest.js";
import { DeltaApplier } from "./apply.js";
import { type Agreement, AuthorStates } from "./author-states.js";
import { checkpointOf, readBase } from "./base.js";
import { type DeltaSet, ReplayCursor } from "./cursor.js";
import { type Deltas, readDeltas } from "./deltas.js";
import { EntityTree } from "./entity-tree.js";
import { Gaps } from "./gaps.js";
import { DeltaGraph } from "./graph.js";
import { madeAt, numberOfMoment, type ReplayMoment } from "./moment.js";
import { PackedDeltas, type ReplayedDelta } from "./packed-deltas.js";
import { rootMerger } from "./root-merge.js";
import { ReplayedTree } from "./tree.js";

/**
 * The certainty of a replayed state. `proven`: its hash is the one that the author of the delta had. `proven-with-unnamed`: it
 * is, if the author had applied deltas that the delta does not name, had not applied some that it names, or had taken over entities
 * from another node without their deltas. `unknown`: nothing tells ({@link UnknownBecause}). `differs`: nothing that was tried leads
 * to the hash of the author, as where nodes were repairing their state, or the application merged it by a rule of its own.
 */
export type ReplayVerdict = "proven" | "proven-with-unnamed" | "unknown" | "differs";

/** The reason why nothing tells whether a state is right: the delta carries no hash, or data from before the first delta is not known. */
export type UnknownBecause = "no hash" | "older data";

/** A delta in the order of a replay. */
export interface ReplayPosition {
  /** The place of the delta, from 1. */
  readonly position: number;
  /** The number of deltas. */
  readonly of: number;
  /** The delta's id, 64 hex digits. */
  readonly delta: string;
  /** When it was made, in milliseconds since 1970 by the author's clock; undefined where the row has no time. */
  readonly time: number | undefined;
  /** The author's Ed25519 public key, 64 hex digits; undefined where the row has none. */
  readonly author: string | undefined;
  /** The certainty of the state after the delta. */
  readonly verdict: ReplayVerdict;
  /** The reason why it is unknown; undefined otherwise. */
  readonly unknown: UnknownBecause | undefined;
  /** Deltas that the author had applied and did not name, 64 hex digits each. */
  readonly unnamed: readonly string[];
  /** Deltas that the author named, or that these follow, and had not applied, 64 hex digits each. */
  readonly leftOut: readonly string[];
  /** Entities that the author's node had taken over from another one, without their deltas, 64 hex digits each. */
  readonly takenOver: readonly string[];
}

/** A delta that wrote an entity. */
export interface DeltaOfState {
  /** The delta's id, 64 hex digits. */
  readonly id: string;
  /** The author's Ed25519 public key, 64 hex digits; undefined where the row has none. */
  readonly author: string | undefined;
  /** When it was made, in milliseconds since 1970 by the author's clock; undefined where the row has no time. */
  readonly time: number | undefined;
}

const NOTHING: ReadonlySet<number> = new Set();

/**
 * Reads the deltas of a context for a replay, and the state before the first of them.
 *
 * @param reader a store or a snapshot
 * @param contextId 32 bytes
 * @param options the application's manifest, for merges of registers inside its own state
 * @throws MerostoreError `INVALID_ARGUMENT` for deltas in a layout that the revision does not have
 */
export async function readReplay(
  reader: StoreReader<Schema>,
  contextId: Uint8Array,
  { manifest, hints }: Pick<StateOptions, "manifest" | "hints"> = {},
): Promise<ContextReplay> {
  const layout = layoutOf(reader.schema);
  const rows = new EntityRows(reader.raw, contextId, layout);
  const packed = new PackedDeltas(layout.replay.metadata);
  const all = await readDeltas(reader as unknown as NodeReader, rows, packed);
  const graph = await DeltaGraph.of(packed.ids, all.applied);
  const tree = new EntityTree(layout.replay.childOrder, packed);
  const isJoined = all.checkpoints.size > 0 || graph.isIncomplete;
  const base = isJoined ? await readBase(rows, graph.deltas, tree, all.checkpoints) : undefined;
  const root = manifest?.stateRoot;
  const type = root && new TypeTable(manifest, hints, false, layout.forms).named(root);
  const merge = type === undefined || type === "" ? () => undefined : rootMerger(type);
  const cursor = new ReplayCursor(
    tree,
    graph,
    new DeltaApplier(tree, toHex(contextId), merge, layout.replay.rules),
  );
  return new ContextReplay({ ...all, contextId: toHex(contextId), graph, cursor, base });
}

interface Parts extends Deltas {
  readonly contextId: string;
  readonly graph: DeltaGraph;
  readonly cursor: ReplayCursor;
  readonly base:
    | { readonly rootHash: Uint8Array | undefined; readonly unknown: ReadonlySet<string> }
    | undefined;
}

/** The deltas of a context in causal order, and its state after any of them. Concurrent deltas are in the order of their times. */
export class ContextReplay {
  /** The context's id, 64 hex digits. */
  readonly contextId: string;
  /** Deltas that the node has not applied, in no order. */
  readonly pending: readonly ReplayedDelta[];
  /**
   * The root hash that the state before the first delta has according to a checkpoint, 32 bytes; undefined without one. Of several
   * checkpoints it is the one that agrees with the rows, or else the one that the first deltas follow.
   */
  readonly checkpoint: Uint8Array | undefined;
  /** The ids of checkpoints, 64 hex digits each: the state before the first delta has these deltas and all that they follow. */
  readonly checkpointIds: readonly string[];
  /**
   * The ids of deltas that are not there, 64 hex digits each, though heads or applied deltas name them. Of a node that joined by a
   * snapshot, or whose history was pruned, the state before the first delta has them.
   */
  readonly missing: readonly string[];
  /** True if the history does not begin with the context's first delta. */
  readonly isJoined: boolean;
  /** The root hash of the state before the first delta, 32 bytes; undefined where it is not known. */
  readonly baseHash: Uint8Array | undefined;
  /** @internal */
  readonly graph: DeltaGraph;
  /** @internal The entities of the state that was moved to. */
  readonly tree: ReplayedTree;
  readonly #cursor: ReplayCursor;
  readonly #agreements: Agreement[] = [];
  #gaps: Gaps | undefined;
  readonly #check = once(() => this.#checkAll());

  /** @internal */
  constructor({ contextId, graph, cursor, base, pending, checkpoints, missing }: Parts) {
    this.contextId = contextId;
    this.graph = graph;
    this.pending = pending;
    this.checkpoint = checkpointOf(graph, checkpoints, base?.rootHash);
    this.checkpointIds = [...checkpoints.keys()];
    this.missing = missing;
    this.isJoined = base !== undefined;
    this.baseHash = base?.rootHash;
    this.#cursor = cursor;
    this.tree = new ReplayedTree(cursor.tree);
  }

  /** The number of deltas that are applied. */
  get length(): number {
    return this.graph.deltas.length;
  }

  /** All deltas in causal order, with their verdicts. The first call replays all. */
  async positions(): Promise<readonly ReplayPosition[]> {
    await this.#check();
    const pause = new Pause();
    const positions: ReplayPosition[] = [];
    for (const number of this.graph.deltas.keys()) {
      if (pause.isLong) await pause.ifLong();
      positions.push(await this.#position(number));
    }
    return positions;
  }

  /**
   * The delta of a moment, with its verdict: of a time, the last delta that was made until then.
   *
   * @throws MerostoreError `INVALID_ARGUMENT` for a moment before the first delta, and for an id that is unknown or not unique
   */
  async position(moment: ReplayMoment): Promise<ReplayPosition> {
    await this.#check();
    return this.#position(await numberOfMoment(this.graph, moment));
  }

  /**
   * Moves to the state at a moment. At a delta it is the state of its author after the delta. At a time it is the state of a
   * node that has all deltas that were made until then.
   */
  async moveTo(moment: ReplayMoment): Promise<void> {
    const number = await numberOfMoment(this.graph, moment);
    if (isDate(moment)) {
      const heads = await this.graph.headsWhere((at) => madeAt(this.graph, at) <= moment.getTime());
      await this.#moveTo({ heads, leftOut: NOTHING });
      return;
    }
    await this.#check();
    await this.#moveTo(this.#stateAfter(number));
  }

  /** Moves to the state on which the author of a delta worked: the one without the delta. */
  async moveToBefore(delta: string | number): Promise<void> {
    const number = await numberOfMoment(this.graph, delta);
    await this.#check();
    const { heads, ...state } = (this.#agreements[number] as Agreement).state;
    await this.#cursor.moveTo({ ...state, heads: [...this.graph.parents(number), ...heads] });
  }

  /** Moves to the state after the first deltas in causal order; of all without a number. */
  async moveToFirst(count = this.length): Promise<void> {
    const heads = await this.graph.headsWhere((number) => number < count);
    await this.#moveTo({ heads, leftOut: NOTHING });
  }

  async #moveTo(state: DeltaSet): Promise<void> {
    await this.#cursor.moveTo(state);
    const { tree } = this.#cursor;
    await tree.computeHash(tree.numberOf(fromHex(this.contextId)), new Pause());
  }

  /** @internal Moves to the state after some deltas and all that these follow; false if one of them is not there. */
  async moveToHeads(ids: readonly string[]): Promise<boolean> {
    const heads = ids.flatMap((id) => this.graph.numberOf(id) ?? []);
    if (heads.length === ids.length) await this.#cursor.moveTo({ heads, leftOut: NOTHING });
    return heads.length === ids.length;
  }

  /** @internal Moves to the state that some deltas, by their numbers, would give without the others. */
  async moveToOnly(kept: ReadonlySet<number>): Promise<void> {
    const leftOut = new Set<number>();
    const pause = new Pause();
    for (const number of this.graph.deltas.keys()) {
      if (pause.isLong) await pause.ifLong();
      if (!kept.has(number)) leftOut.add(number);
    }
    await this.#cursor.moveTo({ heads: await this.graph.heads(), leftOut });
  }

  /** The root hash of the state that was moved to, 32 bytes; undefined where it is not known. */
  get rootHash(): Uint8Array | undefined {
    return this.tree.hash(this.contextId);
  }

  /**
   * @internal The ids of the entities that some deltas write or delete, and of those above them.
   *
   * @param only the ids of the deltas
   */
  touched(only: ReadonlySet<string>): ReadonlySet<string> {
    const ids = new Set<string>();
    const numbers = new Set<number>();
    for (const delta of only) {
      const number = this.graph.numberOf(delta);
      if (number === undefined) continue;
      numbers.add(number);
      for (const action of this.graph.deltas[number]?.actions ?? []) {
        ids.add(toHex(action.id));
        if (!("ancestors" in action)) continue;
        for (const above of action.ancestors) ids.add(toHex("id" in above ? above.id : above));
      }
    }
    // Entities that a deletion takes along, and entries of logs of writers.
    const tree = this.tree.byNumber;
    for (let id = 0; id < tree.size; id++) if (numbers.has(tree.writerOf(id) ?? -1)) ids.add(tree.nameOf(id));
    for (const id of [...ids])
      for (let at = this.tree.parentOf(id); at !== undefined && !ids.has(at); at = this.tree.parentOf(at))
        ids.add(at);
    return ids;
  }

  /**
   * The delta that wrote or deleted an entity last, in the state that was moved to; undefined for an entity that is not there, or is
   * from before the first delta.
   *
   * @param entity 64 hex digits
   */
  lastWriteOf(entity: string): DeltaOfState | undefined {
    const number = this.tree.get(entity)?.writer;
    const delta = number === undefined ? undefined : this.graph.deltas[number];
    if (number === undefined || delta === undefined) return undefined;
    return { id: delta.id, author: delta.author, time: this.#shownTime(number) };
  }

  async #checkAll(): Promise<void> {
    const { tree } = this.#cursor;
    const root = tree.numberOf(fromHex(this.contextId));
    const pause = new Pause();
    const authors = await AuthorStates.of(this.graph, this.#cursor, root, pause);
    for (const number of this.graph.deltas.keys()) this.#agreements.push(await authors.find(number, pause));
  }

  #stateAfter(number: number): DeltaSet {
    const { heads, ...state } = (this.#agreements[number] as Agreement).state;
    return { ...state, heads: [number, ...heads] };
  }

  async #position(number: number): Promise<ReplayPosition> {
    const { id, author } = this.graph.deltas[number] as ReplayedDelta;
    const { isProven, state, hasHash } = this.#agreements[number] as Agreement;
    const idsOf = (numbers: readonly number[]): string[] =>
      numbers.map((at) => (this.graph.deltas[at] as ReplayedDelta).id);
    const isKnown = isProven === true;
    const unnamed = (await this.#besides(number)).filter((at) => !this.#canFollow(number, at));
    const leftOut = isKnown ? [...state.leftOut].filter((at) => this.graph.follows(number, at)) : [];
    const taken = isKnown ? (state.taken ?? []) : [];
    const isNamed = unnamed.length === 0 && leftOut.length === 0 && taken.length === 0;
    const proven = isNamed ? "proven" : "proven-with-unnamed";
    return {
      position: number + 1,
      of: this.length,
      delta: id,
      time: this.#shownTime(number),
      author,
      verdict: isKnown ? proven : isProven === undefined ? "unknown" : "differs",
      unknown: isProven === undefined ? (hasHash ? "older data" : "no hash") : undefined,
      unnamed: idsOf(unnamed.toReversed()),
      leftOut: idsOf(leftOut),
      takenOver: taken.map(({ id }) => this.tree.byNumber.nameOf(id)),
    };
  }

  /**
   * @internal The number of deltas that the author of a delta had applied, and that it follows only if a delta does that is not there.
   *
   * @param position the place of the delta, from 1
   */
  async perhapsFollowed(position: number): Promise<number> {
    await this.#check();
    const number = await numberOfMoment(this.graph, position);
    return (await this.#besides(number)).filter((at) => this.#canFollow(number, at)).length;
  }

  /** The deltas that the author of a delta had applied, as its hash proves, and that the delta does not follow. */
  async #besides(number: number): Promise<readonly number[]> {
    const { isProven, state } = this.#agreements[number] as Agreement;
    if (isProven !== true || state.heads.length === 0) return [];
    return (await this.graph.difference([number, ...state.heads], [number], new Pause()))[0];
  }

  #canFollow(number: number, earlier: number): boolean {
    this.#gaps ??= new Gaps(this.graph, this.missing);
    return this.#gaps.canFollow(number, earlier);
  }

  #shownTime(number: number): number | undefined {
    const time = madeAt(this.graph, number);
    return time === Number.NEGATIVE_INFINITY ? undefined : time;
  }
}
