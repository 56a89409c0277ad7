/** Outcomes of a merge, as the program passes them: checked, copied, and their new values stored. */
import { describeValue, invalidArgument, isOneOf } from "merostore/internal";
import type { ObjectIdentifier } from "../objects.js";
import { type EntryKey, keyBytes } from "../page/key.js";
import { type EntryValue, giveUp, priorityOf, type ValueReference, valueBytes } from "../page/value.js";
import type { Release } from "../storage/holds.js";
import type { ChangeSet } from "../storage/journal.js";
import type { PageStorage } from "../storage/page-storage.js";
import type { Priority } from "../tables/tree-node.js";
import type { MergedPage } from "./conflict.js";

/** The outcome of a merge for a key. */
export type MergedEntry =
  | {
      /** The key of the outcome. */
      readonly key: EntryKey;
      /** The entry of the older head, or no entry if it has none. */
      readonly use: "older";
    }
  | {
      /** The key of the outcome. */
      readonly key: EntryKey;
      /** A new entry. */
      readonly use: "new";
      /** The value of the new entry: bytes, text as UTF-8, or a stream of bytes of any length. */
      readonly value: EntryValue;
      /** `eager` unless given. */
      readonly priority?: Priority;
    }
  | {
      /** The key of the outcome. */
      readonly key: EntryKey;
      /** A new entry with a value that the page already holds. */
      readonly use: "reference";
      /** A reference that a connection to the page has made: see {@link Page.createReference}. */
      readonly reference: ValueReference;
      /** `eager` unless given. */
      readonly priority?: Priority;
    }
  | {
      /** The key of the outcome. */
      readonly key: EntryKey;
      /** No entry. */
      readonly use: "delete";
    };

/** A value that is stored, and held until the release, or that is in memory. */
export interface HeldValue {
  readonly root: ObjectIdentifier;
  /** The pieces of a value in memory. */
  readonly pieces?: ChangeSet["pieces"];
  readonly release: Release;
}

/** An outcome whose value is stored. */
export interface StoredOutcome {
  readonly key: Uint8Array;
  readonly entry: "older" | "delete" | { readonly value: HeldValue; readonly priority: Priority };
}

type Outcome =
  | Exclude<StoredOutcome["entry"], object>
  | { readonly source: Uint8Array | AsyncIterable<Uint8Array>; readonly priority: Priority }
  | { readonly reference: ObjectIdentifier; readonly priority: Priority };

/**
 * Checks the outcomes, then stores their new values, one after another: streams at constant memory. If anything fails,
 * no value stays, and all streams are destroyed.
 *
 * @param check throws once the merge has ended
 * @param isMemory true if values that are bytes stay in memory
 * @throws MerostoreError INVALID_ARGUMENT for an invalid entry; the error of a stream
 */
export async function storeOutcomes(
  entries: Iterable<MergedEntry>,
  page: MergedPage,
  check: () => void,
  isMemory = false,
): Promise<StoredOutcome[]> {
  if (typeof entries !== "object" || entries === null || !(Symbol.iterator in entries))
    throw invalidArgument(`merge needs a list of entries, not ${describeValue(entries)}`);
  const given = [...entries];
  try {
    return await checkAndStore(given, page, check, isMemory);
  } catch (error) {
    for (const entry of given) if (entry?.use === "new") await giveUp(entry.value);
    throw error;
  }
}

async function checkAndStore(
  given: readonly MergedEntry[],
  page: MergedPage,
  check: () => void,
  isMemory: boolean,
): Promise<StoredOutcome[]> {
  check();
  const checked = given.map((entry) => ({ key: keyOf(entry), outcome: outcomeOf(entry, page) }));
  const stored: StoredOutcome[] = [];
  try {
    for (const { key, outcome } of checked) {
      const entry =
        typeof outcome === "string"
          ? outcome
          : { value: await heldValue(outcome, page, check, isMemory), priority: outcome.priority };
      stored.push({ key, entry });
      check();
    }
    return stored;
  } catch (error) {
    discard(stored, page.storage);
    throw error;
  }
}

/** Gives up stored values. */
export function discard(outcomes: readonly StoredOutcome[], { values }: PageStorage): void {
  const held = outcomes.flatMap(({ entry }) => (typeof entry === "string" ? [] : [entry.value]));
  for (const { release } of held) release();
  values.discard(held.filter(({ pieces }) => pieces === undefined).map(({ root }) => root));
}

async function heldValue(
  outcome: Exclude<Outcome, string>,
  { storage: { objectHolds, values } }: MergedPage,
  check: () => void,
  isMemory: boolean,
): Promise<HeldValue> {
  if ("reference" in outcome) {
    const root = outcome.reference;
    return { root, release: objectHolds.hold(root.digest) };
  }
  const { source } = outcome;
  if (isMemory && source instanceof Uint8Array) return { ...values.split(source), release: () => undefined };
  return values.store(source instanceof Uint8Array ? [source] : untilEnded(source, check));
}

/** Passes a stream on until the merge has ended. */
async function* untilEnded(
  source: AsyncIterable<Uint8Array>,
  check: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of source) {
    check();
    yield chunk;
  }
}

function keyOf(entry: MergedEntry): Uint8Array {
  const { use } = entry ?? {};
  const expected = isUse(use);
  if (expected !== undefined)
    throw invalidArgument(`use of a merged entry must be ${expected}, not ${describeValue(use)}`);
  return keyBytes(entry.key);
}

function outcomeOf(entry: MergedEntry, page: MergedPage): Outcome {
  if (entry.use === "older" || entry.use === "delete") return entry.use;
  const priority = priorityOf(entry.priority);
  return entry.use === "new"
    ? { source: valueBytes(entry.value, page), priority }
    : { reference: page.references.get(entry.reference), priority };
}

const isUse = isOneOf(["older", "new", "reference", "delete"]);
