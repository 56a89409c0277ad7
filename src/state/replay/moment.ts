/** Moments of a replay. */

import { digitsOf, type IdLike } from "../../bytes/id.js";
import { millisOfNtp64 } from "../../bytes/ntp64.js";
import { isDate } from "../../bytes/realm.js";
import { invalidArgument } from "../../errors.js";
import { Pause } from "../../pause.js";
import type { DeltaGraph } from "./graph.js";

/** A moment: the id of a delta or its first digits, its position from 1, or a time. */
export type ReplayMoment = IdLike | number | Date;

/** A whole id. */
const ID = /^[0-9a-f]{64}$/;

/** The time when a delta was made, in milliseconds since 1970; minus infinity if its row has no time. */
export function madeAt(graph: DeltaGraph, number: number): number {
  const { time = 0n } = graph.deltas[number] ?? {};
  return time === 0n ? Number.NEGATIVE_INFINITY : millisOfNtp64(time);
}

/**
 * The number of the delta of a moment. For a time, the last delta that was made until then.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a checkpoint, a moment before the first delta, and an id that is
 * unknown or not unique
 */
export async function numberOfMoment(
  graph: DeltaGraph,
  moment: ReplayMoment,
  checkpoints: readonly string[],
): Promise<number> {
  const place = await placeOfMoment(graph, moment, checkpoints);
  if (typeof place === "number") return place;
  throw invalidArgument(`delta ${place} is a checkpoint: nothing is known of the state before it`);
}

/** The number of the delta of a moment, or the id of its checkpoint, which has no number. @throws as {@link numberOfMoment} */
export async function placeOfMoment(
  graph: DeltaGraph,
  moment: ReplayMoment,
  checkpoints: readonly string[],
): Promise<number | string> {
  const { length } = graph.deltas;
  const beside = checkpoints.length === 0 ? "" : " beside a checkpoint, which has no number";
  if (typeof moment === "number") {
    if (!Number.isInteger(moment) || moment < 1 || moment > length)
      throw invalidArgument(
        length === 0
          ? `the database has no delta of the context${checkpoints.length === 0 ? "" : ", except checkpoints, which have no number"}`
          : `the context has the deltas 1 to ${length}${beside}, and no delta ${moment}`,
      );
    return moment - 1;
  }
  const pause = new Pause();
  if (isDate(moment)) {
    if (Number.isNaN(moment.getTime())) throw invalidArgument("the time is not a valid date");
    let first = Number.POSITIVE_INFINITY;
    for (let at = length - 1; at >= 0; at--) {
      if (pause.isLong) await pause.ifLong();
      const time = madeAt(graph, at);
      if (time <= moment.getTime()) return at;
      first = Math.min(first, time);
    }
    const oldest = length === 0 ? "" : `; its oldest is of ${new Date(Math.ceil(first)).toISOString()}`;
    throw invalidArgument(`the database has no delta of the context from then or before${oldest}`);
  }
  const digits = digitsOf(moment);
  const whole = ID.test(digits) ? graph.numberOf(digits) : undefined;
  if (whole !== undefined) return whole;
  const found: number[] = [];
  for (const [at, { id }] of graph.deltas.entries()) {
    if (pause.isLong) await pause.ifLong();
    if (id.startsWith(digits)) found.push(at);
  }
  const all = [...found, ...checkpoints.filter((id) => id.startsWith(digits))];
  const [only] = all;
  if (only === undefined) throw invalidArgument(`no applied delta of the context begins with ${digits}`);
  if (all.length > 1) throw invalidArgument(`${all.length} deltas of the context begin with ${digits}`);
  return only;
}
