/**
 * The order in which this node applied operations (governance G.7, 3): each after its parents and, inside a group, in
 * the order of the group's own log. An operation that other nodes do not know comes right after the operation before it
 * in that log. An operation of this node follows all operations that the node had by then, so all others come later.
 */
import { compareBigints, compareBytes } from "../../bytes/order.js";
import { Heap } from "../../collections/heap.js";
import type { Operations, ReplayOperation } from "./operations.js";
import type { Logs } from "./pairing.js";

/** The operations in order. */
export interface Sequence {
  readonly order: readonly ReplayOperation[];
  /**
   * Operations that this node applied later than their parents require: their keys came later, or they waited for other
   * operations.
   */
  readonly late: readonly ReplayOperation[];
  /** True if another order is possible: no row tells which of two concurrent operations came first. */
  readonly hasChoice: boolean;
  /** The last of this node's own operations that it made before it had `operation`. */
  ownBefore(operation: ReplayOperation): ReplayOperation | undefined;
  /** The number of operations of the namespace that this node may have had once it had this one, at least and at most. */
  countsAfter(operation: ReplayOperation): readonly [least: bigint, most: bigint];
}

/** Orders all operations, including those in the groups' own logs. Of concurrent operations, the least comes first. */
export function sequenceOf(operations: Operations, logs: Logs, isOwn: (signer: string) => boolean): Sequence {
  const stages = stagesOf(operations, isOwn);
  const { order, late, hasChoice } = new Sequencer(operations, logs, stages).run();
  return {
    order,
    late,
    hasChoice,
    ownBefore: ({ number, state }) =>
      state === "local" ? undefined : stages.own[(stages.stages[number] as number) - 1],
    countsAfter: (operation) => countsAfter(operations, stages, operation),
  };
}

/**
 * The least and greatest number of operations that this node had once it had this one: the nonces of its own operations
 * count them.
 */
function countsAfter(
  operations: Operations,
  { own, stages }: Stages,
  { number, nonce }: ReplayOperation,
): readonly [bigint, bigint] {
  const stage = stages[number] as number;
  const [before, after] = [own[stage - 1]?.nonce ?? 0n, own[stage]];
  return [nonce > before ? nonce : before + 1n, after?.nonce ?? BigInt(operations.size)];
}

/** The place of each operation between this node's own operations. */
interface Stages {
  /** This node's own operations in their order. */
  readonly own: readonly ReplayOperation[];
  /** For each operation, the number of own operations that the node made before it had this one. */
  readonly stages: Uint32Array;
}

function stagesOf(operations: Operations, isOwn: (signer: string) => boolean): Stages {
  const { list } = operations;
  const own = list.filter(
    (operation) => operation !== undefined && operation.state !== "local" && isOwn(operation.signer),
  ) as ReplayOperation[];
  own.sort((a, b) => compareBigints(a.nonce, b.nonce) || a.number - b.number);
  const stages = new Uint32Array(list.length).fill(own.length);
  const seen = new Uint8Array(list.length);
  for (const [stage, { number }] of own.entries()) {
    const followed = [number];
    for (let next = followed.pop(); next !== undefined; next = followed.pop()) {
      if (seen[next] === 1) continue;
      seen[next] = 1;
      stages[next] = stage;
      for (const parent of operations.parentsOf(list[next])) followed.push(parent);
    }
  }
  return { own, stages };
}

/** The operations that follow each operation. */
interface Followers {
  /** The followers of all operations, one after another. */
  readonly all: Uint32Array;
  /**
   * For each operation, the end of its followers in `all`. They begin at the end of the previous operation's followers.
   */
  readonly ends: Uint32Array;
}

function followersIn(operations: Operations): Followers {
  const { list } = operations;
  // The end of each operation's followers; while they are filled in, their beginning.
  const ends = new Uint32Array(list.length + 1);
  for (const operation of list)
    for (const parent of operations.parentsOf(operation)) if (list[parent] !== undefined) ends[parent + 1]!++;
  for (let at = 1; at < ends.length; at++) ends[at]! += ends[at - 1] as number;
  const all = new Uint32Array(ends.at(-1) as number);
  for (const operation of list)
    for (const parent of operations.parentsOf(operation))
      if (list[parent] !== undefined) all[ends[parent]!++] = (operation as ReplayOperation).number;
  return { all, ends };
}

class Sequencer {
  readonly #operations: Operations;
  readonly #logs: Logs;
  readonly #order: ReplayOperation[] = [];
  readonly #late: ReplayOperation[] = [];
  readonly #taken: Uint8Array;
  /** The number of each operation's parents that are not taken yet. */
  readonly #missing: Uint32Array;
  readonly #followers: Followers;
  readonly #ready: Heap<ReplayOperation>;
  /** The operations that are next in the groups' own logs. */
  readonly #next: Heap<ReplayOperation>;
  /** The number of rows of each group's own log that are taken. */
  readonly #places = new Map<string, number>();
  /** The place in each group's own log of the next operation that others know too. */
  readonly #nextPlaces = new Map<string, number>();
  /** All operations before this number are taken. */
  #passed = 0;
  #hasChoice = false;

  constructor(operations: Operations, logs: Logs, stages: Stages) {
    this.#operations = operations;
    this.#logs = logs;
    const byNonce = (a: ReplayOperation, b: ReplayOperation): number =>
      (stages.stages[a.number] as number) - (stages.stages[b.number] as number) ||
      compareBigints(a.nonce, b.nonce) ||
      compareBytes(operations.idBytes(a.number), operations.idBytes(b.number));
    this.#ready = new Heap(byNonce);
    this.#next = new Heap(byNonce);
    this.#taken = new Uint8Array(operations.list.length);
    this.#missing = new Uint32Array(operations.list.length);
    this.#followers = followersIn(operations);
  }

  run(): Omit<Sequence, "countsAfter" | "ownBefore"> {
    const list = this.#operations.list;
    for (const follower of this.#followers.all) this.#missing[follower]!++;
    for (const group of this.#logs.keys()) this.#advance(group);
    for (const operation of list)
      if (operation !== undefined && operation.state !== "local" && this.#missing[operation.number] === 0)
        this.#offer(operation);
    for (;;) {
      const operation = this.#ready.pop();
      if (operation !== undefined) {
        if (this.#taken[operation.number] === 0) {
          this.#hasChoice ||= this.#ready.size > 0;
          this.#take(operation);
        }
        continue;
      }
      const waited = this.#nextLogged() ?? this.#anyLeft();
      if (waited === undefined) break;
      this.#late.push(waited);
      this.#take(waited);
    }
    for (const group of this.#logs.keys()) this.#takeLocals(group);
    return { order: this.#order, late: this.#late, hasChoice: this.#hasChoice };
  }

  /**
   * Makes an operation ready once its parents are taken. A logged operation also waits for its turn in its group's log.
   */
  #offer(operation: ReplayOperation): void {
    if (operation.logged === undefined || this.#isNext(operation)) this.#ready.push(operation);
  }

  #isNext(operation: ReplayOperation): boolean {
    return this.#nextOf(operation.group as string) === operation;
  }

  /** The next operation of a group's log that others know too. */
  #nextOf(group: string): ReplayOperation | undefined {
    const log = this.#logs.get(group) ?? [];
    // Local operations at the beginning of a log wait for it: no row gives their place.
    let place = Math.max(this.#places.get(group) ?? 0, this.#nextPlaces.get(group) ?? 0);
    while (log[place]?.state === "local") place++;
    this.#nextPlaces.set(group, place);
    return log[place];
  }

  #take(operation: ReplayOperation): void {
    const { group, logged, number } = operation;
    const isLogged = group !== undefined && logged !== undefined;
    if (isLogged) this.#takeLocals(group);
    this.#taken[number] = 1;
    this.#order.push(operation);
    const { all, ends } = this.#followers;
    for (let at = ends[number - 1] ?? 0; at < (ends[number] as number); at++) {
      const follower = all[at] as number;
      if (--this.#missing[follower]! === 0 && this.#taken[follower] === 0)
        this.#offer(this.#operations.list[follower] as ReplayOperation);
    }
    if (!isLogged) return;
    this.#places.set(group, (this.#places.get(group) ?? 0) + 1);
    this.#takeLocals(group);
    this.#advance(group);
  }

  /** Takes the operations that are next in a group's log and that others do not know. */
  #takeLocals(group: string): void {
    const log = this.#logs.get(group) ?? [];
    let place = this.#places.get(group) ?? 0;
    for (; log[place]?.state === "local"; place++) this.#order.push(log[place] as ReplayOperation);
    this.#places.set(group, place);
  }

  /** Offers the next operation of a group's log. */
  #advance(group: string): void {
    const next = this.#nextOf(group);
    if (next === undefined) return;
    if (this.#missing[next.number] === 0) this.#ready.push(next);
    this.#forgetTaken();
    this.#next.push(next);
  }

  /** The least of the operations that are next in their groups' logs, although others should come before. */
  #nextLogged(): ReplayOperation | undefined {
    this.#forgetTaken();
    return this.#next.pop();
  }

  /** Drops the taken operations at the front of the queue: most of its operations are taken before they are asked for. */
  #forgetTaken(): void {
    const isTaken = (operation: ReplayOperation | undefined): boolean =>
      operation !== undefined && this.#taken[operation.number] === 1;
    while (isTaken(this.#next.first)) this.#next.pop();
  }

  /** One of the remaining operations. They form a cycle, as only forged operations do. */
  #anyLeft(): ReplayOperation | undefined {
    for (; this.#passed < this.#taken.length; this.#passed++) {
      const operation = this.#operations.list[this.#passed];
      if (operation !== undefined && operation.state !== "local" && this.#taken[this.#passed] === 0)
        return operation;
    }
    return undefined;
  }
}
