/**
 * The certainty of the states of a context. Compares a replay with the root hashes in deltas and from other sources.
 */
import { equalBytes } from "../../bytes/order.js";
import { Pause } from "../../pause.js";
import { type Agreement, AuthorStates } from "./author-states.js";
import { between, type Certainty, compared, type UnknownBecause, unknownState } from "./certainty.js";
import type { DeltaSet, ReplayCursor } from "./cursor.js";
import type { DeltaGraph } from "./graph.js";
import { type KnownRoots, Witnesses } from "./witnesses.js";

/** A replay with the states to judge. */
interface JudgedReplay {
  readonly graph: DeltaGraph;
  readonly cursor: ReplayCursor;
  /** The number of the context's root entity. */
  readonly root: number;
  /** True if the state before the first delta has data that is not known. */
  readonly hasUnknown: boolean;
  /** Tells whether a delta follows everything in the state before the first delta. */
  readonly followsBase: (number: number) => boolean;
  /** The root hashes from other sources than deltas. */
  readonly roots: KnownRoots;
}

/** The verdicts on the states of a context. Each call may move the replay. */
export class Verdicts {
  readonly #replay: JudgedReplay;
  readonly #agreements: Agreement[] = [];
  /** Deltas without a hash after which some data is not known, with the reason. */
  readonly #unknown = new Map<number, UnknownBecause>();
  /** 1 for each delta with unreadable changes, and for its descendants. */
  readonly #unread: Uint8Array;
  #witnesses!: Witnesses;

  private constructor(replay: JudgedReplay) {
    this.#replay = replay;
    this.#unread = new Uint8Array(replay.graph.deltas.length);
  }

  /** Replays all deltas. */
  static async of(replay: JudgedReplay): Promise<Verdicts> {
    const verdicts = new Verdicts(replay);
    await verdicts.#judgeAll();
    return verdicts;
  }

  async #judgeAll(): Promise<void> {
    const { graph, cursor, root, hasUnknown, roots } = this.#replay;
    const { tree } = cursor;
    const pause = new Pause();
    const authors = await AuthorStates.of(graph, cursor, root, pause);
    const [agreements, unread] = [this.#agreements, this.#unread];
    for (const [number, { hasActions }] of graph.deltas.entries()) {
      if (!hasActions || graph.parents(number).some((parent) => unread[parent] === 1)) unread[number] = 1;
      const agreement = await authors.find(number, pause);
      agreements.push(agreement);
      if (agreement.hasHash) continue;
      if (cursor.isGuess) this.#unknown.set(number, "merge");
      if (!(hasUnknown || cursor.leftToApplication)) continue;
      await tree.computeHash(root, pause);
      if (tree.hash(root) === undefined)
        this.#unknown.set(number, cursor.leftToApplication ? "merge" : "older data");
    }
    const rootHashAfter = (heads: readonly number[]) =>
      rootHashIn(this.#replay, { heads, leftOut: new Set() });
    // The present root hash is not needed if each delta has one.
    const now = agreements.every(({ hasHash }) => hasHash) ? undefined : roots.now;
    this.#witnesses = await Witnesses.of({ graph, rootHashAfter }, { ...roots, now });
  }

  /** The agreement of the replay with the hash in a delta, and the state on which its author probably worked. */
  agreement(number: number): Agreement {
    return this.#agreements[number] as Agreement;
  }

  /** The state of the author after a delta. */
  stateAfter(number: number): DeltaSet {
    const { heads, ...state } = this.agreement(number).state;
    return { ...state, heads: [number, ...heads] };
  }

  /** The certainty of the author's state after a delta, if the hash in the delta does not prove it. */
  async unproven(number: number): Promise<Certainty> {
    const { isProven, hasHash } = this.agreement(number);
    const { heads, leftOut } = this.stateAfter(number);
    const found =
      leftOut.size === 0 ? this.#exact(await this.#replay.graph.headsAmong(heads), number) : undefined;
    if (found !== undefined) return found;
    if (this.#unread[number] === 1) return unknownState("unread");
    // Its author need not have had all deltas in the state before the first one.
    if (isProven === false && !this.#replay.followsBase(number)) return unknownState("older data");
    if (isProven === false) return compared(false, { kind: "author" });
    const unknown = hasHash ? "older data" : this.#unknown.get(number);
    if (unknown !== undefined) return unknownState(unknown);
    return this.#between(number);
  }

  /**
   * The certainty of the state after some deltas.
   *
   * @param number the last of them
   * @param ofAuthor the certainty of the state of its author after it
   */
  async ofState(heads: readonly number[], number: number, ofAuthor: Certainty): Promise<Certainty> {
    const found = this.#exact(heads, number);
    if (found !== undefined) return found;
    if (heads.some((head) => this.#unread[head] === 1)) return unknownState("unread");
    const theirs = await rootHashIn(this.#replay, this.stateAfter(number));
    const reached = await rootHashIn(this.#replay, { heads, leftOut: new Set() });
    if (this.#replay.cursor.isGuess) return unknownState("merge");
    if (theirs !== undefined && reached !== undefined && equalBytes(theirs, reached)) return ofAuthor;
    if (this.agreement(number).hasHash) return unknownState("no hash");
    if (reached === undefined)
      return unknownState(this.#replay.cursor.leftToApplication ? "merge" : "older data");
    return this.#between(number);
  }

  #between(number: number): Certainty {
    return between(this.#witnesses.around(number), this.#replay.roots.isOfRows ? "no beginning" : "no hash");
  }

  /**
   * The certainty of the state after some deltas, by a root hash of exactly this state. `number` is the last of the
   * deltas.
   */
  #exact(heads: readonly number[], number: number): Certainty | undefined {
    const found = this.#witnesses.recorded(heads);
    if (found !== undefined) return compared(found.agrees, found.witness);
    const isOther = !this.agreement(number).hasHash && this.#witnesses.contradictsRows(heads);
    return isOther ? compared(false, { kind: "rows" }) : undefined;
  }
}

/** Moves to a state. Returns its root hash; undefined if it is not known. */
async function rootHashIn(
  { cursor, root }: Pick<JudgedReplay, "cursor" | "root">,
  state: DeltaSet,
): Promise<Uint8Array | undefined> {
  await cursor.moveTo(state);
  await cursor.tree.computeHash(root, new Pause());
  return cursor.tree.hash(root);
}
