/**
 * Other orders in which this node may have applied concurrent operations. Each is made from a possible order: a few
 * operations change places, and the operations that must come before them move along.
 */
import type { ReplayOperation } from "./operations.js";
import type { Replay } from "./replay.js";

/** The number of operations that may change places. */
const MOST_MOVED = 128;
/** Bits of a word. */
const WORD = 32;
/** The number of mixed orders that are tried. */
const MOST_MIXED = 400;
/** The number of orders that are built in total, including repeated ones. */
const MOST_MADE = 2_000;

/** The new place of each operation that changes places. Lower numbers come first. */
export type Places = readonly number[];

/** The orders of a few operations among those of a replay. */
export class Orders {
  readonly #base: readonly ReplayOperation[];
  /** The few operations, in the order of the replay. */
  readonly #few: readonly ReplayOperation[];
  /** The operations that change places, in the order of the replay. */
  readonly #moved: readonly ReplayOperation[];
  readonly #words: number;
  /** For each operation, a bit for each moved operation that must come after it or is the same. */
  readonly #later: Uint32Array;

  /** @param few their numbers; if they are many, only the first of them change places */
  constructor(run: Pick<Replay, "operations" | "logs" | "sequence">, few: ReadonlySet<number>) {
    this.#base = run.sequence.order;
    this.#few = this.#base.filter(({ number }) => few.has(number));
    const first = new Set([...few].slice(0, MOST_MOVED));
    this.#moved = this.#few.filter(({ number }) => first.has(number));
    this.#words = Math.ceil(this.#moved.length / WORD);
    this.#later = this.#laterThan(run);
  }

  /** The number of operations in an order of the few. */
  get size(): number {
    return this.#few.length;
  }

  /** The few operations in an order. */
  few(places: Places): readonly ReplayOperation[] {
    return this.#sorted(this.#few, places);
  }

  /** All operations in an order. */
  all(places: Places): readonly ReplayOperation[] {
    return this.#sorted(this.#base, places);
  }

  /**
   * New orders of the few operations, without repetitions: each operation last, then each two operations last, then
   * mixed orders.
   */
  *places(): Generator<Places, void, undefined> {
    const { length } = this.#moved;
    const base = Array.from(this.#moved, (_, at) => at);
    const seen = new Set([this.#orderOf(base)]);
    let made = 0;
    const isNew = (places: Places): boolean => {
      if (++made > MOST_MADE) return false;
      const order = this.#orderOf(places);
      return !seen.has(order) && seen.add(order) !== undefined;
    };
    const useful: number[] = [];
    for (let at = 0; at < length; at++) {
      const places = this.#last(base, at);
      if (!isNew(places)) continue;
      useful.push(at);
      yield places;
    }
    if (useful.length === 0) return;
    for (const next of useful.toReversed()) {
      const before = this.#last(base, next);
      for (let at = 0; at < length; at++) {
        const places = this.#last(before, at);
        if (isNew(places)) yield places;
        if (made > MOST_MADE) return;
      }
    }
    for (let turn = 1; turn <= MOST_MIXED; turn++) {
      const places = base.map((at) => mixed(at, turn));
      if (isNew(places)) yield places;
    }
  }

  /** Moves an operation to the end, with the operations that must come after it. */
  #last(places: Places, moved: number): Places {
    return places.map((place, at) => (this.#isLater(moved, at) ? place + 2 * MOST_MOVED : place));
  }

  /** Returns whether a moved operation must come after another one, or is the same. */
  #isLater(before: number, after: number): boolean {
    const { number } = this.#moved[before] as ReplayOperation;
    const word = this.#later[number * this.#words + Math.floor(after / WORD)] as number;
    return (word & (1 << (after % WORD))) !== 0;
  }

  /** An order as a text: a character for the place of each operation. */
  #orderOf(places: Places): string {
    return String.fromCharCode(...this.#order(this.#moved, places));
  }

  #sorted(operations: readonly ReplayOperation[], places: Places): readonly ReplayOperation[] {
    return this.#order(operations, places).map((at) => operations[at] as ReplayOperation);
  }

  /**
   * The former places of the operations in their new order. An operation comes right before the first moved operation
   * that must come after it.
   */
  #order(operations: readonly ReplayOperation[], places: Places): number[] {
    const due = operations.map((operation) => this.#dueOf(operation, places));
    return Array.from(due.keys()).sort((a, b) => (due[a] as number) - (due[b] as number) || a - b);
  }

  #dueOf({ number }: ReplayOperation, places: Places): number {
    let due = Number.POSITIVE_INFINITY;
    for (let word = 0; word < this.#words; word++) {
      let bits = this.#later[number * this.#words + word] as number;
      for (; bits !== 0; bits &= bits - 1)
        due = Math.min(due, places[word * WORD + 31 - Math.clz32(bits & -bits)] as number);
    }
    return due;
  }

  #laterThan({ operations, logs, sequence }: ConstructorParameters<typeof Orders>[0]): Uint32Array {
    const { list } = operations;
    const words = this.#words;
    const later = new Uint32Array(list.length * words);
    for (const [at, { number }] of this.#moved.entries())
      later[number * words + Math.floor(at / WORD)]! |= 1 << (at % WORD);
    const logged = new Int32Array(list.length).fill(-1);
    for (const log of logs.values())
      for (const [at, { number }] of log.entries()) logged[number] = log[at - 1]?.number ?? -1;
    const taken = new Uint8Array(list.length);
    const isBefore = (number: number | undefined): number is number =>
      number !== undefined && number >= 0 && list[number] !== undefined && taken[number] === 0;
    for (const operation of this.#base.toReversed()) {
      const { number } = operation;
      taken[number] = 1;
      for (const before of [
        ...operations.parentsOf(operation),
        logged[number],
        sequence.ownBefore(operation)?.number,
      ])
        if (isBefore(before))
          for (let word = 0; word < words; word++)
            later[before * words + word]! |= later[number * words + word] as number;
    }
    return later;
  }
}

/** A number that orders operations in no particular way. */
function mixed(at: number, turn: number): number {
  const word = Math.imul((at + 1) ^ (turn << 10), 0x9e3779b1);
  return Math.imul(word ^ (word >>> 15), 0x85ebca6b) >>> 0;
}
