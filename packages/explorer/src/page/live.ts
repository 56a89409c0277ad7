/** Follows a database while a node writes to it: collects the changes and refreshes the views. */
import { computed, effect, signal, untracked } from "@preact/signals";
import type { Changed, ChangedRow } from "../worker/follow.js";
import type { Told, ToldId } from "../worker/past/told.js";
import { addressOf, place } from "./address.js";
import { announce } from "./announcements.js";
import { messageOf } from "./message-of.js";
import { oneAtATime, rest } from "./one-at-a-time.js";
import { database, refresh, written } from "./session.js";
import { ask } from "./worker-client.js";

/** The most written rows that are kept. */
const MOST = 500;
/** The most deltas and operations that are put into words after a refresh. */
const MOST_TOLD = 40;
/** Milliseconds for which arrivals are kept. */
const KEPT = 60_000;
/**
 * The shortest time between two refreshes of the views, in milliseconds. A refresh of a large database takes seconds.
 */
const PAUSE = 1_000;

/** A row that was written. */
export interface LiveRow extends ChangedRow {
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
  /** Its number among the rows that were {@link written}. */
  readonly number: number;
}

/** Rows that came together. */
export interface Arrival {
  readonly at: number;
  readonly rows: number;
}

/** The rows that were written since following began. */
export interface Followed {
  /** Rows by kind; the empty name for rows of no known kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** The newest rows, newest first. */
  readonly rows: readonly LiveRow[];
  /** All rows. */
  readonly count: number;
  /** The arrivals of the last minute, oldest first. */
  readonly arrivals: readonly Arrival[];
  /** True if some may be missing. */
  readonly isIncomplete: boolean;
}

const NOTHING: Followed = { kinds: {}, rows: [], count: 0, arrivals: [], isIncomplete: false };

/** True if the database is followed. */
export const following = signal(false);

/** The rows that were written since following began. */
export const followed = signal<Followed>(NOTHING);

/** The deltas and operations in words, by the keys of their rows; undefined if the row was gone by then. */
export const toldRows = signal<ReadonlyMap<string, Told | undefined>>(new Map());

/** The reason why following ended by itself. */
export const followFailure = signal<string | undefined>(undefined);

/** The keys, in hex, of rows that were written since: lists highlight them. */
export const newKeys = computed(() => new Set(followed.value.rows.map(({ key }) => key)));

/** The present following. The worker learns a second later that a following has ended, and reports until then. */
let current: object | undefined;

/** Begins to follow. */
export function startFollowing(): void {
  if (following.value) return;
  const own = {};
  current = own;
  following.value = true;
  forget();
  ask("a", "follow", async (changed) => {
    if (changed !== undefined && current === own) add(changed);
    return current === own;
  })
    .catch((error: unknown) => {
      if (current === own) followFailure.value = messageOf(error);
    })
    .finally(() => {
      if (current === own) stopFollowing();
    });
}

/** Ends the following. The collected rows stay listed. */
export function stopFollowing(): void {
  current = undefined;
  following.value = false;
}

function forget(): void {
  followed.value = NOTHING;
  toldRows.value = new Map();
  followFailure.value = undefined;
}

// Rows written to one database say nothing about another one. A served database is followed at once.
effect(() => {
  const isLive = database.value?.isLive === true;
  untracked(() => {
    stopFollowing();
    forget();
    if (isLive) startFollowing();
  });
});

function add({ kinds, rows, isIncomplete }: Changed): void {
  const before = followed.value;
  const sums: Record<string, number> = { ...before.kinds };
  let came = 0;
  for (const [kind, number] of Object.entries(kinds)) {
    sums[kind] = (sums[kind] ?? 0) + number;
    came += number;
  }
  written.value += came;
  // The words of a row that is written again are outdated: a pending delta may be applied by now.
  if (rows.some(({ key }) => toldRows.value.has(key))) {
    const keys = new Set(rows.map(({ key }) => key));
    toldRows.value = new Map([...toldRows.value].filter(([key]) => !keys.has(key)));
  }
  const at = Date.now();
  const newest = [...rows].reverse().map((row, back) => ({ ...row, at, number: written.value - back }));
  followed.value = {
    kinds: sums,
    rows: [...newest, ...before.rows].slice(0, MOST),
    count: before.count + came,
    arrivals: [...before.arrivals.filter((one) => at - one.at < KEPT), { at, rows: came }],
    isIncomplete: before.isIncomplete || isIncomplete,
  };
  if (place.value.view !== "live")
    announce(sentenceOf(kinds, came), { words: "Show", address: addressOf("live") });
  refreshSoon();
}

/** The most kinds that a message names. */
const NAMED = 3;

function sentenceOf(kinds: Readonly<Record<string, number>>, count: number): string {
  const names = Object.entries(kinds)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, number]) => `${number} × ${kind || "unknown"}`);
  const more = names.length > NAMED ? ", …" : "";
  return `${count} ${count === 1 ? "row" : "rows"} written: ${names.slice(0, NAMED).join(", ")}${more}`;
}

/** Refreshes the views after a pause. Changes within the pause share one refresh. */
const refreshSoon = oneAtATime(
  async () => {
    const begun = performance.now();
    try {
      await refresh("a");
      await tell();
    } catch {
      if (following.peek()) refreshSoon(); // The views lack these changes until it succeeds.
    }
    // A long refresh is not repeated at once.
    await rest(2 * (performance.now() - begun));
  },
  () => rest(PAUSE),
);

/** The kinds of rows that are put into words. */
const TOLD_KINDS: Readonly<Record<string, ToldId["of"]>> = {
  ContextDagDelta: "delta",
  NamespaceGovOp: "operation",
};

/** The delta or operation of a new row; undefined for other rows, and for rows that were there before. */
export function toldIdOf({ kind, type, existed, parts }: ChangedRow): ToldId | undefined {
  const of = kind === undefined ? undefined : TOLD_KINDS[kind];
  const id = parts.find(([name]) => name === "deltaId")?.[1];
  return of === undefined || id === undefined || type === "delete" || existed === true
    ? undefined
    : { of, id };
}

/** Puts the newest deltas and operations into words. If many came at once, the others stay rows. */
async function tell(): Promise<void> {
  const own = current;
  const wanted = followed.value.rows.flatMap((row) => {
    const id = toldRows.value.has(row.key) ? undefined : toldIdOf(row);
    return id === undefined ? [] : [[row.key, id] as const];
  });
  const asked = wanted.slice(0, MOST_TOLD);
  if (asked.length === 0) return;
  const ids = asked.map(([, id]) => id);
  const found = await ask("a", "told", false, ids);
  if (own !== current) return;
  const kept = new Set(followed.value.rows.map(({ key }) => key));
  const all = new Map([...toldRows.value].filter(([key]) => kept.has(key)));
  for (const [at, [key]] of asked.entries()) all.set(key, found[at]);
  toldRows.value = all;
}
