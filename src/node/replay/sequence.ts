/**
 * The order in which this node applied operations (governance G.7, 3): each after those that it follows and, inside a
 * group, in the order of the group's own log. Operations that others do not know come right after the one before them in
 * that log.
 */
import { Heap } from "../../collections/heap.js";
import type { Operations, ReplayOperation } from "./operations.js";
import type { LogRow, Logs } from "./pairing.js";

/** The operations in order. */
export interface Sequence {
  readonly order: readonly ReplayOperation[];
  /** Operations that this node applied later than their parents say: their keys came later, or they waited for others. */
  readonly late: readonly ReplayOperation[];
}

/**
 * Puts all operations, those of the groups' own logs included, in order.
 *
 * @param reverse of operations that may come next, takes the last: the other order of concurrent ones
 */
export function sequenceOf(operations: Operations, logs: Logs, reverse = false): Sequence {
  return new Sequencer(operations, logs, reverse).run();
}

class Sequencer {
  readonly #operations: Operations;
  readonly #logs: Logs;
  readonly #order: ReplayOperation[] = [];
  readonly #late: ReplayOperation[] = [];
  readonly #taken: Uint8Array;
  /** How many parents of each operation are not taken yet. */
  readonly #missing: Uint32Array;
  readonly #followers: (number[] | undefined)[] = [];
  readonly #ready: Heap<ReplayOperation>;
  /** The next rows of the groups' own logs. */
  readonly #next: Heap<ReplayOperation>;
  /** How many rows of each group's own log are taken. */
  readonly #places = new Map<string, number>();
  /** All operations before this number are taken. */
  #passed = 0;

  constructor(operations: Operations, logs: Logs, reverse: boolean) {
    this.#operations = operations;
    this.#logs = logs;
    const ids = new Map<number, string>();
    const idOf = (number: number): string => {
      const id = ids.get(number) ?? operations.id(number);
      ids.set(number, id);
      return id;
    };
    const sign = reverse ? -1 : 1;
    const byNonce = (a: ReplayOperation, b: ReplayOperation): number =>
      sign * (a.nonce !== b.nonce ? (a.nonce < b.nonce ? -1 : 1) : idOf(a.number) < idOf(b.number) ? -1 : 1);
    this.#ready = new Heap(byNonce);
    this.#next = new Heap(byNonce);
    this.#taken = new Uint8Array(operations.list.length);
    this.#missing = new Uint32Array(operations.list.length);
  }

  run(): Sequence {
    const list = this.#operations.list;
    for (const operation of list)
      for (const parent of operation?.parents ?? []) {
        if (list[parent] === undefined) continue;
        this.#followers[parent] ??= [];
        this.#followers[parent].push((operation as ReplayOperation).number);
        this.#missing[(operation as ReplayOperation).number]!++;
      }
    for (const group of this.#logs.keys()) this.#advance(group);
    for (const operation of list)
      if (operation !== undefined && operation.state !== "local" && this.#missing[operation.number] === 0)
        this.#offer(operation);
    for (;;) {
      const operation = this.#ready.pop();
      if (operation !== undefined) {
        if (this.#taken[operation.number] === 0) this.#take(operation);
        continue;
      }
      const waited = this.#nextLogged() ?? this.#anyLeft();
      if (waited === undefined) break;
      this.#late.push(waited);
      this.#take(waited);
    }
    for (const group of this.#logs.keys()) this.#takeLocals(group);
    return { order: this.#order, late: this.#late };
  }

  /** An operation whose parents are taken is next; where it is logged, as soon as its group's log has come to it. */
  #offer(operation: ReplayOperation): void {
    if (operation.logged === undefined || this.#isNext(operation)) this.#ready.push(operation);
  }

  #isNext(operation: ReplayOperation): boolean {
    return this.#nextOf(operation.group as string)?.operation === operation;
  }

  /** The next row of a group's log whose operation others know too. */
  #nextOf(group: string): LogRow | undefined {
    const log = this.#logs.get(group) ?? [];
    // Those at the beginning of a log wait for it: nothing else says where they belong.
    let place = this.#places.get(group) ?? 0;
    while (log[place]?.operation.state === "local") place++;
    return log[place];
  }

  #take(operation: ReplayOperation): void {
    const { group, logged, number } = operation;
    const isLogged = group !== undefined && logged !== undefined;
    if (isLogged) this.#takeLocals(group);
    this.#taken[number] = 1;
    this.#order.push(operation);
    for (const follower of this.#followers[number] ?? [])
      if (--this.#missing[follower]! === 0 && this.#taken[follower] === 0)
        this.#offer(this.#operations.list[follower] as ReplayOperation);
    if (!isLogged) return;
    this.#places.set(group, (this.#places.get(group) ?? 0) + 1);
    this.#takeLocals(group);
    this.#advance(group);
  }

  /** Takes the operations that are next in a group's log and that others do not know. */
  #takeLocals(group: string): void {
    const log = this.#logs.get(group) ?? [];
    let place = this.#places.get(group) ?? 0;
    for (; log[place]?.operation.state === "local"; place++)
      this.#order.push((log[place] as LogRow).operation);
    this.#places.set(group, place);
  }

  /** Offers the next operation of a group's log. */
  #advance(group: string): void {
    const next = this.#nextOf(group)?.operation;
    if (next === undefined) return;
    if (this.#missing[next.number] === 0) this.#ready.push(next);
    this.#next.push(next);
  }

  /** The least of the operations that are next in their groups' logs, although others should come before. */
  #nextLogged(): ReplayOperation | undefined {
    for (let next = this.#next.pop(); next !== undefined; next = this.#next.pop())
      if (this.#taken[next.number] === 0) return next;
    return undefined;
  }

  /** One of the operations that are left: they follow each other in a circle, which only forged ones do. */
  #anyLeft(): ReplayOperation | undefined {
    for (; this.#passed < this.#taken.length; this.#passed++) {
      const operation = this.#operations.list[this.#passed];
      if (operation !== undefined && operation.state !== "local" && this.#taken[this.#passed] === 0)
        return operation;
    }
    return undefined;
  }
}
