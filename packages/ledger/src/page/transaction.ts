/** A transaction: its changes before the commit, and the objects that they hold. */
import { toHex } from "merostore/internal";
import type { ObjectIdentifier } from "../objects.js";
import type { Release } from "../storage/holds.js";
import { type ChangeSet, Journal } from "../storage/journal.js";
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

  /** Returns the changes so far, or that of one key. Their values are stored, so that they can be read. */
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
