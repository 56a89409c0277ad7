/** Changes of a page, made directly or in a transaction. */
import { checkOptions, type OptionChecks } from "merostore/internal";
import type { Priority } from "../tables/tree-node.js";
import { type EntryKey, keyBytes } from "./key.js";
import type { Mutation } from "./turns.js";
import {
  type EntryValue,
  isPriority,
  priorityOf,
  takingValue,
  type ValueReference,
  type ValueReferences,
  valueBytes,
} from "./value.js";
import type { Values } from "./value-codec.js";

/** Options of a put. */
export interface PutOptions {
  /** `eager` unless given. The value of a `lazy` entry may be missing on a device. */
  readonly priority?: Priority | undefined;
}

const PUT_OPTIONS: OptionChecks<PutOptions> = { priority: isPriority };

/** The changes that a page and a transaction have. `Input` is the type of the values that are put. */
export interface Mutations<Input = EntryValue> {
  /** Puts a value at a key of at most 256 bytes. If the call is rejected, a stream is destroyed. */
  put(key: EntryKey, value: Input, options?: PutOptions): Promise<void>;
  /** Puts a value that the page already holds at a key. */
  putReference(key: EntryKey, reference: ValueReference, options?: PutOptions): Promise<void>;
  /** Removes the entry at a key, if there is one. */
  delete(key: EntryKey): Promise<void>;
  /** Removes all entries. */
  clear(): Promise<void>;
}

/** The parts that a {@link Mutator} uses. */
export interface MutatorParts<Input> {
  /** The values of the page. */
  readonly values: Pick<Values<unknown, Input>, "encode">;
  readonly references: ValueReferences;
  /** The owner of calls to the sources of streamed values. */
  readonly valueSource: object;
  /**
   * Runs a mutation in its turn.
   * @param bytes those of the value; undefined if no other change may wait for it, as for a streamed value
   */
  run(mutation: Mutation, bytes: number | undefined): Promise<void>;
}

/** Checks and copies the arguments of each call at once, then runs the mutation in its turn. */
export class Mutator<Input> implements Mutations<Input> {
  readonly #parts: MutatorParts<Input>;

  constructor(parts: MutatorParts<Input>) {
    this.#parts = parts;
  }

  put(key: EntryKey, value: Input, options?: PutOptions): Promise<void> {
    return takingValue(value, async () => {
      checkOptions("put", options, PUT_OPTIONS);
      const bytes = keyBytes(key);
      const source = valueBytes(this.#parts.values.encode(value), this.#parts.valueSource);
      const priority = priorityOf(options?.priority);
      const size = source instanceof Uint8Array ? source.length : undefined;
      await this.#parts.run((transaction) => transaction.put(bytes, source, priority), size);
    });
  }

  async putReference(key: EntryKey, reference: ValueReference, options?: PutOptions): Promise<void> {
    checkOptions("putReference", options, PUT_OPTIONS);
    const bytes = keyBytes(key);
    const priority = priorityOf(options?.priority);
    const { references } = this.#parts;
    await this.#parts.run(
      async (transaction) => transaction.putStored(bytes, references.get(reference), priority),
      0,
    );
  }

  async delete(key: EntryKey): Promise<void> {
    const bytes = keyBytes(key);
    await this.#parts.run(async ({ journal }) => journal.delete(bytes), 0);
  }

  async clear(): Promise<void> {
    await this.#parts.run(async ({ journal }) => journal.clear(), 0);
  }
}
