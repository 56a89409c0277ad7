/** The answers about the past: positions of a history, and the state at one of them. */
import type { Named } from "merostore/node";
import type { Word } from "../database/words.js";
import type { Person } from "../history/history.js";

/** The history of a context, or the part of a namespace's history about a group. Positions count from 1, the oldest. */
export interface Timeline {
  readonly of: Named;
  readonly within: readonly Named[];
  readonly size: number;
  /** When each was made, in milliseconds since 1970; NaN if unknown. */
  readonly times: Float64Array;
  readonly colours: Uint8Array;
  /** The sum of {@link FORK} and {@link GAP}. */
  readonly marks: Uint8Array;
  readonly people: readonly Person[];
  /** True if the database lacks older ones: the node joined by a snapshot, or its history was pruned. */
  readonly isJoined: boolean;
  /** When the oldest data before the first position was made; undefined if there is none. */
  readonly since: number | undefined;
  readonly pending: number;
}

/** Marks: a position with several children, and a position with a missing parent. */
export const [FORK, GAP] = [1, 2];

/** A moment that a view wants: a position, or the id of the last delta or operation. */
export type Wanted = number | string;

/** The delta or operation that made a change. */
export interface By {
  readonly id: string;
  readonly position: number | undefined;
  readonly author: Named | undefined;
  readonly colour: number;
  readonly time: number | undefined;
}

/** A value as JSON; null for a text, which is requested by itself; undefined if there is none. */
export type PastValue = string | null | undefined;

/** An entry of the data, or a member of a group, at a moment. */
export interface PastRow {
  readonly key: string;
  readonly name: string;
  readonly value: PastValue;
  /** The last value of an entry that is gone. */
  readonly was: PastValue;
  /** Undefined for an entry from before the first position. */
  readonly by: By | undefined;
  /**
   * The positions at which its life began and ended, or will end, and the colour of the author who began it; undefined
   * if unknown.
   */
  readonly life: { readonly from: number; readonly to: number; readonly colour: number } | undefined;
}

/** A change of an entry. */
export interface PastChange {
  readonly name: string;
  readonly before: PastValue;
  readonly after: PastValue;
}

/** A moment. */
export interface Moment {
  readonly position: number;
  /** The delta or operation; undefined at position 0. */
  readonly by: By | undefined;
  readonly parents: readonly string[];
  /** The words of an operation. */
  readonly words: readonly Word[] | undefined;
  readonly changes: readonly PastChange[];
  readonly changeCount: number;
  /** The number of present entries, and of removed ones. */
  readonly count: number;
  readonly removed: number;
  /** The number of rows that pass the filter, and the rows in sight. */
  readonly total: number;
  readonly rows: readonly PastRow[];
  /** More facts: term and content. */
  readonly facts: readonly (readonly [term: string, content: string])[];
}

/** The rows of a moment that a view wants. */
export interface RowsWanted {
  readonly order: "newest" | "name";
  readonly filter: string;
  readonly from: number;
  readonly to: number;
}

/** The differences between two moments: the first of each kind, and the number of all. */
export interface PastDiff {
  readonly from: By | undefined;
  readonly to: By | undefined;
  readonly steps: number;
  readonly added: readonly PastChange[];
  readonly removed: readonly PastChange[];
  readonly changed: readonly PastChange[];
  readonly counts: readonly [added: number, removed: number, changed: number];
}

/** An event in the life of an entry. */
export interface LifeEvent {
  readonly value: PastValue;
  readonly by: By | undefined;
}

/** The verdict on the state at a moment. */
export interface PastVerdict {
  readonly severity: "ok" | "skip" | "info" | "error";
  readonly words: string;
}

/** The most differences of a kind that are sent to the page. */
const LISTED = 60;

/** Sorts differences by their kind. */
export function diffOf(
  changes: Iterable<PastChange>,
  between: Pick<PastDiff, "from" | "to" | "steps">,
): PastDiff {
  const lists: readonly PastChange[][] = [[], [], []];
  const counts: [number, number, number] = [0, 0, 0];
  for (const change of changes) {
    const { before, after } = change;
    const kind = before === undefined ? 0 : after === undefined ? 1 : 2;
    if (before === after && before !== null && !before?.endsWith("…")) continue;
    if (counts[kind]!++ < LISTED) lists[kind]?.push(change);
  }
  const [added = [], removed = [], changed = []] = lists;
  return { ...between, added, removed, changed, counts };
}

/** Rows whose name or value has a text. */
export function passes(
  filter: string,
  { name, value, was }: Pick<PastRow, "name" | "value" | "was">,
): boolean {
  const wanted = filter.toLowerCase();
  return wanted === "" || [name, value, was].some((text) => text?.toLowerCase().includes(wanted) === true);
}
