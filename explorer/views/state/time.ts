/** Times of entities, to the millisecond, in UTC. */
import { dateText, timeText } from "../../parts/time.js";

/** `05:51:42.640` */
export function exactTime(millis: number): string {
  return `${timeText(millis)}.${String(((millis % 1000) + 1000) % 1000).padStart(3, "0")}`;
}

/** `2026-11-21 05:51:42.640` */
export function exactDateTime(millis: number): string {
  return `${dateText(millis)} ${exactTime(millis)}`;
}
