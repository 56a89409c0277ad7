/**
 * The author of a delta worked on the state after the delta's parents and all their ancestors, with two exceptions. A
 * node does not name heads that it has applied but not yet stored. It names deltas with signed changes that it cannot
 * check yet, and so has not applied.
 *
 * @upstream context/src/handlers/execute/mod.rs:2240-2270; storage/src/collections/root.rs:586
 */

import { equalBytes } from "../../bytes/order.js";
import { append } from "../../collections/lists.js";
import type { Pause } from "../../pause.js";
import type { DeltaSet, ReplayCursor } from "./cursor.js";
import type { DeltaGraph } from "./graph.js";
import type { ReplayedDelta } from "./packed-deltas.js";
import { isNews, pairedParts, partsOf, takeable, type WrittenEntity } from "./taken-over.js";

/** The numbers of concurrent deltas that are tried alone, in pairs, and in threes: the nearest in time. */
const [MOST_ALONE, MOST_IN_PAIRS, MOST_IN_TRIPLES] = [60, 20, 12];

/** Sets that are tried for all deltas of a context. */
const MOST_TRIES = 50_000;
/**
 * The most deltas for which the search for taken-over entities may fail. After a change that no delta explains, it
 * fails for all later deltas, and each search costs up to thousands of states.
 */
const MOST_FAILURES = 2;

/**
 * The most deltas in a row for which no state was found; for later deltas, few states are tried. After a falsified
 * change, the search fails for all later deltas.
 */
const MOST_IN_A_ROW = 4;

/** The most other nodes that an author may have taken entities from: the nodes with the newest deltas. */
const MOST_OTHERS = 8;

/** The most deltas of another node whose entities may have been taken over. */
const MOST_DELTAS = 1000;

/** Deltas before one that may be left out. */
const REACH = 500;

const NOTHING: DeltaSet = { heads: [], leftOut: new Set() };

/** The agreement of a replay with the hash of a delta's author. */
export interface Agreement {
  /**
   * True if it equals the hash of the replay; undefined if the delta carries no hash, or data below the base is
   * unknown.
   */
  readonly isProven: boolean | undefined;
  /** True if the delta carries the author's hash. */
  readonly hasHash: boolean;
  /** The state on which the author probably worked. */
  readonly state: DeltaSet;
}

/** Finds the states of authors. Deltas are asked for in causal order. */
export class AuthorStates {
  readonly #graph: DeltaGraph;
  readonly #cursor: ReplayCursor;
  readonly #root: number;
  /** The deltas that each author is known to have applied. These sets only grow. */
  readonly #last = new Map<string, DeltaSet>();
  /** The states before the newest deltas. */
  readonly #earlier: { readonly author: string; readonly state: DeltaSet }[] = [];
  /**
   * The authors of clocks. Deltas without an author have the clock of their node, and a node gets a new clock at each
   * start.
   */
  readonly #authors = new Map<string, string>();
  #tries = 0;
  /** The number of deltas for which no taken-over entities were found. */
  #failures = 0;
  /** The number of last deltas in a row for which no state was found. */
  #inARow = 0;

  private constructor(graph: DeltaGraph, cursor: ReplayCursor, root: number) {
    this.#graph = graph;
    this.#cursor = cursor;
    this.#root = root;
  }

  /** @param root the number of the context's root entity */
  static async of(
    graph: DeltaGraph,
    cursor: ReplayCursor,
    root: number,
    pause: Pause,
  ): Promise<AuthorStates> {
    const states = new AuthorStates(graph, cursor, root);
    for (const { clock, author, signer } of graph.deltas) {
      if (pause.isLong) await pause.ifLong();
      const [by, name] = [author ?? signer, clockName(clock)];
      if (by !== undefined && !states.#authors.has(name)) states.#authors.set(name, by);
    }
    return states;
  }

  /** Finds the state of a delta's author. */
  async find(number: number, pause: Pause): Promise<Agreement> {
    const author = this.#authorOf(number);
    const before = this.#last.get(author) ?? NOTHING;
    await pause.ifLong();
    let agreement: Agreement = { ...(await this.#try(number, before)), state: before };
    // Other states do not help if data below the base is unknown.
    if (agreement.isProven === false) {
      const found = await this.#search(number, before, pause);
      if (found !== undefined) agreement = { isProven: true, hasHash: true, state: found };
    }
    if (agreement.isProven === false) this.#inARow++;
    else if (agreement.isProven === true) this.#inARow = 0;
    const state = await this.#withoutCovered(number, agreement.state, pause);
    const heads = await this.#graph.headsAmong([...this.#graph.parents(number), ...state.heads]);
    this.#earlier.push({ author, state: { ...state, heads } });
    if (this.#earlier.length > 4 * MOST_OTHERS) this.#earlier.shift();
    this.#last.set(author, { ...state, heads: await this.#graph.headsAmong([number, ...state.heads]) });
    return { ...agreement, state };
  }

  /**
   * A state that gives the author's hash; undefined if none is found. The likeliest and cheapest states are tried
   * first.
   */
  async #search(number: number, before: DeltaSet, pause: Pause): Promise<DeltaSet | undefined> {
    const isHopeless = this.#inARow >= MOST_IN_A_ROW;
    const mayTake = this.#failures < MOST_FAILURES;
    const likely = await this.#firstOf(number, this.#likely(number, before, isHopeless), pause);
    if (likely !== undefined) return likely;
    const sets = mayTake ? await this.#handedOver(number, before, pause) : [];
    const found =
      (await this.#withTaken(number, before, partsOf(sets), pause)) ??
      (isHopeless ? undefined : await this.#firstOf(number, this.#further(number, before), pause)) ??
      (await this.#withTaken(number, before, pairedParts(sets), pause));
    if (found === undefined && mayTake) this.#failures++;
    return found;
  }

  /**
   * The state with the first set of entities that gives the author's hash; with the deltas that wrote them, if these
   * give it too.
   */
  async #withTaken(
    number: number,
    before: DeltaSet,
    sets: Iterable<readonly WrittenEntity[]>,
    pause: Pause,
  ): Promise<DeltaSet | undefined> {
    for (const some of sets) {
      const state = { ...before, taken: [...(before.taken ?? []), ...some] };
      if ((await this.#firstOf(number, [state], pause)) === undefined) continue;
      const writers = new Set(some.map(({ writer }) => writer));
      return (await this.#firstOf(number, [and(before, ...writers)], pause)) ?? state;
    }
    return undefined;
  }

  /** The first of some states that gives the author's hash. */
  async #firstOf(number: number, states: Iterable<DeltaSet>, pause: Pause): Promise<DeltaSet | undefined> {
    for (const state of states) {
      // The state that the delta names costs little, and belongs to each delta.
      if (state !== NOTHING && ++this.#tries > MOST_TRIES) return undefined;
      await pause.ifLong();
      if ((await this.#try(number, state)).isProven) return state;
    }
    return undefined;
  }

  /** A state without the entities that it took over before their deltas came. */
  async #withoutCovered(number: number, state: DeltaSet, pause: Pause): Promise<DeltaSet> {
    if (state.taken === undefined) return state;
    const heads = [...this.#graph.parents(number), ...state.heads];
    const taken: WrittenEntity[] = [];
    for (const one of state.taken) {
      const [missing] = await this.#graph.difference([one.writer], heads, pause);
      if (missing.length > 0) taken.push(one);
    }
    return { ...state, taken };
  }

  /** The author of a delta, or else of another delta with the same clock. */
  #authorOf(number: number): string {
    const { author, clock } = this.#graph.deltas[number] as ReplayedDelta;
    return author ?? this.#authors.get(clockName(clock)) ?? clockName(clock);
  }

  /** True if a state gives the author's hash; undefined if that is not known. */
  async #try(number: number, state: DeltaSet): Promise<Omit<Agreement, "state">> {
    await this.#moveBefore(number, state);
    const { reached, expected } = await this.#cursor.applyAsAuthor(number);
    const hasHash = expected !== undefined;
    const isProven = hasHash && reached !== undefined ? equalBytes(reached, expected) : undefined;
    return { isProven, hasHash };
  }

  #moveBefore(number: number, { heads, ...state }: DeltaSet): Promise<void> {
    return this.#cursor.moveTo({ ...state, heads: [...this.#graph.parents(number), ...heads] });
  }

  /** Sets of entities that other nodes would hand over to the node of a delta's author, the likeliest first. */
  async #handedOver(
    number: number,
    before: DeltaSet,
    pause: Pause,
  ): Promise<readonly (readonly WrittenEntity[])[]> {
    const author = this.#authorOf(number);
    const newest = [...this.#last].filter(([other]) => other !== author).map(([, state]) => state);
    const earlier = this.#earlier.filter((other) => other.author !== author).map(({ state }) => state);
    const sets = new Map<string, readonly WrittenEntity[]>();
    for (const other of [...newest.slice(-MOST_OTHERS), ...earlier.slice(-MOST_OTHERS).reverse()]) {
      if (++this.#tries > MOST_TRIES) break;
      const news = await this.#newsFor(number, before, other, pause);
      const name = news.map(({ id, writer }) => `${id} ${writer}`).join();
      if (news.length > 0 && !sets.has(name)) sets.set(name, news);
    }
    return [...sets.values()];
  }

  /** The entities that another node would hand over to the node of a delta's author. */
  async #newsFor(
    number: number,
    before: DeltaSet,
    other: DeltaSet,
    pause: Pause,
  ): Promise<readonly WrittenEntity[]> {
    const heads = [...this.#graph.parents(number), ...before.heads];
    const [only] = await this.#graph.difference(other.heads, heads, pause);
    if (only.length > MOST_DELTAS) return [];
    // The tree moves over these, there and back.
    this.#tries += only.length;
    if (this.#tries > MOST_TRIES) return [];
    const { tree } = this.#cursor;
    await this.#cursor.moveTo(other);
    const ids = new Set(other.taken?.map(({ id }) => id));
    for (const delta of only)
      for (const { id } of this.#graph.deltas[delta]?.actions ?? []) {
        if (pause.isLong) await pause.ifLong();
        ids.add(tree.numberOf(id));
      }
    const found = await takeable(tree, this.#root, ids, pause);
    await this.#moveBefore(number, before);
    return found.filter((entity) => isNews(tree, entity));
  }

  /** Other states that an author may have worked on, the likeliest first. */
  *#likely(number: number, before: DeltaSet, isHopeless: boolean): Generator<DeltaSet, void, undefined> {
    const parents = this.#graph.parents(number);
    const isNothing =
      before.heads.every((head) => parents.includes(head)) &&
      before.leftOut.size === 0 &&
      before.taken === undefined;
    if (!isNothing) yield NOTHING;
    const beside = this.#beside(number);
    for (const one of beside) yield and(before, one);
    if (isHopeless) return;
    const signed = [...this.#signedByOthers(number, before).values()];
    for (const all of signed) yield without(before, all);
    for (const all of signed) for (const one of beside) yield and(without(before, all), one);
    for (const one of this.#nearest(number, signed.flat()).slice(0, MOST_ALONE)) {
      yield without(before, [one]);
      for (const other of beside.slice(0, MOST_IN_PAIRS)) yield and(without(before, [one]), other);
    }
  }

  /** Further states, which are many. */
  *#further(number: number, before: DeltaSet): Generator<DeltaSet, void, undefined> {
    const beside = this.#beside(number);
    const sets = [
      ...olderThanMoments(beside),
      ...pairs(beside.slice(0, MOST_IN_PAIRS)),
      ...triples(beside.slice(0, MOST_IN_TRIPLES)),
    ];
    for (const set of sets) yield and(before, ...set);
    if (before.leftOut.size > 0) yield { ...before, leftOut: NOTHING.leftOut };
    if (before === NOTHING) return;
    for (const one of beside) yield and(NOTHING, one);
    for (const set of sets) yield and(NOTHING, ...set);
  }

  /** The signed deltas of others that are not left out yet, by their author. */
  #signedByOthers(number: number, { leftOut }: DeltaSet): ReadonlyMap<string, readonly number[]> {
    const author = this.#authorOf(number);
    const byAuthor = new Map<string, number[]>();
    for (let at = Math.max(0, number - REACH); at < number; at++) {
      if (leftOut.has(at) || this.#graph.deltas[at]?.isSigned !== true) continue;
      const signer = this.#authorOf(at);
      if (signer === author) continue;
      append(byAuthor, signer, at);
    }
    return byAuthor;
  }

  /** The concurrent deltas of a delta, the nearest in time first. */
  #beside(number: number): readonly number[] {
    return this.#nearest(number, [...this.#graph.beside(number, 2 * MOST_ALONE)]).slice(0, MOST_ALONE);
  }

  #nearest(number: number, others: readonly number[]): readonly number[] {
    const time = (at: number): bigint => this.#graph.deltas[at]?.time ?? 0n;
    const distance = (at: number): number => Math.abs(Number(time(at) - time(number)));
    return others.toSorted((a, b) => distance(a) - distance(b) || a - b);
  }
}

/** A state with more deltas. */
function and({ heads, ...state }: DeltaSet, ...more: readonly number[]): DeltaSet {
  return { ...state, heads: [...heads, ...more] };
}

/** A state without some deltas. */
function without({ leftOut, ...state }: DeltaSet, deltas: readonly number[]): DeltaSet {
  return { ...state, leftOut: new Set([...leftOut, ...deltas]) };
}

function* olderThanMoments(beside: readonly number[]): Generator<readonly number[], void, undefined> {
  const inOrder = beside.toSorted((a, b) => a - b);
  for (let count = inOrder.length; count > 1; count--) yield inOrder.slice(0, count);
}

function* pairs(of: readonly number[]): Generator<readonly number[], void, undefined> {
  for (const [at, one] of of.entries()) for (const other of of.slice(at + 1)) yield [one, other];
}

function* triples(of: readonly number[]): Generator<readonly number[], void, undefined> {
  for (const [at, one] of of.entries()) for (const pair of pairs(of.slice(at + 1))) yield [one, ...pair];
}

/**
 * A name of a clock. Authors choose the numbers of clocks, and the hashes of numbers in a map are predictable. The
 * hashes of texts are not.
 */
function clockName({ id }: ReplayedDelta["clock"]): string {
  return `clock ${id}`;
}
