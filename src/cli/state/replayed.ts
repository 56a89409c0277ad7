/** The state of a context at a moment, for the commands that show it. */
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { counted } from "../../bytes/quantity.js";
import type { Json } from "../../codec/index.js";
import { invalidArgument } from "../../errors.js";
import type { Schema } from "../../schemas/index.js";
import {
  type ContextReplay,
  type ReplayMoment,
  type ReplayPosition,
  readerAt,
  readReplay,
  type StateOptions,
} from "../../state/index.js";
import type { Store, StoreReader } from "../../store/index.js";
import { shortDate } from "../lines.js";
import { timeOf } from "../moment-text.js";

/** A moment of a context: the database as of then, and the last delta. */
export interface ReplayedMoment {
  readonly reader: StoreReader<Schema>;
  readonly position: ReplayPosition;
  /** 64 hex digits; undefined where data from before the first delta is not known. */
  readonly rootHash: string | undefined;
}

/** Replays a context, once for all moments that a command asks for. */
export class Moments {
  readonly replay: ContextReplay;
  readonly #store: Store;

  private constructor(store: Store, replay: ContextReplay) {
    this.#store = store;
    this.replay = replay;
  }

  static async of(store: Store, contextId: Uint8Array, options: StateOptions = {}): Promise<Moments> {
    return new Moments(store, await readReplay(store, contextId, options));
  }

  /** The state at a moment as it was typed. */
  at(typed: string): Promise<ReplayedMoment> {
    return this.atMoment(typedMoment(typed, this.replay.length));
  }

  /** The state at a moment. */
  async atMoment(moment: ReplayMoment): Promise<ReplayedMoment> {
    const position = await this.replay.position(moment);
    if (!(moment instanceof Date)) {
      await this.replay.moveTo(moment);
      return this.#here(position);
    }
    // The state of a moment is proven if it is also the one of the last delta's author.
    await this.replay.moveTo(position.position);
    const ofAuthor = this.replay.rootHash;
    await this.replay.moveTo(moment);
    const { rootHash } = this.replay;
    const isSame = ofAuthor !== undefined && rootHash !== undefined && equalBytes(ofAuthor, rootHash);
    return this.#here(isSame ? position : { ...position, verdict: "unknown" });
  }

  /** The state after all deltas. */
  now(): Promise<StoreReader<Schema>> {
    return this.afterFirst(this.replay.length);
  }

  /** The state after the first deltas in causal order. */
  async afterFirst(count: number): Promise<StoreReader<Schema>> {
    await this.replay.moveToFirst(count);
    return readerAt<Schema>(this.#store, this.replay);
  }

  /**
   * Returns whether an author's root hash proves the state after the first deltas. Of no delta it is empty, or that of a
   * checkpoint.
   */
  async isProvenAfterFirst(count: number): Promise<boolean> {
    const { replay } = this;
    if (count === 0) {
      const { isJoined, baseHash, checkpoint } = replay;
      return (
        !isJoined || (baseHash !== undefined && checkpoint !== undefined && equalBytes(baseHash, checkpoint))
      );
    }
    if (!isProven(await replay.position(count))) return false;
    await replay.moveTo(count);
    const ofAuthor = replay.rootHash;
    await replay.moveToFirst(count);
    const { rootHash } = replay;
    return ofAuthor !== undefined && rootHash !== undefined && equalBytes(ofAuthor, rootHash);
  }

  async #here(position: ReplayPosition): Promise<ReplayedMoment> {
    const { rootHash } = this.replay;
    return {
      reader: await readerAt<Schema>(this.#store, this.replay),
      position,
      rootHash: rootHash && toHex(rootHash),
    };
  }
}

/** A moment as it was typed: a number is a position, a date or time a time, and other hex digits begin the id of a delta. */
export function typedMoment(typed: string, deltas: number): ReplayMoment {
  // Digits are a number if the context has as many deltas, or if they are too few for an id.
  if (/^\d{1,9}$/.test(typed) && (Number(typed) <= deltas || typed.length < 4)) return Number(typed);
  if (/^[0-9a-f]{4,64}$/i.test(typed)) return typed.toLowerCase();
  const time = timeOf(typed);
  if (time === undefined)
    throw invalidArgument(
      `${typed} is not a moment: give the id of a delta, its number from 1 to ${deltas}, or a time as 2026-11-21T05:51Z`,
    );
  return time;
}

/** `delta 19 of 155 (fb56c6d8), 2026-11-21 14:03:07 UTC`. */
export function positionText({ position, of, delta, time }: ReplayPosition, utc: boolean): string {
  const when = time === undefined ? "" : `, ${shortDate(time, utc)}`;
  return `delta ${position} of ${of} (${delta.slice(0, 8)})${when}`;
}

/** Returns whether a state is proven, with or without deltas that were not named. */
export function isProven({ verdict }: Pick<ReplayPosition, "verdict">): boolean {
  return verdict === "proven" || verdict === "proven-with-unnamed";
}

/** The certainty of a state, in words. */
export function verdictText({ verdict, unnamed, leftOut, takenOver, unknown }: ReplayPosition): string {
  switch (verdict) {
    case "proven":
      return "proven: it has the root hash of the delta's author";
    case "proven-with-unnamed": {
      const had =
        unnamed.length === 0 ? [] : [`had applied ${counted(unnamed.length, "delta")} that it does not name`];
      const lacked =
        leftOut.length === 0 ? [] : [`had not applied ${counted(leftOut.length, "delta")} that it follows`];
      const taken =
        takenOver.length === 0
          ? []
          : [`had taken over ${counted(takenOver.length, "entity", "entities")} from another node`];
      return `proven: it has the root hash of the delta's author, who ${[...had, ...lacked, ...taken].join(" and ")}`;
    }
    case "unknown":
      return unknown === "older data"
        ? "not proven: it has data from before the first delta that is not known"
        : "not proven: no author had this state, or its delta carries no root hash";
    case "differs":
      return "not proven: the author's root hash is another one, as in the middle of a repair, or after a merge that only the application knows";
  }
}

/** A position as JSON. */
export function positionJson({ delta, position, of, time }: ReplayPosition): {
  readonly [name: string]: Json;
} {
  return { delta, position, of, time: time === undefined ? null : new Date(time).toISOString() };
}
