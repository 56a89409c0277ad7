/** The state of a context at any moment, from its deltas. Before core-1.0, each has a hash of its author's state. */
import { fromHex } from "../../bytes/hex.js";
import type { IdLike } from "../../bytes/id.js";
import { equalBytes } from "../../bytes/order.js";
import { isDate } from "../../bytes/realm.js";
import { once } from "../../node/tables/once.js";
import { Pause } from "../../pause.js";
import { checkpointOf, checkpointPosition, isUnconfirmed } from "./base.js";
import {
  type Certainty,
  compared,
  type DeltaOfState,
  type ReplayPosition,
  unknownState,
} from "./certainty.js";
import type { DeltaSet, ReplayCursor } from "./cursor.js";
import type { Deltas } from "./deltas.js";
import { FollowersOfBase, Gaps } from "./gaps.js";
import type { DeltaGraph } from "./graph.js";
import { madeAt, numberOfMoment, placeOfMoment, type ReplayMoment } from "./moment.js";
import type { ReplayedDelta } from "./packed-deltas.js";
import type { RecordedRoot } from "./record.js";
import { ReplayedTree } from "./tree.js";
import { Verdicts } from "./verdicts.js";

const NOTHING: ReadonlySet<number> = new Set();

/** @internal The parts of a replay. */
export interface ReplayParts extends Deltas {
  readonly contextId: string;
  readonly graph: DeltaGraph;
  readonly cursor: ReplayCursor;
  readonly base:
    | { readonly rootHash: Uint8Array | undefined; readonly unknown: ReadonlySet<string> }
    | undefined;
  readonly record: readonly RecordedRoot[];
}

/** The deltas of a context in causal order, and its state after any of them. Concurrent deltas are in the order of their times. */
export class ContextReplay {
  /** The context's id, 64 hex digits. */
  readonly contextId: string;
  /** Deltas that the node has not applied, in no order. */
  readonly pending: readonly ReplayedDelta[];
  /**
   * The root hash of the state before the first delta according to a checkpoint, 32 bytes; undefined without a
   * checkpoint. Of several checkpoints, the one that agrees with the rows counts, or else the one that the first deltas
   * follow.
   */
  readonly checkpoint: Uint8Array | undefined;
  /**
   * The ids of checkpoints, 64 hex digits each: the state before the first delta includes these deltas and all their
   * ancestors.
   */
  readonly checkpointIds: readonly string[];
  /**
   * The ids of missing deltas that heads or applied deltas name, 64 hex digits each. If the node joined by a snapshot
   * or pruned its history, the state before the first delta includes them.
   */
  readonly missing: readonly string[];
  /**
   * True if the replay begins with a state: the history does not begin with the context's first delta, or has a
   * checkpoint.
   */
  readonly isJoined: boolean;
  /** The root hash of the state before the first delta, 32 bytes; undefined if it is not known. */
  readonly baseHash: Uint8Array | undefined;
  /** @internal */
  readonly graph: DeltaGraph;
  /** @internal The entities of the state that was moved to. */
  readonly tree: ReplayedTree;
  readonly #cursor: ReplayCursor;
  readonly #parts: Pick<ReplayParts, "base" | "record" | "rootHash" | "checkpoints">;
  #gaps: Gaps | undefined;
  readonly #verdicts = once(() => this.#judgeAll());
  /** @internal The deltas that follow everything in the state with which the replay begins; undefined without one. */
  readonly followersOfBase = once(async () =>
    this.isJoined
      ? FollowersOfBase.of(this.graph, new Set([...this.missing, ...this.checkpointIds]))
      : undefined,
  );

  /** @internal */
  constructor(parts: ReplayParts) {
    const { contextId, graph, cursor, base, pending, checkpoints, missing } = parts;
    this.#parts = parts;
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

  /** @internal True if the state before the first delta comes from the present rows alone. */
  get isOfRows(): boolean {
    return this.missing.length > 0 && isUnconfirmed(this.#parts);
  }

  /** The number of deltas that are applied. */
  get length(): number {
    return this.graph.deltas.length;
  }

  /** All deltas in causal order, with their verdicts. The first call replays all. */
  async positions(): Promise<readonly ReplayPosition[]> {
    const pause = new Pause();
    const positions: ReplayPosition[] = [];
    for (const number of this.graph.deltas.keys()) {
      if (pause.isLong) await pause.ifLong();
      positions.push(await this.#position(number));
    }
    return positions;
  }

  /**
   * The delta of a moment, with the verdict on the state then. For a time, the last delta until then, and the state of
   * a node with all deltas until then. For a checkpoint, the state before the first delta. May move the replay.
   *
   * @throws MerostoreError `INVALID_ARGUMENT` for a moment before the first delta, and for an unknown or ambiguous id
   */
  async position(moment: ReplayMoment): Promise<ReplayPosition> {
    // Refuses a wrong moment before the replay begins.
    const number = await placeOfMoment(this.graph, moment, this.checkpointIds);
    if (typeof number === "string")
      return checkpointPosition(number, this.length, this.#parts.checkpoints, this.baseHash);
    const verdicts = await this.#verdicts();
    const position = await this.#position(number);
    if (!isDate(moment)) return position;
    return { ...position, ...(await verdicts.ofState(await this.#headsOfTime(moment), number, position)) };
  }

  /** The certainty of the state after the first deltas in causal order. May move the replay. */
  async certaintyOfFirst(count: number): Promise<Certainty> {
    const verdicts = await this.#verdicts();
    if (count === 0) return this.#certaintyOfBase();
    const number = await numberOfMoment(this.graph, count, this.checkpointIds);
    const heads = await this.graph.headsWhere((at) => at <= number);
    return verdicts.ofState(heads, number, await this.#position(number));
  }

  /**
   * Moves to the state at a moment. At a delta it is the state of its author after the delta. At a time it is the state of a
   * node that has all deltas that were made until then.
   *
   * @throws MerostoreError `INVALID_ARGUMENT` for a moment before the first delta, and for an id that is unknown or not unique
   */
  async moveTo(moment: ReplayMoment): Promise<void> {
    const number = await placeOfMoment(this.graph, moment, this.checkpointIds);
    if (typeof number === "string") return this.moveToFirst(0);
    if (isDate(moment)) {
      await this.#moveTo({ heads: await this.#headsOfTime(moment), leftOut: NOTHING });
      return;
    }
    await this.#moveTo((await this.#verdicts()).stateAfter(number));
  }

  /** Moves to the state on which the author of a delta worked, without the delta. */
  async moveToBefore(delta: IdLike | number): Promise<void> {
    const number = await numberOfMoment(this.graph, delta, this.checkpointIds);
    const { heads, ...state } = (await this.#verdicts()).agreement(number).state;
    const before = [...this.graph.parents(number), ...heads];
    await this.#cursor.moveTo({ ...state, heads: before, lostBefore: number });
  }

  /** Moves to the state after the first deltas in causal order; after all deltas without a number. */
  async moveToFirst(count = this.length): Promise<void> {
    const heads = await this.graph.headsWhere((number) => number < count);
    await this.#moveTo({ heads, leftOut: NOTHING });
  }

  /**
   * @internal Applies all deltas in causal order, one by one. Yields the numbers of the entities that each delta
   * changed. The entities of the state before the first delta come first.
   */
  async *steps(): AsyncGenerator<readonly number[], void, undefined> {
    const { tree } = this.#cursor;
    await this.#cursor.moveTo({ heads: [], leftOut: NOTHING });
    yield Array.from({ length: tree.size }, (_, id) => id).filter((id) => tree.has(id));
    for (const number of this.graph.deltas.keys()) {
      const before = tree.changes;
      await this.#cursor.applyNext(number);
      yield tree.changedSince(before);
    }
  }

  #headsOfTime(time: Date): Promise<readonly number[]> {
    return this.graph.headsWhere((at) => madeAt(this.graph, at) <= time.getTime());
  }

  async #moveTo(state: DeltaSet): Promise<void> {
    await this.#cursor.moveTo(state);
    const { tree } = this.#cursor;
    await tree.computeHash(tree.numberOf(fromHex(this.contextId)), new Pause());
  }

  /** @internal Moves to the state after some deltas and all their ancestors; false if one of them is not there. */
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

  /** The root hash of the state at the current position, 32 bytes; undefined if it is not known. */
  get rootHash(): Uint8Array | undefined {
    return this.tree.hash(this.contextId);
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

  async #judgeAll(): Promise<Verdicts> {
    const { record, rootHash, base, checkpoints } = this.#parts;
    const isBase = (hash: Uint8Array): boolean =>
      base?.rootHash !== undefined && equalBytes(hash, base.rootHash);
    const followers = await this.followersOfBase();
    return Verdicts.of({
      graph: this.graph,
      cursor: this.#cursor,
      root: this.#cursor.tree.numberOf(fromHex(this.contextId)),
      hasUnknown: (base?.unknown.size ?? 0) > 0,
      followsBase: (number) => followers?.has(number) !== false,
      roots: {
        now: rootHash,
        checkpoint: [...checkpoints].find(([, hash]) => isBase(hash))?.[0],
        isOfRows: this.isOfRows,
        record: record.filter(({ context }) => context === this.contextId),
      },
    });
  }

  async #position(number: number): Promise<ReplayPosition> {
    const { id, author: by } = this.graph.deltas[number] as ReplayedDelta;
    const verdicts = await this.#verdicts();
    const { isProven, state } = verdicts.agreement(number);
    const idsOf = (numbers: readonly number[]): string[] =>
      numbers.map((at) => (this.graph.deltas[at] as ReplayedDelta).id);
    const isKnown = isProven === true;
    const unnamed = (await this.#besides(number)).filter((at) => !this.#canFollow(number, at));
    const leftOut = isKnown ? await this.#followedAmong(number, [...state.leftOut]) : [];
    const taken = isKnown ? (state.taken ?? []) : [];
    const isNamed = unnamed.length === 0 && leftOut.length === 0 && taken.length === 0;
    const proven = isNamed ? "proven" : "proven-with-unnamed";
    const author = { unknown: undefined, witnesses: [{ kind: "author" }] } as const;
    return {
      position: number + 1,
      of: this.length,
      delta: id,
      time: this.#shownTime(number),
      author: by,
      ...(isKnown ? { verdict: proven, ...author } : await verdicts.unproven(number)),
      unnamed: idsOf(unnamed.toReversed()),
      leftOut: idsOf(leftOut),
      takenOver: taken.map(({ id }) => this.tree.byNumber.nameOf(id)),
    };
  }

  async #followedAmong(number: number, numbers: readonly number[]): Promise<readonly number[]> {
    const inOrder = numbers.toSorted((a, b) => a - b);
    const others = new Set(await this.graph.notFollowed([number], inOrder, new Pause()));
    return numbers.filter((at) => !others.has(at));
  }

  /** @internal The deltas in `earlier`, in ascending order, that the author of a delta had certainly not applied. */
  async notApplied(number: number, earlier: readonly number[]): Promise<readonly number[]> {
    const { isProven, state } = (await this.#verdicts()).agreement(number);
    const isKnown = isProven === true;
    const by = isKnown ? [number, ...state.heads] : [number];
    const others = new Set(await this.graph.notFollowed(by, earlier, new Pause()));
    return earlier.filter((at) =>
      others.has(at) ? !this.#canFollow(number, at) : isKnown && state.leftOut.has(at),
    );
  }

  /** The ids of the lost parents of a delta, whose writes are applied with it. Empty for a node that joined. */
  lostBefore(position: number): readonly string[] {
    const { graph, isJoined } = this;
    if (isJoined || !graph.lacksParents(position - 1)) return [];
    return (graph.deltas[position - 1]?.parents ?? []).filter((id) => graph.numberOf(id) === undefined);
  }

  #certaintyOfBase(): Certainty {
    const { isJoined, baseHash, checkpoint, checkpointIds } = this;
    if (!isJoined) return { verdict: "proven", unknown: undefined, witnesses: [] };
    if (baseHash === undefined) return unknownState("older data");
    const [delta = ""] = checkpointIds;
    if (checkpoint === undefined || this.isOfRows) return unknownState("no beginning");
    return compared(equalBytes(baseHash, checkpoint), { kind: "checkpoint", delta });
  }

  /**
   * @internal The number of deltas that the author of a delta had applied, and that it follows only through a missing
   * delta.
   *
   * @param position the place of the delta, from 1
   */
  async perhapsFollowed(position: number): Promise<number> {
    const number = await numberOfMoment(this.graph, position, this.checkpointIds);
    return (await this.#besides(number)).filter((at) => this.#canFollow(number, at)).length;
  }

  /** The deltas that the author of a delta had applied, as its hash proves, and that the delta does not follow. */
  async #besides(number: number): Promise<readonly number[]> {
    const verdicts = await this.#verdicts();
    const { isProven, state } = verdicts.agreement(number);
    if (isProven !== true || state.heads.length === 0) return [];
    return [...(await this.graph.difference([number, ...state.heads], [number], new Pause()))[0]];
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
