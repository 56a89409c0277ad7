/** The deltas of a context that a node has not applied, and the deltas that they lack. */

import { fromHex, toHex } from "../../bytes/hex.js";
import { slices } from "../../collections/lists.js";
import { Pause } from "../../pause.js";
import { parentsOf } from "../tables/actions.js";
import { allRowsOf, type NodeReader, type RowOf, rowsAt } from "../tables/rows.js";
import { CausalOrder } from "./order.js";

/** Deltas that are looked up at a time. */
const BATCH = 64;

/** A pending delta that lacks a parent, or that follows no other pending one. Ids are 64 hex digits. */
export interface PendingDelta {
  /** The delta's id. */
  readonly id: string;
  /** Its parents that the database does not have; empty if the node could apply it. */
  readonly missing: readonly string[];
  /** The pending deltas that follow it, directly or through others. */
  readonly waiting: readonly string[];
}

/**
 * The pending deltas of a context: not applied, followed by no applied delta and no head, and not in the state. A delta that an
 * applied one follows is part of the state, as after a snapshot. Takes about 100 bytes for each delta of the context.
 */
export class PendingDeltas {
  readonly #order = new CausalOrder();
  /** True for a row that is applied, by number; undefined for an id that only a parent or a head names. */
  readonly #applied: (boolean | undefined)[] = [];
  readonly #heads = new Set<number>();
  /** Rows that do not decode: their parents, and whether they are applied, are unknown. */
  readonly #unread = new Set<number>();
  /** The pending deltas by number, each with the pending ones that follow it directly. */
  readonly #followers = new Map<number, number[]>();
  readonly #pause = new Pause();

  private constructor() {}

  /**
   * Reads the deltas of a context.
   *
   * @param isInState returns true if the state has the changes of a delta that is not marked as applied
   */
  static async read(
    reader: NodeReader,
    context: string,
    heads: readonly string[],
    isInState: (row: RowOf<"ContextDagDelta">) => Promise<boolean>,
  ): Promise<PendingDeltas> {
    const read = new PendingDeltas();
    for await (const rows of allRowsOf(reader, "ContextDagDelta", { contextId: fromHex(context) }))
      for (const { key, value } of rows) {
        if (value === undefined) {
          read.#unread.add(read.#order.ids.add(key.deltaId));
          continue;
        }
        const parents = parentsOf(value);
        read.#applied[read.#order.add({ id: key.deltaId, rank: 0n, parents })] = value.applied;
        if (read.#pause.isLong) await read.#pause.ifLong();
      }
    for (const head of heads) read.#heads.add(read.#order.ids.add(fromHex(head)));
    await read.#find();
    await read.#leaveOut(reader, context, isInState);
    return read;
  }

  /** The number of pending deltas. */
  get size(): number {
    return this.#followers.size;
  }

  /** The pending deltas that make the others wait. */
  async *stuck(): AsyncGenerator<PendingDelta, void, undefined> {
    const found = new Set<number>();
    const find = async (number: number): Promise<PendingDelta> => {
      const waiting = await this.#waitingFor(number);
      for (const one of [number, ...waiting]) found.add(one);
      const missing = Array.from(this.#order.parentsOf(number)).filter((parent) => this.#isMissing(parent));
      return { id: this.#id(number), missing: this.#ids(missing), waiting: this.#ids(waiting) };
    };
    for (const number of this.#followers.keys()) {
      const parents = this.#order.parentsOf(number);
      const isFirst = !parents.some((parent) => this.#followers.has(parent));
      if (isFirst || parents.some((parent) => this.#isMissing(parent))) yield await find(number);
    }
    // Forged deltas that form a cycle wait only for each other.
    for (const number of this.#followers.keys()) if (!found.has(number)) yield await find(number);
  }

  /** Finds the pending deltas: neither an applied delta nor a head descends from them. */
  async #find(): Promise<void> {
    const covered = new Uint8Array(this.#order.ids.size);
    const next: number[] = [...this.#heads];
    for (const [number, applied] of this.#applied.entries()) if (applied === true) next.push(number);
    for (let number = next.pop(); number !== undefined; number = next.pop()) {
      if (covered[number] === 1) continue;
      covered[number] = 1;
      for (const parent of this.#order.parentsOf(number)) if (covered[parent] === 0) next.push(parent);
      if (this.#pause.isLong) await this.#pause.ifLong();
    }
    for (const [number, applied] of this.#applied.entries())
      if (applied === false && covered[number] === 0) this.#followers.set(number, []);
  }

  /** Leaves out the deltas that are in the state, and finds the children of the others. */
  async #leaveOut(
    reader: NodeReader,
    context: string,
    isInState: (row: RowOf<"ContextDagDelta">) => Promise<boolean>,
  ): Promise<void> {
    const contextId = fromHex(context);
    for (const numbers of slices([...this.#followers.keys()], BATCH)) {
      const keys = numbers.map((number) => ({ contextId, deltaId: fromHex(this.#id(number)) }));
      for (const [at, row] of (await rowsAt(reader, "ContextDagDelta", keys)).entries())
        if (row !== undefined && (await isInState(row))) this.#followers.delete(numbers[at] as number);
      if (this.#pause.isLong) await this.#pause.ifLong();
    }
    for (const number of this.#followers.keys())
      for (const parent of this.#order.parentsOf(number)) this.#followers.get(parent)?.push(number);
  }

  async #waitingFor(first: number): Promise<readonly number[]> {
    const found = new Set([first]);
    // Iteration over a set includes elements that are added meanwhile.
    for (const number of found) {
      for (const follower of this.#followers.get(number) ?? []) found.add(follower);
      if (this.#pause.isLong) await this.#pause.ifLong();
    }
    found.delete(first);
    return [...found];
  }

  #isMissing(number: number): boolean {
    return this.#applied[number] === undefined && !this.#heads.has(number) && !this.#unread.has(number);
  }

  #ids(numbers: readonly number[]): string[] {
    return numbers.map((number) => this.#id(number)).toSorted();
  }

  #id(number: number): string {
    return toHex(this.#order.ids.at(number));
  }
}
