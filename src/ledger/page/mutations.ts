/** Changes of a page, made directly or in a transaction. */
import { checkOptions, type OptionChecks } from "../../options.js";
import type { Priority } from "../tables/tree-node.js";
import type { Mutation } from "./connection.js";
import { type EntryKey, keyBytes } from "./key.js";
import { type EntryValue, isPriority, priorityOf, valueBytes } from "./value.js";
import type { ValueReference, ValueReferences } from "./value-reference.js";

/** How a value is put. */
export interface PutOptions {
  /** `eager` unless given. The value of a `lazy` entry need not be on every device. */
  readonly priority?: Priority | undefined;
}

const PUT_OPTIONS: OptionChecks<PutOptions> = { priority: isPriority };

/** What can be done in a transaction. */
export interface Mutations {
  /** Puts a value at a key of at most 256 bytes. */
  put(key: EntryKey, value: EntryValue, options?: PutOptions): Promise<void>;
  /** Puts a value that the page holds already at a key. */
  putReference(key: EntryKey, reference: ValueReference, options?: PutOptions): Promise<void>;
  /** Removes the entry at a key, if there is one. */
  delete(key: EntryKey): Promise<void>;
  /** Removes all entries. */
  clear(): Promise<void>;
}

/** The parts that a {@link Mutator} uses. */
export interface MutatorParts {
  readonly references: ValueReferences;
  /** The owner of calls to the source of a value that arrives piece by piece. */
  readonly taker: object;
  /** Runs a change in its turn. */
  run(change: Mutation): Promise<void>;
}

/** Checks and copies the arguments of changes at once, then runs each change in its turn. */
export class Mutator implements Mutations {
  readonly #parts: MutatorParts;

  constructor(parts: MutatorParts) {
    this.#parts = parts;
  }

  async put(key: EntryKey, value: EntryValue, options?: PutOptions): Promise<void> {
    checkOptions("put", options, PUT_OPTIONS);
    const bytes = keyBytes(key);
    const source = valueBytes(value, this.#parts.taker);
    const priority = priorityOf(options?.priority);
    await this.#parts.run((transaction) => transaction.put(bytes, source, priority));
  }

  async putReference(key: EntryKey, reference: ValueReference, options?: PutOptions): Promise<void> {
    checkOptions("putReference", options, PUT_OPTIONS);
    const bytes = keyBytes(key);
    const priority = priorityOf(options?.priority);
    const { references } = this.#parts;
    await this.#parts.run(async (transaction) =>
      transaction.putStored(bytes, references.get(reference), priority),
    );
  }

  async delete(key: EntryKey): Promise<void> {
    const bytes = keyBytes(key);
    await this.#parts.run(async ({ journal }) => journal.delete(bytes));
  }

  async clear(): Promise<void> {
    await this.#parts.run(async ({ journal }) => journal.clear());
  }
}
