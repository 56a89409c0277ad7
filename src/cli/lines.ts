/** Lines of text that fit a terminal. */
import { visible } from "../bytes/visible.js";
import { dateText } from "../schemas/index.js";
import { clip, table } from "./text.js";

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
  let at = 0;
  let start = "";
  while (start.length + text.length - at > room) {
    const end = at + room - start.length;
    const space = text.lastIndexOf(" ", end);
    const next = text.indexOf(" ", space + 1);
    const word = (next < 0 ? text.length : next) - space - 1;
    // A word that no line has room for is broken where the line ends.
    const cut = space > at && word <= room - margin.length ? space : end;
    lines.push(start + text.slice(at, cut).trimEnd());
    at = cut;
    while (text[at] === " ") at++;
    start = margin;
  }
  return [...lines, start + text.slice(at)];
}

/** The indentation of the rest of a line that has no second cell, or too far right. */
const REST = 6;

/**
 * {@link wrapped} for lines of cells that two spaces separate: the rest of a line stands below its last cell if that is in the
 * left half of the terminal.
 */
export function fitted(lines: readonly string[], width: number | undefined): readonly string[] {
  if (width === undefined) return lines;
  return lines.flatMap((line) => {
    const cell = line.lastIndexOf("  ") + 2;
    return wrapped(line, width, cell > 1 && cell <= width / 2 ? cell : Math.min(REST, width >> 2));
  });
}

/** Names and values, one below the other, the values aligned and wrapped. An id that does not fit stands below its name. */
export function fieldLines(
  fields: readonly (readonly [name: string, value: string | undefined])[],
  width: number | undefined,
): string[] {
  const present = fields.filter((field): field is readonly [string, string] => field[1] !== undefined);
  const indent = longest(present.map(([name]) => name)) + 2;
  return present.flatMap(([name, given]) => {
    const value = visible(given);
    const isWord = width !== undefined && value.length < width && !value.includes(" ");
    if (!isWord || indent + value.length <= width) return wrapped(name.padEnd(indent) + value, width, indent);
    return [name, " ".repeat(width - value.length) + value];
  });
}

/**
 * A text of paragraphs that is wrapped for a wide screen, wrapped again for a narrower one. Indented lines stay as they
 * are: they are commands.
 */
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

/** Milliseconds since 1970 that a date has in every time zone. */
const LAST = 8_640_000_000_000_000 - 86_400_000;

/** A time for people, as {@link dateText} has it: in local time unless `utc`. A number that no calendar has stays one. */
export function shortDate(millis: number, utc: boolean): string {
  return Math.abs(millis) <= LAST ? dateText(new Date(millis), utc, false) : `${millis} ms`;
}

/** A time in ISO 8601 as all others are shown. Any other text stays as it is. */
export function timeShown(text: string, utc: boolean): string {
  return /^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(text) ? shortDate(Date.parse(text), utc) : text;
}

/** The characters of the longest text. */
export function longest(texts: readonly string[]): number {
  return texts.reduce((most, { length }) => Math.max(most, length), 0);
}

/** Characters of a cell that is made narrower. */
const NARROW_CELL = 12;

/** The columns of a table that give way on a narrow terminal. */
export interface Fitting {
  /** Columns that are aligned right. */
  readonly right: readonly number[];
  /** Columns whose cells can be cut, the first one first. */
  readonly cut: readonly number[];
  /** Columns that can be left out, the first one first. */
  readonly leave: readonly number[];
}

/** Digits of an id that are shown at least: fewer name nothing. */
const LEAST_DIGITS = 4;

/** A name with its id: `office (fa3977a2)`. */
const NAMED = /^(.+) \(([0-9a-f]{4,})\)$/;

/** Cuts a cell. An id beside a name keeps enough digits to be typed, and one in a list is left out as a whole. */
function clipCell(cell: string, room: number): string {
  if (cell.length <= room) return cell;
  const [, name, id] = NAMED.exec(cell) ?? [];
  if (name === undefined || id === undefined) {
    const cut = clip(cell, room);
    const digits = /(?<=^|[ (])[0-9a-f]{1,3}(?=…$)/.exec(cut)?.[0].length ?? 0;
    const start = cut.length - 1 - digits;
    return digits > 0 && /^[0-9a-f]{8}/.test(cell.slice(start)) ? `${cut.slice(0, start)}…` : cut;
  }
  // The name and the digits leave 3 characters to a space and two brackets.
  const digits = Math.min(id.length, Math.max(LEAST_DIGITS, room - 3 - name.length));
  return `${clip(name, Math.max(2, room - 3 - digits))} (${id.slice(0, digits)})`;
}

/** Aligned columns that fit a terminal: cells are cut, then columns left out; then lines are cut at their end. */
export function fittedTable(
  given: readonly (readonly string[])[],
  { right, cut, leave }: Fitting,
  width: number | undefined,
): string[] {
  let rows = given.map((row) => row.map(visible));
  const shown = new Set(rows[0]?.keys());
  const made = (): string[] =>
    table(
      rows.map((row) => row.filter((_, at) => shown.has(at))),
      right.flatMap((column) => (shown.has(column) ? [[...shown].indexOf(column)] : [])),
    );
  const tooMuch = (): number => (width === undefined ? 0 : Math.max(0, longest(made()) - width));
  for (const column of cut) {
    const over = tooMuch();
    if (over === 0) break;
    const widest = longest(rows.map((row) => row[column] ?? ""));
    const room = Math.max(NARROW_CELL, widest - over);
    rows = rows.map((row) => row.map((cell, at) => (at === column ? clipCell(cell, room) : cell)));
  }
  for (const column of leave) {
    if (tooMuch() === 0) break;
    shown.delete(column);
  }
  return made().map((line) => clip(line, width));
}
