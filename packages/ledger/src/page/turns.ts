/** The order of the operations of one connection, and the changes that share a turn. */
import { SerialQueue } from "merostore/internal";
import { inThisContext } from "../platform/node.js";
import type { Transaction } from "./mutations.js";

/** Runs steps one after another. While exclusive work runs, changes wait until it has ended. */
export class Turns {
  readonly #steps = new SerialQueue();
  #isTaken = false;
  /** Starts the changes and the exclusive work that wait, in the order of the calls. */
  readonly #waiting: (() => void)[] = [];

  /** Runs a step after all earlier steps, even while exclusive work runs. */
  step<T>(work: () => Promise<T>): Promise<T> {
    return this.#steps.run(work);
  }

  /** Runs a step after the exclusive work that runs or waits. */
  change<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isTaken) return this.step(work);
    return new Promise((resolve, reject) => {
      // The step keeps the async context of its own caller.
      this.#waiting.push(inThisContext(() => void this.step(work).then(resolve, reject)));
    });
  }

  /** Runs exclusive work, which may take any number of steps. Later changes wait until it ends. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(() => {
        this.#isTaken = true;
        resolve();
      });
      this.#goOn();
    });
    try {
      return await work();
    } finally {
      this.#isTaken = false;
      this.#goOn();
    }
  }

  /** Starts everything that waits, at once. Used when the connection closes. */
  free(): void {
    while (this.#waiting.length > 0) {
      this.#isTaken = false;
      this.#goOn();
    }
  }

  #goOn(): void {
    while (!this.#isTaken) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      next();
    }
  }
}

/** Changes a page in a transaction. */
export type Mutation = (transaction: Transaction) => Promise<void>;

interface Call {
  readonly mutation: Mutation;
  resolve(): void;
  reject(error: unknown): void;
}

/** Changes, and bytes of their values, after which a bundle waits for no more. */
const MOST_CHANGES = 1000;
const MOST_BYTES = 1 << 20;

/** Changes that wait for the same turn of a connection and become one commit. */
export class Bundle {
  /** True if the turn does not wait for a transaction that begins. */
  readonly isUrgent: boolean;
  /** True if the bundle has, or had, a place among the operations of the connection. */
  isQueued = false;
  #calls: Call[] = [];
  #bytes = 0;

  constructor(isUrgent: boolean) {
    this.isUrgent = isUrgent;
  }

  /** True if enough changes are in the bundle, which is in memory while it waits. */
  get isFull(): boolean {
    return this.#calls.length >= MOST_CHANGES || this.#bytes >= MOST_BYTES;
  }

  /** True if no change is left to commit. */
  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /**
   * Adds a change. Settles with the commit, or with the error of this change.
   * @param bytes the size of its value
   */
  add(mutation: Mutation, bytes: number): Promise<void> {
    this.#bytes += bytes;
    return new Promise((resolve, reject) => {
      this.#calls.push({ mutation, resolve, reject });
    });
  }

  /** Runs the changes in their order. One that fails is rejected and drops out. */
  async run(transaction: Transaction): Promise<void> {
    const calls = this.#calls;
    this.#calls = [];
    for (const call of calls) {
      try {
        await call.mutation(transaction);
        this.#calls.push(call);
      } catch (error) {
        call.reject(error);
      }
    }
  }

  /** Settles the calls that are left: their changes are stored. */
  resolve(): void {
    for (const { resolve } of this.#calls) resolve();
  }

  /** Rejects the calls that are left. */
  reject(error: unknown): void {
    for (const { reject } of this.#calls) reject(error);
  }
}
