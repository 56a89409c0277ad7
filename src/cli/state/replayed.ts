/** The state of a context at a moment, for the commands that show it. */

import { toHex } from "../../bytes/hex.js";
import { asPrinted } from "../../bytes/id.js";
import { counted } from "../../bytes/quantity.js";
import type { Json } from "../../codec/index.js";
import { invalidArgument, isMerostoreError } from "../../errors.js";
import { startsAsTyped } from "../../node/index.js";
import type { Schema } from "../../schemas/index.js";
import {
  type Certainty,
  type ContextReplay,
  type ReplayMoment,
  type ReplayOptions,
  type ReplayPosition,
  type ReplayWitness,
  readerAt,
  readReplay,
  type UnknownBecause,
} from "../../state/index.js";
import type { Store, StoreReader } from "../../store/index.js";
import { timeOf } from "../arguments/moment-text.js";
import { refuseLeftOut } from "../database/lacking-rows.js";
import { type IdLook, idText } from "../output/id-look.js";
import { shortDate } from "../output/lines.js";

/** A moment of a context: the database at that moment, and the last delta. */
export interface ReplayedMoment {
  readonly reader: StoreReader<Schema>;
  readonly position: ReplayPosition;
  /** 64 hex digits; undefined if data from before the first delta is unknown. */
  readonly rootHash: string | undefined;
}

/** The column families that a replay needs. */
export const REPLAYED = ["Delta", "State"];

/** Replays a context once for all moments of a command. */
export class Moments {
  readonly replay: ContextReplay;
  readonly #store: Store;
  readonly #utc: boolean;

  private constructor(store: Store, replay: ContextReplay, utc: boolean) {
    this.#store = store;
    this.#utc = utc;
    this.replay = replay;
  }

  /** @param utc true if times without a zone are typed in UTC */
  static async of(
    store: Store,
    contextId: Uint8Array,
    utc: boolean,
    options: ReplayOptions = {},
  ): Promise<Moments> {
    refuseLeftOut(store, REPLAYED);
    return new Moments(store, await readReplay(store, contextId, options), utc);
  }

  /** The state at a moment as it was typed. */
  async at(typed: string): Promise<ReplayedMoment> {
    const moment = typedMoment(typed, this.replay, this.#utc);
    try {
      return await this.atMoment(moment);
    } catch (error) {
      const isNumber = typeof moment === "string" && /^\d+$/.test(moment);
      if (!isNumber || !isMerostoreError(error, "INVALID_ARGUMENT")) throw error;
      throw invalidArgument(`${error.message}; deltas have the numbers 1 to ${this.replay.length}`);
    }
  }

  /** The state at a moment. */
  async atMoment(moment: ReplayMoment): Promise<ReplayedMoment> {
    const position = await this.replay.position(moment);
    await this.replay.moveTo(moment);
    const { rootHash } = this.replay;
    return {
      reader: await readerAt<Schema>(this.#store, this.replay),
      position,
      rootHash: rootHash && toHex(rootHash),
    };
  }

  /** The state after the first deltas in causal order. */
  async afterFirst(count: number): Promise<StoreReader<Schema>> {
    await this.replay.moveToFirst(count);
    return readerAt<Schema>(this.#store, this.replay);
  }
}

/**
 * Reads a typed moment: a number is a position, a date or time is a time, and other digits are the beginning of a
 * delta's id.
 */
export function typedMoment(typed: string, replay: ContextReplay, utc: boolean): ReplayMoment {
  if (/^operation\b/i.test(typed))
    throw invalidArgument(
      `${typed} is in the log of a group, and a context has deltas: give one by its id or its number from 1 to ${replay.length}, or a time`,
    );
  const text = asPrinted(typed)
    .replace(/^delta (\d+) of \d+$/, "$1")
    .replace(/^checkpoint /, "");
  // Digits are a number if the context has so many deltas, or if there are too few for an id.
  if (/^\d{1,9}$/.test(text) && (Number(text) <= replay.length || text.length < 4)) return Number(text);
  const [, digits] = /^([0-9a-f]{4,64})(?:…|\.\.\.)?$/i.exec(text) ?? [];
  if (digits !== undefined) return digits.toLowerCase();
  const time = timeOf(typed, utc);
  if (time !== undefined) return time;
  const begun = replay.graph.deltas.find(({ id }) => startsAsTyped(id, text));
  if (begun !== undefined) return begun.id;
  throw invalidArgument(
    `${typed === "" ? '""' : typed} is not a moment: give the id of a delta, its number from 1 to ${replay.length}, or a time as 2026-11-21T05:51Z, 2d or yesterday`,
  );
}

/** `delta 19 of 155 (fb56c6d8), 2026-11-21 14:03:07 UTC`. */
export function positionText(
  { position, of, delta, time }: ReplayPosition,
  utc: boolean,
  ids: IdLook,
): string {
  const when = time === undefined ? "" : `, ${shortDate(time, utc)}`;
  if (position === 0) return `checkpoint ${idText(delta, ids)}`;
  return `delta ${position} of ${of} (${idText(delta, ids)})${when}`;
}

/** Returns whether a state is proven, with or without unnamed deltas. */
export function isProven({ verdict }: Certainty): boolean {
  return verdict === "proven" || verdict === "proven-with-unnamed";
}

/** The certainty of a state, short: `proven`, `agrees with the rows of now`, `not proven`. */
export function certaintyText(certainty: Certainty, ids: IdLook): string {
  if (certainty.verdict !== "agrees") return isProven(certainty) ? "proven" : "not proven";
  return `agrees with ${witnessText(ids, certainty.witnesses[0])}`;
}

/** The reasons why a state is unknown, in words. */
const UNKNOWN: Readonly<Record<UnknownBecause, string>> = {
  "no hash": "no author had this state, or its delta carries no root hash",
  "no beginning": "before its first delta the history is not here, and no checkpoint has the state of then",
  "older data": "what its author had from before the first delta is not certain",
  unread: "it follows a delta whose changes cannot be read",
  merge: "it has an entry that only the application merges",
};

/** The certainty of a state, in words. */
export function verdictText(position: ReplayPosition, ids: IdLook): string {
  const { verdict, unnamed, leftOut, takenOver, unknown, witnesses } = position;
  const by = witnesses[0]?.kind;
  const isOfAuthor = by === "author";
  switch (verdict) {
    case "proven":
      return isOfAuthor
        ? "proven: it has the root hash of the delta's author"
        : by === "checkpoint"
          ? "proven: it has the root hash of the checkpoint"
          : "proven: it has the root hash that was recorded of the node";
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
    case "agrees":
      return `agrees with ${witnesses.map((one) => witnessText(ids, one)).join(" and ")}; no root hash proves just this state`;
    case "unknown":
      return `not proven: ${UNKNOWN[unknown ?? "no hash"]}`;
    case "differs":
      return isOfAuthor
        ? "not proven: the author's root hash is another one, as in the middle of a repair, or after a merge that only the application knows"
        : `not proven: ${by === "rows" ? "the node's root hash of now" : by === "checkpoint" ? "the root hash of the checkpoint" : "the root hash that was recorded of the node"} is another one`;
  }
}

/** The source of a root hash, in words. */
function witnessText(ids: IdLook, witness: ReplayWitness | undefined): string {
  switch (witness?.kind) {
    case "record":
      return `the root hash that was recorded after ${witness.heads.map((id) => idText(id, ids)).join(", ")}`;
    case "checkpoint":
      return `the checkpoint of delta ${idText(witness.delta, ids)}`;
    case "author":
      return "the root hash of the delta's author";
    default:
      return "the rows of now";
  }
}

/** The certainty of a state as JSON. */
export function certaintyJson({ verdict, witnesses }: Certainty): { readonly [name: string]: Json } {
  return { verdict, witnesses: witnesses.map((witness) => ({ ...witness })) };
}

/** A position as JSON. */
export function positionJson({ delta, position, of, time }: ReplayPosition): {
  readonly [name: string]: Json;
} {
  return { delta, position, of, time: time === undefined ? null : new Date(time).toISOString() };
}
