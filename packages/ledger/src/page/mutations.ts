/** Changes of a page, made directly or in a transaction, until the commit. */
import { checkOptions, type OptionChecks, toHex } from "merostore/internal";
import type { ObjectIdentifier } from "../objects.js";
import type { Release } from "../storage/holds.js";
import { type ChangeSet, Journal } from "../storage/journal.js";
import type { PageStorage } from "../storage/page-storage.js";
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

export class Transaction {
  readonly journal = new Journal();
  readonly #storage: PageStorage;
  /** Holds of the objects in the journal. */
  readonly #holds: Release[] = [];
  /** Values that were stored for the journal. */
  readonly #values: ObjectIdentifier[] = [];
  #hasEnded = false;

  constructor(storage: PageStorage) {
    this.#storage = storage;
  }

  /** True after the transaction was committed or rolled back. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Puts a value. Values stay in memory until the commit, or until there are too many: then all are stored at once. */
  async put(
    key: Uint8Array,
    source: Uint8Array | AsyncIterable<Uint8Array>,
    priority: Priority,
  ): Promise<void> {
    if (!(source instanceof Uint8Array)) {
      const { root, release } = await this.#storage.values.store(source);
      this.#holds.push(release);
      this.#values.push(root);
      this.journal.put(key, root, priority);
      return;
    }
    const { root, pieces } = this.#storage.values.split(source);
    if (!this.journal.hasRoom(pieces)) await this.#storeUnstored();
    if (this.journal.hasRoom(pieces)) return this.journal.put(key, root, priority, pieces);
    this.#hold(root);
    this.#values.push(root);
    await this.#storage.values.storePieces(pieces);
    this.journal.put(key, root, priority);
  }

  /** Returns the changes so far, or the change of one key. Stores their values first, so that they can be read. */
  async storedChanges(key?: Uint8Array): Promise<ChangeSet> {
    const changes = (): ChangeSet =>
      key === undefined ? this.journal.contents : this.journal.contentsAt(key);
    const { pieces } = changes();
    if (pieces.length > 0) await this.#storeUnstored();
    return changes();
  }

  /** Stores the values that are in memory in one write. It need not be synced: the commit is, and all before it. */
  async #storeUnstored(): Promise<void> {
    const unstored = this.journal.unstored;
    for (const { value } of unstored) {
      this.#hold(value);
      this.#values.push(value);
    }
    await this.#storage.values.storePieces(unstored.flatMap(({ pieces }) => pieces));
    this.journal.forgetPieces();
  }

  /** Puts a value that is already stored. */
  putStored(key: Uint8Array, value: ObjectIdentifier, priority: Priority): void {
    this.#hold(value);
    this.journal.put(key, value, priority);
  }

  /**
   * Releases the objects, after the commit or a rollback. A second call does nothing.
   * @param isStored whether a commit refers to the values of the journal
   */
  end(isStored: boolean): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const release of this.#holds) release();
    if (this.#values.length === 0) return;
    const used = new Set(isStored ? this.journal.values.map(({ digest }) => toHex(digest)) : []);
    this.#storage.values.discard(this.#values.filter(({ digest }) => !used.has(toHex(digest))));
  }

  #hold(value: ObjectIdentifier): void {
    this.#holds.push(this.#storage.objectHolds.hold(value.digest));
  }
}

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
   * @param bytes the size of the value; undefined if no other change may wait for it, as for a streamed value
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
