/** Changes that wait for the same turn of a connection and become one commit. */
import type { Transaction } from "./transaction.js";

/** Changes a page in a transaction. */
export type Mutation = (transaction: Transaction) => Promise<void>;

interface Call {
  readonly mutation: Mutation;
  resolve(): void;
  reject(error: unknown): void;
}

export class Bundle {
  /** True if the turn does not wait for a transaction that begins. */
  readonly isUrgent: boolean;
  #calls: Call[] = [];

  constructor(isUrgent: boolean) {
    this.isUrgent = isUrgent;
  }

  /** True if no change is left to commit. */
  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** Adds a change. Settles with the commit, or with the error of this change. */
  add(mutation: Mutation): Promise<void> {
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
