/** A conflict: two commits that the program merges. */
import { copyBytes, illegalState, toHex } from "merostore/internal";
import type { PageEntry, PageSnapshot } from "../page/snapshot.js";
import type { ValueReferences } from "../page/value.js";
import type { Commit } from "../storage/commit.js";
import { type ChangeSet, Journal } from "../storage/journal.js";
import { valuesOf } from "../storage/object-reader.js";
import type { PageStorage } from "../storage/page-storage.js";
import { equalEntries, type TreeEntry } from "../tables/tree-node.js";
import { diffThreeWay, type ThreeWayDifference } from "../tree/diff.js";
import { discard, type MergedEntry, type StoredOutcome, storeOutcomes } from "./merged-entries.js";

/** The entries at a key that one side or both have changed; a missing entry is undefined. */
export interface ConflictingEntry {
  /** The key, a copy. */
  readonly key: Uint8Array;
  /** The entry before both sides changed it. */
  readonly ancestor: PageEntry | undefined;
  /** The entry of the newer head. */
  readonly newer: PageEntry | undefined;
  /** The entry of the older head. */
  readonly older: PageEntry | undefined;
}

/** A page with its connections, as merging uses it. */
export interface MergedPage {
  readonly storage: PageStorage;
  readonly references: ValueReferences;
  /** Opens a snapshot of all entries of a commit. */
  snapshot(commit: Commit): PageSnapshot;
  /** Called when the policy is known: connections may show another commit from now on. */
  onPolicy(): void;
}

/** The three commits of a merge. */
export interface Sides {
  /** The newer head. */
  readonly newer: Commit;
  readonly older: Commit;
  /** The common ancestor. */
  readonly ancestor: Commit;
}

/**
 * A conflict of two heads of a page. The merge has the entries of the newer head, with the outcomes of
 * {@link Conflict.merge} and {@link Conflict.mergeNonConflicting}.
 *
 * @example
 * ledger.setConflictResolver(() => ({
 *   policy: "automatic-with-fallback",
 *   async resolve(conflict) {
 *     await conflict.mergeNonConflicting();
 *     for await (const { key } of conflict.conflicts()) await conflict.merge([{ key, use: "older" }]);
 *   },
 * }));
 */
export class Conflict {
  /** The newer head: the merge begins with its entries. */
  readonly newer: PageSnapshot;
  /** The older head. */
  readonly older: PageSnapshot;
  /** The common ancestor of both. */
  readonly ancestor: PageSnapshot;
  readonly #page: MergedPage;
  readonly #sides: Sides;
  readonly #journal = new Journal();
  /** The outcomes that hold values. */
  readonly #stored: StoredOutcome[] = [];
  readonly #isMemory: boolean;
  #merged = false;
  #ended = false;
  readonly #contested = new Set<string>();

  /** @internal @param isMemory true if new values stay in memory */
  constructor(page: MergedPage, sides: Sides, isMemory = false) {
    this.#isMemory = isMemory;
    this.#page = page;
    this.#sides = sides;
    this.newer = page.snapshot(sides.newer);
    this.older = page.snapshot(sides.older);
    this.ancestor = page.snapshot(sides.ancestor);
  }

  /** Yields all keys that at least one side has changed, ascending. Includes keys that both changed in the same way. */
  async *differences(): AsyncGenerator<ConflictingEntry, void, undefined> {
    for await (const difference of this.#differences()) yield this.#entry(difference);
  }

  /** Yields the keys that both sides have changed in different ways, ascending. */
  async *conflicts(): AsyncGenerator<ConflictingEntry, void, undefined> {
    for await (const difference of this.#differences())
      if (isConflict(difference)) yield this.#entry(difference);
  }

  /** @internal Yields the wanted keys that both sides have changed, even if in the same way. */
  async *changedByBoth(
    isWanted: (key: Uint8Array) => boolean,
  ): AsyncGenerator<ConflictingEntry, void, undefined> {
    for await (const difference of this.#differences()) {
      const { key, base, left, right } = difference;
      if (isWanted(key) && !sameEntry(base, left) && !sameEntry(base, right)) yield this.#entry(difference);
    }
  }

  /**
   * Sets the outcome for keys. The last outcome of a key wins. Values are stored one after another, streams at constant
   * memory. If the call is rejected, it has no effect, and all its streams are destroyed.
   *
   * @throws MerostoreError INVALID_ARGUMENT for an invalid entry; ILLEGAL_STATE when the conflict is resolved; the
   * error of a stream
   * @example
   * ledger.setConflictResolver(() => ({
   *   policy: "custom",
   *   async resolve(conflict) {
   *     // Joins both logs, one after the other, however long they are.
   *     async function* both() {
   *       yield* conflict.older.stream("log");
   *       yield* conflict.newer.stream("log");
   *     }
   *     await conflict.merge([{ key: "log", use: "new", value: both() }]);
   *   },
   * }));
   */
  async merge(entries: Iterable<MergedEntry>): Promise<void> {
    const outcomes = await storeOutcomes(entries, this.#page, () => this.#check(), this.#isMemory);
    if (this.#ended) discard(outcomes, this.#page.storage);
    this.#check();
    this.#stored.push(...outcomes);
    const older = await this.#olderEntries(outcomes);
    this.#merged = true;
    for (const { key, entry } of outcomes) {
      if (entry === "older") this.#take(key, older.get(key));
      else if (entry === "delete") this.#journal.delete(key);
      else this.#journal.put(key, entry.value.root, entry.priority, entry.value.pieces);
    }
  }

  /**
   * Takes the changes that only the older head has made. After a call of {@link Conflict.merge} also takes the changes
   * that only the newer head has made: both replace earlier outcomes.
   */
  async mergeNonConflicting(): Promise<void> {
    this.#check();
    for await (const difference of this.#differences()) {
      const { key, base: ancestor, left: newer, right: older } = difference;
      if (isConflict(difference)) continue;
      if (!sameEntry(ancestor, older)) this.#take(key, older);
      else if (this.#merged && !sameEntry(ancestor, newer)) this.#take(key, newer);
    }
  }

  /** @internal The outcomes as changes of the newer head, for the merger. */
  get changes(): ChangeSet {
    return this.#journal.contents;
  }

  /**
   * @internal The keys, in hex, that both sides have changed, even if in the same way, as far as the differences were
   * read.
   */
  get contested(): ReadonlySet<string> {
    return this.#contested;
  }

  /** @internal Closes the snapshots and releases the values, for the merger. */
  async end(): Promise<void> {
    this.#ended = true;
    discard(this.#stored, this.#page.storage);
    await Promise.all([this.newer.close(), this.older.close(), this.ancestor.close()]);
  }

  /** The entries of the older head that outcomes take, by the key of the outcome. */
  async #olderEntries(outcomes: readonly StoredOutcome[]): Promise<Map<Uint8Array, TreeEntry | undefined>> {
    const found = new Map<Uint8Array, TreeEntry | undefined>();
    for (const { key, entry } of outcomes)
      if (entry === "older") found.set(key, await this.#page.storage.entry(this.#sides.older, key));
    this.#check();
    return found;
  }

  #take(key: Uint8Array, entry: TreeEntry | undefined): void {
    if (entry === undefined) this.#journal.delete(key);
    else this.#journal.put(key, entry.value, entry.priority);
  }

  async *#differences(): AsyncGenerator<ThreeWayDifference, void, undefined> {
    this.#check();
    const { newer, older, ancestor } = this.#sides;
    const trees = { base: ancestor.root, left: newer.root, right: older.root };
    for await (const difference of diffThreeWay(this.#page.storage.objects, trees)) {
      const { key, base, left, right } = difference;
      if (!sameEntry(base, left) && !sameEntry(base, right)) this.#contested.add(toHex(key));
      yield difference;
    }
  }

  async #entry(difference: ThreeWayDifference): Promise<ConflictingEntry> {
    const { key, base: ancestor, left: newer, right: older } = difference;
    const [a, n, o] = await Promise.all([ancestor, newer, older].map((entry) => this.#withValue(entry)));
    return { key: copyBytes(key), ancestor: a, newer: n, older: o };
  }

  async #withValue(entry: TreeEntry | undefined): Promise<PageEntry | undefined> {
    if (entry === undefined) return undefined;
    const [value] = await valuesOf(this.#page.storage.objects, [entry]);
    return { key: copyBytes(entry.key), value, priority: entry.priority };
  }

  #check(): void {
    if (this.#ended) throw illegalState("the conflict is resolved already");
  }
}

/** Returns whether all three entries are different. */
export function isConflict({ base, left, right }: ThreeWayDifference): boolean {
  return !sameEntry(base, left) && !sameEntry(base, right) && !sameEntry(left, right);
}

/** Returns whether two entries are equal, or both missing. */
export function sameEntry(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalEntries(a, b);
}
