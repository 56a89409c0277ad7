/** Follows a database while a node writes to it: collects the changes and refreshes the views. */
import { computed, effect, signal } from "@preact/signals";
import type { Changed, ChangedRow } from "../worker/follow.js";
import { addressOf, place } from "./address.js";
import { announce } from "./announcements.js";
import { messageOf } from "./message-of.js";
import { oneAtATime, rest } from "./one-at-a-time.js";
import { database, refresh, written } from "./session.js";
import { ask } from "./worker-client.js";

export type { ChangedRow } from "../worker/follow.js";

/** Rows that are kept of what came. */
const MOST = 500;
/** The shortest time between two refreshes of the views, in milliseconds. A refresh of a large database takes seconds. */
const PAUSE = 1_000;

/** The rows that were written since following began. */
export interface Followed {
  /** Rows by kind; the empty name for those of no known kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** The newest rows, newest first. */
  readonly rows: readonly (ChangedRow & { readonly at: number })[];
  /** All rows. */
  readonly count: number;
  /** True if some may be missing. */
  readonly isIncomplete: boolean;
}

const NOTHING: Followed = { kinds: {}, rows: [], count: 0, isIncomplete: false };

/** True if the database is followed. */
export const following = signal(false);

/** The rows that were written since following began. */
export const followed = signal<Followed>(NOTHING);

/** The reason why following ended by itself. */
export const followFailure = signal<string | undefined>(undefined);

/** The keys, in hex, of rows that were written since: lists highlight them. */
export const newKeys = computed(() => new Set(followed.value.rows.map(({ key }) => key)));

/** The present following. The worker learns a second later that it ended: until then it still reports. */
let current: object | undefined;

/** Begins to follow. */
export function startFollowing(): void {
  if (following.value) return;
  const own = {};
  current = own;
  following.value = true;
  followed.value = NOTHING;
  followFailure.value = undefined;
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

/** Ends it. What came stays listed. */
export function stopFollowing(): void {
  current = undefined;
  following.value = false;
}

// Rows written to one database say nothing about another one.
effect(() => {
  void database.value;
  stopFollowing();
  followed.value = NOTHING;
  followFailure.value = undefined;
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
  const at = Date.now();
  const newest = [...rows].reverse().map((row) => ({ ...row, at }));
  followed.value = {
    kinds: sums,
    rows: [...newest, ...before.rows].slice(0, MOST),
    count: before.count + came,
    isIncomplete: before.isIncomplete || isIncomplete,
  };
  if (place.value.view !== "live")
    announce(sentenceOf(kinds, came), { words: "Show", address: addressOf("live") });
  refreshSoon();
}

/** Kinds that a message names. */
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
    } catch {
      if (following.peek()) refreshSoon(); // The views lack these changes until it succeeds.
    }
    // A refresh that takes long is not repeated at once.
    await rest(2 * (performance.now() - begun));
  },
  () => rest(PAUSE),
);
