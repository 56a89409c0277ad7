/** Lines of text that fit a terminal. */
import { visible } from "../../bytes/visible.js";

/** Characters of a line that is not cut. */
const NARROWEST = 40;

/**
 * A text in lines of at most `width` characters, broken between words; all lines after the first begin with `indent`
 * spaces. Without a width: one line.
 */
export function wrapped(given: string, width: number | undefined, indent = 0): string[] {
  const text = visible(given);
  if (width === undefined || text.length <= width) return [text];
  const room = Math.max(width, NARROWEST);
  const margin = " ".repeat(Math.min(indent, room >> 1));
  const lines: string[] = [];
  let rest = text;
  while (rest.length > room) {
    const space = rest.lastIndexOf(" ", room);
    const end = space > margin.length ? space : room;
    lines.push(rest.slice(0, end).trimEnd());
    rest = margin + rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** Names and values, one below the other, the values aligned and wrapped. */
export function fieldLines(
  fields: readonly (readonly [name: string, value: string | undefined])[],
  width: number | undefined,
): string[] {
  const present = fields.filter((field): field is readonly [string, string] => field[1] !== undefined);
  const indent = Math.max(...present.map(([name]) => name.length)) + 2;
  return present.flatMap(([name, value]) => wrapped(name.padEnd(indent) + value, width, indent));
}

/** A time for people: `2026-11-21 05:51:50`, in local time unless `utc`. A number that no calendar has stays one. */
export function dateText(millis: number, utc: boolean): string {
  const date = new Date(millis);
  if (Number.isNaN(date.getTime())) return `${millis} ms`;
  const local = utc ? date : new Date(millis - date.getTimezoneOffset() * 60_000);
  return `${local.toISOString().slice(0, 19).replace("T", " ")}${utc ? "Z" : ""}`;
}
