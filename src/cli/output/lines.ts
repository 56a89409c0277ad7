/** Lines of text that fit a terminal. */
import { visible } from "../../bytes/visible.js";
import { dateText } from "../../schemas/index.js";
import { cellsOf, cutToCells, padded } from "./cells.js";

/** The least characters of a line, even on a narrower terminal. */
const NARROWEST = 40;

/** The most code units for each cell of a line. */
const UNITS = 8;

/**
 * A text in lines of at most `width` characters, broken between words; all lines after the first begin with `indent`
 * spaces. Without a width: one line.
 *
 * @param narrowest the least width, which is smaller for cells of tables
 */
export function wrapped(
  given: string,
  width: number | undefined,
  indent = 0,
  narrowest = NARROWEST,
): string[] {
  const text = visible(given);
  if (width === undefined || cellsOf(text) <= width) return [text];
  const room = Math.max(width, narrowest);
  const margin = " ".repeat(Math.min(indent, room >> 1));
  const lines: string[] = [];
  let at = 0;
  let start = "";
  for (;;) {
    // Characters rarely have so many combining marks.
    const fits = cutToCells(text.slice(at, at + UNITS * room), room - start.length);
    const end = at + Math.max(1, fits.length);
    if (end >= text.length) break;
    const space = text.lastIndexOf(" ", end);
    const next = text.indexOf(" ", space + 1);
    const word = cellsOf(text.slice(space + 1, next < 0 ? undefined : next));
    // A word longer than a line is broken at the end of the line.
    const cut = space > at && word <= room - margin.length ? space : end;
    lines.push(start + text.slice(at, cut).trimEnd());
    at = cut;
    while (text[at] === " ") at++;
    start = margin;
  }
  return [...lines, start + text.slice(at)];
}

/** The indentation of the rest of a line whose second cell is missing or too far right. */
const REST = 6;

/**
 * {@link wrapped} for lines of cells separated by two spaces. The rest of a line is below its last cell, if that is in
 * the left half of the terminal.
 */
export function fitted(lines: readonly string[], width: number | undefined): readonly string[] {
  if (width === undefined) return lines;
  return lines.flatMap((line) => {
    const cell = line.lastIndexOf("  ") + 2;
    return wrapped(line, width, cell > 1 && cell <= width / 2 ? cell : Math.min(REST, width >> 2));
  });
}

/**
 * Names and values, one below the other, with the values aligned and wrapped. An id that does not fit goes below its
 * name.
 */
export function fieldLines(
  fields: readonly (readonly [name: string, value: string | undefined])[],
  width: number | undefined,
): string[] {
  const present = fields.filter((field): field is readonly [string, string] => field[1] !== undefined);
  const indent = longest(present.map(([name]) => name)) + 2;
  return present.flatMap(([name, given]) => {
    const value = visible(given);
    const cells = cellsOf(value);
    const isWord = width !== undefined && cells < width && !value.includes(" ");
    if (!isWord || indent + cells <= width) return wrapped(name.padEnd(indent) + value, width, indent);
    return [name, padded(value, width, true)];
  });
}

/** Wraps a text of paragraphs again for a narrower screen. Indented lines are commands and stay unchanged. */
export function rewrapped(text: string, width: number | undefined): string {
  const lines = text.split("\n");
  if (width === undefined || lines.every((line) => line.length <= width)) return text;
  const made: string[] = [];
  let paragraph: string[] = [];
  const end = (): void => {
    if (paragraph.length > 0) made.push(...wrapped(paragraph.join(" "), width));
    paragraph = [];
  };
  for (const line of lines) {
    if (line !== "" && !line.startsWith(" ")) {
      paragraph.push(line);
      continue;
    }
    end();
    made.push(line);
  }
  end();
  return made.join("\n");
}

/** The last milliseconds since 1970 that are a valid date in every time zone. */
const LAST = 8_640_000_000_000_000 - 86_400_000;

/**
 * A time for people, as {@link dateText} has it: in local time unless `utc`. A number outside the calendar stays a
 * number.
 */
export function shortDate(millis: number, utc: boolean): string {
  return Math.abs(millis) <= LAST ? dateText(new Date(millis), utc, false) : "beyond any date";
}

/** Shows a time in ISO 8601 in the common form. Any other text stays unchanged. */
export function timeShown(text: string, utc: boolean): string {
  return /^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(text) ? shortDate(Date.parse(text), utc) : text;
}

/** The characters of the longest text. */
export function longest(texts: readonly string[]): number {
  return texts.reduce((most, { length }) => Math.max(most, length), 0);
}
