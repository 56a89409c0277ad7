/** A conflict: two commits that the program merges. */
import { copyBytes } from "../../bytes/bytes.js";
import { MerostoreError } from "../../errors.js";
import { describeValue, isOneOf } from "../../options.js";
import type { ObjectIdentifier } from "../objects/identifier.js";
import { type EntryKey, keyBytes, textOrBytes } from "../page/key.js";
import type { PageEntry, PageSnapshot } from "../page/snapshot.js";
import { priorityOf } from "../page/value.js";
import type { Commit } from "../storage/commit.js";
import { valuesOf } from "../storage/entry-values.js";
import type { Release } from "../storage/holds.js";
import { type ChangeSet, Journal } from "../storage/journal.js";
import type { PageStorage } from "../storage/page-storage.js";
import { equalEntries, type Priority, type TreeEntry } from "../tables/tree-node.js";
import { diffThreeWay, type ThreeWayDifference } from "../tree/diff.js";

/** The entries at a key that one side or both have changed; undefined where there is no entry. */
export interface ConflictingEntry {
  /** The key, a copy. */
  readonly key: Uint8Array;
  /** The entry before both sides changed it. */
  readonly ancestor: PageEntry | undefined;
  /** The entry of the newer head. */
  readonly left: PageEntry | undefined;
  /** The entry of the older head. */
  readonly right: PageEntry | undefined;
}

/** The outcome of a merge for a key. */
export type MergedEntry =
  | {
      /** The key of the outcome. */
      readonly key: EntryKey;
      /** The entry of the right side, or no entry if it has none. */
      readonly use: "right";
    }
  | {
      /** The key of the outcome. */
      readonly key: EntryKey;
      /** A new entry. */
      readonly use: "new";
      /** The value of the new entry; a text as UTF-8. */
      readonly value: Uint8Array | string;
      /** `eager` unless given. */
      readonly priority?: Priority;
    }
  | {
      /** The key of the outcome. */
      readonly key: EntryKey;
      /** No entry. */
      readonly use: "delete";
    };

/** The three commits of a merge. */
export interface Sides {
  /** The newer head. */
  readonly left: Commit;
  readonly right: Commit;
  /** The common ancestor. */
  readonly ancestor: Commit;
}

/**
 * A conflict of two heads of a page. The merge has the entries of the left side, with the outcomes of {@link Conflict.merge}
 * and {@link Conflict.mergeNonConflicting}.
 *
 * @example
 * ledger.setConflictResolver(() => ({
 *   policy: "automatic-with-fallback",
 *   async resolve(conflict) {
 *     await conflict.mergeNonConflicting();
 *     for await (const { key } of conflict.conflicts()) await conflict.merge([{ key, use: "right" }]);
 *   },
 * }));
 */
export class Conflict {
  /** The newer head: the merge begins with its entries. */
  readonly left: PageSnapshot;
  /** The older head. */
  readonly right: PageSnapshot;
  /** The common ancestor of both. */
  readonly ancestor: PageSnapshot;
  readonly #storage: PageStorage;
  readonly #sides: Sides;
  readonly #journal = new Journal();
  readonly #holds: Release[] = [];
  /** The values of new entries. */
  readonly #values: ObjectIdentifier[] = [];
  #merged = false;
  #ended = false;

  /** @internal */
  constructor(
    storage: PageStorage,
    sides: Sides,
    snapshots: { readonly left: PageSnapshot; readonly right: PageSnapshot; readonly ancestor: PageSnapshot },
  ) {
    this.#storage = storage;
    this.#sides = sides;
    this.left = snapshots.left;
    this.right = snapshots.right;
    this.ancestor = snapshots.ancestor;
  }

  /** Yields all keys that a side has changed, ascending; also keys that both sides changed in the same way. */
  async *differences(): AsyncGenerator<ConflictingEntry, void, undefined> {
    for await (const difference of this.#differences()) yield this.#entry(difference);
  }

  /** Yields the keys that both sides have changed in different ways, ascending. */
  async *conflicts(): AsyncGenerator<ConflictingEntry, void, undefined> {
    for await (const difference of this.#differences())
      if (isConflict(difference)) yield this.#entry(difference);
  }

  /**
   * Sets the outcome for keys. The last outcome of a key wins.
   * @throws MerostoreError INVALID_ARGUMENT for an invalid entry; then the whole call has no effect
   */
  async merge(entries: Iterable<MergedEntry>): Promise<void> {
    this.#check();
    const merged = checkedEntries(entries);
    this.#merged = true;
    for (const { key, entry } of merged) {
      this.#check();
      if (entry === "delete") this.#journal.delete(key);
      else if (entry === "right") this.#take(key, await this.#storage.entry(this.#sides.right, key));
      else {
        const { root, pieces } = this.#storage.values.split(entry.value);
        this.#holds.push(this.#storage.objectHolds.hold(root.digest));
        this.#values.push(root);
        await this.#storage.values.storePieces(pieces);
        this.#journal.put(key, root, entry.priority);
      }
    }
  }

  /**
   * Takes the changes that only the right side has made. After a call of {@link Conflict.merge} also takes the changes that
   * only the left side has made: both replace earlier outcomes.
   */
  async mergeNonConflicting(): Promise<void> {
    this.#check();
    for await (const difference of this.#differences()) {
      const { key, base: ancestor, left, right } = difference;
      if (isConflict(difference)) continue;
      if (!sameEntry(ancestor, right)) this.#take(key, right);
      else if (this.#merged && !sameEntry(ancestor, left)) this.#take(key, left);
    }
  }

  /** @internal The outcomes as changes of the left side, for the merger. */
  get changes(): ChangeSet {
    return this.#journal.contents;
  }

  /** @internal Closes the snapshots and releases the values, for the merger. */
  async end(): Promise<void> {
    this.#ended = true;
    for (const release of this.#holds) release();
    this.#storage.values.discard(this.#values);
    await Promise.all([this.left.close(), this.right.close(), this.ancestor.close()]);
  }

  #take(key: Uint8Array, entry: TreeEntry | undefined): void {
    if (entry === undefined) this.#journal.delete(key);
    else this.#journal.put(key, entry.value, entry.priority);
  }

  #differences(): AsyncGenerator<ThreeWayDifference, void, undefined> {
    this.#check();
    const { left, right, ancestor } = this.#sides;
    return diffThreeWay(this.#storage.objects, {
      base: ancestor.root,
      left: left.root,
      right: right.root,
    });
  }

  async #entry(difference: ThreeWayDifference): Promise<ConflictingEntry> {
    const { key, base: ancestor, left, right } = difference;
    const [a, l, r] = await Promise.all([ancestor, left, right].map((entry) => this.#withValue(entry)));
    return { key: copyBytes(key), ancestor: a, left: l, right: r };
  }

  async #withValue(entry: TreeEntry | undefined): Promise<PageEntry | undefined> {
    if (entry === undefined) return undefined;
    const [value] = await valuesOf(this.#storage.objects, [entry]);
    return { key: copyBytes(entry.key), value, priority: entry.priority };
  }

  #check(): void {
    if (this.#ended) throw new MerostoreError("ILLEGAL_STATE", "the conflict is resolved already");
  }
}

/** Checks and copies the entries of {@link Conflict.merge}. */
function checkedEntries(entries: Iterable<MergedEntry>): {
  readonly key: Uint8Array;
  readonly entry: "right" | "delete" | { readonly value: Uint8Array; readonly priority: Priority };
}[] {
  if (typeof entries !== "object" || entries === null || !(Symbol.iterator in entries))
    throw invalid(`merge needs a list of entries, not ${describeValue(entries)}`);
  return Array.from(entries, (merged) => {
    const { use } = merged ?? {};
    const expected = isUse(use);
    if (expected !== undefined)
      throw invalid(`use of a merged entry must be ${expected}, not ${describeValue(use)}`);
    const key = keyBytes(merged.key);
    if (merged.use !== "new") return { key, entry: merged.use };
    return {
      key,
      entry: { value: textOrBytes(merged.value, "a value"), priority: priorityOf(merged.priority) },
    };
  });
}

const isUse = isOneOf(["right", "new", "delete"]);

function invalid(message: string): MerostoreError {
  return new MerostoreError("INVALID_ARGUMENT", message);
}

/** Whether all three entries are different. */
export function isConflict({ base, left, right }: ThreeWayDifference): boolean {
  return !sameEntry(base, left) && !sameEntry(base, right) && !sameEntry(left, right);
}

/** Whether two entries are equal, or both missing. */
export function sameEntry(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalEntries(a, b);
}
