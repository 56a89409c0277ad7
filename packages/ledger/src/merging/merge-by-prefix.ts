/** Merges of counters and sets, chosen by the prefix of the key. */
import { describeValue, invalidArgument, MerostoreError, orUndefined, toHex } from "merostore/internal";
import { checkCallback } from "../callbacks.js";
import { textOrBytes } from "../page/key.js";
import { hasPrefix, type PageEntry } from "../page/snapshot.js";
import type { Conflict, ConflictingEntry } from "./conflict.js";
import { type PagePolicy, purePolicy } from "./resolver.js";

/** The values at a key that both heads have changed, even if in the same way. A missing entry is undefined. */
export interface MergedValues {
  /** The value before both sides changed it. */
  readonly ancestor: Uint8Array | undefined;
  /** The value of the newer head. */
  readonly newer: Uint8Array | undefined;
  /** The value of the older head. */
  readonly older: Uint8Array | undefined;
}

/**
 * Merges the values at a key that both heads have changed: returns the value of the merge, or undefined for no entry.
 * Every device must return the same for the same values.
 */
export type ValueMerge = (values: MergedValues) => Uint8Array | undefined;

/**
 * Returns a policy that merges some keys by functions: {@link mergeCounters}, {@link mergeSets}, or functions of the
 * program. At all other keys the last one wins, as it does without a resolver. All programs that merge the pages must
 * use the same policy.
 *
 * @param merges functions by the prefix of keys, as text; the longest prefix of a key counts
 * @throws MerostoreError INVALID_ARGUMENT for anything but functions
 * @example
 * import { mergeByPrefix, mergeCounters, mergeSets } from "merostore-ledger";
 *
 * ledger.setConflictResolver(() => mergeByPrefix({ "likes/": mergeCounters, "tags/": mergeSets }));
 */
export function mergeByPrefix(merges: Readonly<Record<string, ValueMerge>>): PagePolicy {
  if (typeof merges !== "object" || merges === null)
    throw invalidArgument(`mergeByPrefix takes functions by prefix, not ${describeValue(merges)}`);
  for (const [prefix, merge] of Object.entries(merges))
    checkCallback(`the merge of ${JSON.stringify(prefix)}`, merge);
  const all = Object.entries(merges)
    .map(([prefix, merge]) => ({ prefix: textOrBytes(prefix, "a prefix of keys"), merge }))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  const mergeOf = (key: Uint8Array) => all.find(({ prefix }) => hasPrefix(key, prefix))?.merge;
  return purePolicy({
    policy: "custom",
    async resolve(conflict: Conflict) {
      await conflict.mergeNonConflicting();
      for await (const entry of conflict.changedByBoth((key) => mergeOf(key) !== undefined)) {
        const value = mergeOf(entry.key)?.(valuesOf(entry));
        const priority = (entry.newer ?? entry.older)?.priority ?? "eager";
        const outcome =
          value === undefined ? { use: "delete" as const } : { use: "new" as const, value, priority };
        await conflict.merge([{ key: entry.key, ...outcome }]);
      }
    },
  });
}

/**
 * Adds the changes of both sides to a whole number. The value is its decimal digits: a number in JSON. A missing entry
 * counts as 0, but if both sides have deleted the entry, the merge has none. If a value has another form, or more than
 * 40 characters, the last one wins.
 */
export const mergeCounters: ValueMerge = (values) => {
  const [ancestor, newer, older] = [values.ancestor, values.newer, values.older].map(counterOf);
  if (ancestor === undefined || newer === undefined || older === undefined) return values.newer;
  if (values.newer === undefined && values.older === undefined) return undefined;
  return encoder.encode(`${newer + older - ancestor}`);
};

/**
 * Joins two sets: keeps the elements that both sides have kept, and adds the elements that a side has added. The value
 * is a list in JSON. Two elements are the same if `JSON.stringify` gives the same text, which also orders the merge. A
 * missing entry counts as an empty set. If a side has deleted the entry and the other has added nothing, the merge has
 * no entry. If a value has another form, or more than 1 MiB, the last one wins.
 */
export const mergeSets: ValueMerge = (values) => {
  const [ancestor, newer, older] = [values.ancestor, values.newer, values.older].map(elementsOf);
  if (ancestor === undefined || newer === undefined || older === undefined) return values.newer;
  const kept = [...newer].filter((element) => older.has(element) || !ancestor.has(element));
  const added = [...older].filter((element) => !ancestor.has(element));
  const merged = [...new Set([...kept, ...added])].sort();
  const isDeleted = values.newer === undefined || values.older === undefined;
  return isDeleted && merged.length === 0 ? undefined : encoder.encode(`[${merged.join(",")}]`);
};

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The most characters of a counter. */
const MOST_DIGITS = 40;
/** The most bytes of a set. */
const MOST_BYTES = 1 << 20;

function counterOf(value: Uint8Array | undefined): bigint | undefined {
  if (value === undefined) return 0n;
  if (value.length > MOST_DIGITS) return undefined;
  const text = orUndefined(() => decoder.decode(value));
  return text !== undefined && /^(0|-?[1-9][0-9]*)$/.test(text) ? BigInt(text) : undefined;
}

function elementsOf(value: Uint8Array | undefined): ReadonlySet<string> | undefined {
  if (value === undefined) return new Set();
  if (value.length > MOST_BYTES) return undefined;
  const list = orUndefined((): unknown => JSON.parse(decoder.decode(value)));
  return Array.isArray(list) ? new Set(list.map((element) => JSON.stringify(element))) : undefined;
}

/** @throws MerostoreError NEEDS_FETCH for a lazy value that is not on this device: the merge is tried again later */
function valuesOf({ key, ancestor, newer, older }: ConflictingEntry): MergedValues {
  const wholeValue = (entry: PageEntry | undefined): Uint8Array | undefined => {
    if (entry !== undefined && entry.value === undefined)
      throw new MerostoreError(
        "NEEDS_FETCH",
        `the value at the key ${toHex(key)} must be merged and is not on this device: entries that are merged should be eager`,
      );
    return entry?.value;
  };
  return { ancestor: wholeValue(ancestor), newer: wholeValue(newer), older: wholeValue(older) };
}
