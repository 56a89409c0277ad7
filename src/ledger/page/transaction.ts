/** A transaction: its changes before the commit, and the objects that they hold. */
import type { ObjectIdentifier } from "../objects/identifier.js";
import type { Release } from "../storage/holds.js";
import { Journal } from "../storage/journal.js";
import type { PageStorage } from "../storage/page-storage.js";
import type { Priority } from "../tables/tree-node.js";

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

  /** Whether the transaction was committed or rolled back. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Puts a value. A small one stays in memory until the commit; others are stored at once. */
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
    if (this.journal.hasRoom(pieces)) return this.journal.put(key, root, priority, pieces);
    this.#hold(root);
    this.#values.push(root);
    await this.#storage.values.storePieces(pieces);
    this.journal.put(key, root, priority);
  }

  /** Puts a value that is already stored. */
  putStored(key: Uint8Array, value: ObjectIdentifier, priority: Priority): void {
    this.#hold(value);
    this.journal.put(key, value, priority);
  }

  /** Releases the objects, after the commit or a rollback. A second call does nothing. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const release of this.#holds) release();
    this.#storage.values.discard(this.#values);
  }

  #hold(value: ObjectIdentifier): void {
    this.#holds.push(this.#storage.objectHolds.hold(value.digest));
  }
}
