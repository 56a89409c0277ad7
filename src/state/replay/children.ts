/** The children of the entities of a replay. Entities are numbers. */

import { ID_BYTES, type IdTable } from "../../bytes/id-table.js";
import { compareBigints } from "../../bytes/order.js";
import { firstNotBefore } from "../../bytes/search.js";
import { NumberColumn, NumberList, TimeColumn } from "../../collections/columns.js";

/** The order of children in which their hashes count. */
export type ChildOrder = "id" | "creation" | "trie";

/** The children of an entity in their order, except for children that changed since. */
interface List {
  sorted: Uint32Array;
  changed: NumberList;
  /** The changed children that also changed below another entity. */
  readonly further: Set<number>;
}

/** Children that are sorted, merged or looked at in one step. */
const STEP = 2048;

/** Changed children that are looked for among the others. */
const FEW = 8;

const NONE = new Uint32Array(0);

/** The children that live of all entities. */
export class Children {
  readonly #order: ChildOrder;
  readonly #ids: IdTable;
  readonly #lists = new Map<number, List>();
  /** By the number of a child: its parent plus 1; 0 without a parent. */
  readonly #parents = new NumberColumn();
  readonly #created = new TimeColumn();
  /** By the number of a child: the parent below which it changed first, plus 1; 0 if it has not changed. */
  readonly #changed = new NumberColumn();
  /** Further parents of an entity, as after a write below another parent: few. */
  readonly #more = new Map<number, Map<number, bigint>>();

  /** @param ids the ids of entities: the numbers of ids are the numbers of entities */
  constructor(order: ChildOrder, ids: IdTable) {
    this.#order = order;
    this.#ids = ids;
  }

  /** The time of creation that an entity has for a child; undefined if it has no such child. */
  createdAt(parent: number, id: number): bigint | undefined {
    return this.#parents.get(id) === parent + 1 ? this.#created.get(id) : this.#more.get(id)?.get(parent);
  }

  /** Returns true if an entity has a child. */
  has(parent: number, id: number): boolean {
    return this.#parents.get(id) === parent + 1 || this.#more.get(id)?.has(parent) === true;
  }

  /** Calls with each entity that has one as its child. */
  eachParent(id: number, call: (parent: number) => void): void {
    const parent = this.#parents.get(id);
    if (parent !== 0) call(parent - 1);
    for (const other of this.#more.get(id)?.keys() ?? []) call(other);
  }

  /** Adds a child, gives it another time of creation, or removes it. */
  set(parent: number, id: number, createdAt: bigint | undefined): void {
    const first = this.#parents.get(id);
    if (first === parent + 1 || (first === 0 && createdAt !== undefined)) {
      this.#parents.set(id, createdAt === undefined ? 0 : parent + 1);
      if (createdAt !== undefined) this.#created.set(id, createdAt);
    } else this.#setFurther(parent, id, createdAt);
    let list = this.#lists.get(parent);
    if (list === undefined) {
      list = { sorted: NONE, changed: new NumberList(), further: new Set() };
      this.#lists.set(parent, list);
    }
    if (this.#hasChanged(parent, list, id)) return;
    if (this.#changed.get(id) === 0) this.#changed.set(id, parent + 1);
    else list.further.add(id);
    list.changed.push(id);
  }

  #hasChanged(parent: number, { further }: List, id: number): boolean {
    return this.#changed.get(id) === parent + 1 || (further.size > 0 && further.has(id));
  }

  #setFurther(parent: number, id: number, createdAt: bigint | undefined): void {
    const more = this.#more.get(id);
    if (createdAt !== undefined) {
      if (more === undefined) this.#more.set(id, new Map([[parent, createdAt]]));
      else more.set(parent, createdAt);
    } else if (more?.delete(parent) && more.size === 0) this.#more.delete(id);
  }

  /** The children of an entity in the order in which their hashes count. */
  sorted(parent: number): Uint32Array {
    for (const _ of this.sorting(parent));
    return this.#lists.get(parent)?.sorted ?? NONE;
  }

  /** Puts the children of an entity in order, step by step. Nothing may change until the last one. */
  *sorting(parent: number): Generator<void, void, undefined> {
    const list = this.#lists.get(parent);
    if (list === undefined || list.changed.length === 0) return;
    const changed = list.changed.view;
    const compare = this.#comparison(parent);
    const runs: Uint32Array[] = [];
    let run: number[] = [];
    for (const [at, id] of changed.entries()) {
      if (this.has(parent, id)) run.push(id);
      if (at % STEP < STEP - 1) continue;
      runs.push(Uint32Array.from(run.sort(compare)));
      run = [];
      yield;
    }
    runs.push(Uint32Array.from(run.sort(compare)));
    while (runs.length > 1) {
      const [a, b] = runs.splice(0, 2) as [Uint32Array, Uint32Array];
      runs.push(yield* merging(a, b, compare));
    }
    const kept = changed.length > FEW ? yield* this.#others(parent, list) : without(list.sorted, changed);
    const [first = NONE] = runs;
    list.sorted = yield* merging(kept, first, compare);
    list.changed = new NumberList();
    list.further.clear();
    for (const [at, id] of changed.entries()) {
      if (at % STEP === STEP - 1) yield;
      if (this.#changed.get(id) === parent + 1) this.#changed.set(id, 0);
    }
  }

  /** The sorted children that have not changed. */
  *#others(parent: number, list: List): Generator<void, Uint32Array, undefined> {
    const others = new Uint32Array(list.sorted.length);
    let size = 0;
    for (let at = 0; at < others.length; at++) {
      const id = list.sorted[at] as number;
      if (at % STEP === STEP - 1) yield;
      if (!this.#hasChanged(parent, list, id)) others[size++] = id;
    }
    return others.subarray(0, size);
  }

  #comparison(parent: number): (a: number, b: number) => number {
    const { bytes } = this.#ids;
    const byId = (a: number, b: number): number => compareIds(bytes, a, b);
    if (this.#order !== "creation") return byId;
    return (a, b) => compareBigints(this.createdAt(parent, a), this.createdAt(parent, b)) || byId(a, b);
  }
}

/** A list without a few numbers. */
function without(list: Uint32Array, numbers: Uint32Array): Uint32Array {
  const places = Array.from(numbers, (number) => list.indexOf(number)).filter((at) => at >= 0);
  const others = new Uint32Array(list.length - places.length);
  let [from, to] = [0, 0];
  for (const place of [...places.sort((a, b) => a - b), list.length]) {
    others.set(list.subarray(from, place), to);
    to += place - from;
    from = place + 1;
  }
  return others;
}

/** Merges two sorted lists. The second is mostly short: places in the first are searched by halves. */
function* merging(
  a: Uint32Array,
  b: Uint32Array,
  compare: (a: number, b: number) => number,
): Generator<void, Uint32Array, undefined> {
  if (b.length === 0) return a;
  const merged = new Uint32Array(a.length + b.length);
  let [from, to] = [0, 0];
  for (const [at, id] of b.entries()) {
    if (at % STEP === STEP - 1) yield;
    const end = placeOf(id, a, from, compare);
    merged.set(a.subarray(from, end), to);
    to += end - from;
    from = end;
    merged[to++] = id;
  }
  merged.set(a.subarray(from), to);
  return merged;
}

/** The place of the first number that comes after one: near the start, or found by halves. */
function placeOf(
  id: number,
  sorted: Uint32Array,
  start: number,
  compare: (a: number, b: number) => number,
): number {
  let [low, width] = [start, 1];
  while (low + width < sorted.length && compare(sorted[low + width] as number, id) < 0) {
    low += width;
    width *= 2;
  }
  const high = Math.min(sorted.length, low + width);
  return low + firstNotBefore(high - low, (at) => compare(sorted[low + at] as number, id) < 0);
}

function compareIds(bytes: Uint8Array, a: number, b: number): number {
  const [one, other] = [a * ID_BYTES, b * ID_BYTES];
  for (let at = 0; at < ID_BYTES; at++) {
    const order = (bytes[one + at] as number) - (bytes[other + at] as number);
    if (order !== 0) return order;
  }
  return 0;
}
