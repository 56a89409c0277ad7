/** The state of a context at a past position: its texts, and whether it is proven. */
import { fromHex, toHex } from "merostore";
import { type Certainty, pastValueAt, readerAt, stateOf } from "merostore/state";
import type { PastVerdict } from "./answers.js";
import type { Past } from "./kept-past.js";

/** Runs work with the replay while no other work moves it. */
function alone<T>(past: Past, work: () => Promise<T>): Promise<T> {
  const done = past.moves.then(work);
  past.moves = done.catch(() => undefined);
  return done;
}

/** The most entries of a state whose texts are read. */
const MOST_ENTRIES = 20_000;

/** A text as JSON; undefined if the state is too large to read it. */
export function textIn(past: Past, position: number, path: string): Promise<string | undefined> {
  const { id, replay, lives, open } = past;
  if (lives.countAt(position) > MOST_ENTRIES) return Promise.resolve(undefined);
  return alone(past, async () => {
    await replay.moveToFirst(position);
    const reader = await readerAt(past.reader, replay);
    const value = await pastValueAt(await stateOf(reader, fromHex(id), open.options), path);
    return value.kind === "value" ? JSON.stringify(value.json) : undefined;
  });
}

/** The verdict on the state at a position. The first one replays all deltas again, with their hashes. */
export function verdictOf(past: Past, position: number): Promise<PastVerdict> {
  const { replay, lives } = past;
  return alone(past, async () => {
    const certainty = await replay.certaintyOfFirst(position);
    await replay.moveToFirst(position);
    const root = replay.rootHash && toHex(replay.rootHash).slice(0, 8);
    const others = certainty.verdict === "proven-with-unnamed" ? await replay.position(position) : undefined;
    const count = others && others.unnamed.length + others.leftOut.length + others.takenOver.length;
    return worded(certainty, root ?? "unknown", count ?? 0, await lives.headsAt(position));
  });
}

function worded(
  { verdict, unknown, witnesses: [witness] }: Certainty,
  root: string,
  others: number,
  heads: number,
): PastVerdict {
  if (verdict === "proven") {
    const whose = witness?.kind === "author" ? "its author had" : "was recorded";
    return {
      severity: "ok",
      words: witness === undefined ? "proven: nothing was before" : `proven: root ${root} is what ${whose}`,
    };
  }
  if (verdict === "proven-with-unnamed")
    return {
      severity: "ok",
      words: `proven with ${others} further ${others === 1 ? "delta or entity" : "deltas or entities"}: root ${root} is what its author had`,
    };
  if (verdict === "agrees") {
    const kind = witness?.kind ?? "rows";
    return { severity: "ok", words: `agrees with ${WITNESSES[kind]}: no hash proves just this state` };
  }
  if (verdict === "differs")
    return {
      severity: "error",
      words: `differs: root ${root} is not ${WITNESSES[witness?.kind ?? "author"]}`,
    };
  if (unknown === "no hash" && heads > 1)
    return {
      severity: "skip",
      words: `root ${root}, which no author had: ${heads} deltas were written at the same time`,
    };
  return { severity: "info", words: `not proven: ${UNKNOWN[unknown ?? "no hash"]}` };
}

const WITNESSES = {
  author: "the one that its author had",
  record: "a root hash that was recorded",
  checkpoint: "the root hash of the checkpoint",
  rows: "the rows of now",
} as const;

const UNKNOWN = {
  "no hash": "no delta carries the root hash of this state",
  "no beginning": "the node joined from a snapshot, and no checkpoint has the state of then",
  "older data": "what its author had from before the first delta is not certain",
  unread: "the changes of a delta do not decode",
  merge: "it has an entry that only the application merges",
} as const;
