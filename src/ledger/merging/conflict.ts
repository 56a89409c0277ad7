/** A merge that the program decides. */
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

/** A key that both sides, or one of them, have changed since they parted; undefined where there is no entry. */
export interface ConflictingEntry {
  readonly key: Uint8Array;
  readonly ancestor: PageEntry | undefined;
  readonly left: PageEntry | undefined;
  readonly right: PageEntry | undefined;
}

/** What becomes of a key in a merge. */
export type MergedEntry =
  /** The right side's entry, or none if it has none. */
  | { readonly key: EntryKey; readonly use: "right" }
  | {
      readonly key: EntryKey;
      readonly use: "new";
      readonly value: Uint8Array | string;
      /** `eager` unless given. */
      readonly priority?: Priority;
    }
  | { readonly key: EntryKey; readonly use: "delete" };

/** The three states that a merge is made of. */
export interface Sides {
  /** The newer one. */
  readonly left: Commit;
  readonly right: Commit;
  /** The state in which they parted. */
  readonly ancestor: Commit;
}

/**
 * A conflict of two states of a page. The merge has the left side's entries, apart from what {@link Conflict.merge} and
 * {@link Conflict.mergeNonConflicting} say.
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
  /** The newer state, from which the merge begins. */
  readonly left: PageSnapshot;
  /** The older state. */
  readonly right: PageSnapshot;
  /** The state in which both parted. */
  readonly ancestor: PageSnapshot;
  readonly #storage: PageStorage;
  readonly #sides: Sides;
  readonly #journal = new Journal();
  readonly #holds: Release[] = [];
  /** Values that it was given. */
  readonly #values: ObjectIdentifier[] = [];
  #merged = false;
  #ended = false;

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

  /** All keys that a side has changed, ascending; also those that both changed in the same way. */
  async *differences(): AsyncGenerator<ConflictingEntry, void, undefined> {
    for await (const difference of this.#differences()) yield this.#entry(difference);
  }

  /** The keys that both sides have changed, in different ways, ascending. */
  async *conflicts(): AsyncGenerator<ConflictingEntry, void, undefined> {
    for await (const difference of this.#differences())
      if (isConflict(difference)) yield this.#entry(difference);
  }

  /**
   * Sets the outcome for keys. Calls add up; the last outcome for a key wins.
   * @throws MerostoreError INVALID_ARGUMENT for a wrong entry; then the whole call has no effect
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
   * Takes over what only the right side has changed. After a call of {@link Conflict.merge} also what only the left side
   * has changed, so that both hold whatever was said of them before.
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

  /** What was said, as changes of the left side. For the merger. */
  get changes(): ChangeSet {
    return this.#journal.contents;
  }

  /** Ends it. For the merger. */
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

/** Whether all three are different. */
export function isConflict({ base, left, right }: ThreeWayDifference): boolean {
  return !sameEntry(base, left) && !sameEntry(base, right) && !sameEntry(left, right);
}

/** Whether two entries are the same, or both missing. */
export function sameEntry(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalEntries(a, b);
}
