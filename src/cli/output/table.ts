/** Tables: aligned columns that fit a terminal. */
import { count } from "../../bytes/quantity.js";
import { visible } from "../../bytes/visible.js";
import { cellsOf, padded } from "./cells.js";
import { csvLine } from "./csv.js";
import { wrapped } from "./lines.js";
import type { Terminal } from "./terminal.js";
import { type Cell, clip } from "./text.js";

/** The columns of a table that shrink on a narrow terminal. Digits of ids are cut first, in every column. */
export interface Fitting {
  /** Columns that are aligned right. */
  readonly right?: readonly number[];
  /** Columns that are wrapped, in this order. */
  readonly wrap?: readonly number[];
  /** Columns whose cells can be cut, in this order. */
  readonly cut?: readonly number[];
  /** Columns that can be left out, in this order. The first line then ends with dots. */
  readonly leave?: readonly number[];
  /** False if the first row is no head. Heads are never cut. */
  readonly heads?: boolean;
}

/** The layout of a table's columns on a terminal. */
export interface Plan {
  /** The widths of all columns. */
  readonly widths: readonly number[];
  /** The shown columns. */
  readonly shown: readonly number[];
}

type Row = readonly Cell[];

/** The least characters of a cut cell, and of a wrapped cell. */
const [NARROW_CELL, NARROW_WORDS] = [12, 20];
/** The least characters of the first column, which has the names, while other columns can still be left out. */
const NARROW_NAME = 24;
/** The fewest shown digits of an id: fewer cannot be looked up. */
const LEAST_DIGITS = 4;
/** The end of the first line if columns are left out. */
const MORE = "  …";

/** A name with its id: `office (fa3977a2)`. A mere word in brackets has no digit and no capital letter. */
const NAMED = /^(.+) \(((?=[a-f]*\d)[0-9a-f]{4,}|[0-9a-f]{8,}|(?=[a-z]*[0-9A-Z])[0-9A-Za-z]{8,})\)$/;

/** Lines of cells, each column as wide as its widest cell. `right` names the columns that are aligned right. */
export function table(rows: readonly Row[], right: readonly number[] = []): string[] {
  return fittedTable(rows, { right }, undefined);
}

/** Aligned columns below their heads that fit a terminal. If no column can shrink further, lines are cut at the end. */
export function fittedTable(rows: readonly Row[], fitting: Fitting, width: number | undefined): string[] {
  return [...fittedLines(() => rows, fitting, width)];
}

/**
 * {@link fittedTable}, one line after another. The rows are made twice, so that millions of rows need not be in memory.
 */
function* fittedLines(
  rows: () => Iterable<Row>,
  fitting: Fitting,
  width: number | undefined,
): Generator<string, void, undefined> {
  const plan = planOf(rows(), fitting, width);
  let end = plan.shown.length < plan.widths.length ? MORE : "";
  for (const row of rows())
    for (const line of rowLines(row, plan, fitting, width)) {
      yield clip(line, width === undefined ? undefined : width - end.length) + end;
      end = "";
    }
}

/**
 * Prints a table in the form of the command's options. The form `name` prints the ids, or else the names, in its first
 * column.
 */
export async function printTable(
  terminal: Terminal,
  given: readonly Row[] | (() => Iterable<Row>),
  fitting: Fitting,
): Promise<void> {
  const rows = typeof given === "function" ? given : () => given;
  if (!terminal.isForPrograms) {
    await terminal.lines(fittedLines(rows, fitting, terminal.width));
    return;
  }
  let print: PrintRow | undefined;
  for (const row of rows())
    if (print === undefined) print = await programRows(terminal, row);
    else await print(row);
}

/** Prints a row of a list. */
export type PrintRow = (row: Row) => Promise<void>;

/**
 * Prints the heads of a list for a program, and returns the function that prints its rows. With `-o name`, it prints
 * the first cell. Undefined if a person reads the list.
 */
export async function programRows(terminal: Terminal, heads: Row): Promise<PrintRow | undefined> {
  if (!terminal.isForPrograms) return undefined;
  if (terminal.form === "csv") {
    const print: PrintRow = (row) => terminal.line(csvLine(row.map((cell) => visible(String(cell)))));
    await print(heads);
    return print;
  }
  return async ([first = ""]) => {
    const name = String(first).trim();
    const [, , id] = NAMED.exec(name) ?? [];
    // A row with an empty first cell continues the row before.
    if (first !== "") await terminal.line(id ?? name);
  };
}

/** The form of a cell for people. */
function shownCell(cell: Cell): string {
  return typeof cell === "string" ? visible(cell) : count(cell);
}

/** The lines of a row. They can be longer than the width of the terminal if no column can shrink further. */
export function rowLines(
  row: Row,
  { widths, shown }: Plan,
  { right = [], wrap = [] }: Fitting,
  width: number | undefined,
): string[] {
  const cells = shown.map((at) => {
    const text = shownCell(row[at] ?? "");
    const room = widths[at] ?? 0;
    if (width === undefined || cellsOf(text) <= room) return [text];
    return wrap.includes(at) ? wrapped(text, room, 0, 1) : [clipCell(text, room)];
  });
  const height = cells.reduce((most, { length }) => Math.max(most, length), 1);
  return Array.from({ length: height }, (_, at) => {
    const line = cells.map((lines, place) => {
      const column = shown[place] as number;
      const text = lines[at] ?? "";
      return padded(text, widths[column] ?? 0, right.includes(column));
    });
    return line.join("  ").trimEnd();
  });
}

/** Plans the widths of columns, and the columns to show. */
export function planOf(
  rows: Iterable<Row>,
  { wrap = [], cut = [], leave = [], heads: hasHeads = true }: Fitting,
  width: number | undefined,
): Plan {
  const natural: number[] = [];
  /** The least widths, with the fewest digits of ids, and the widths of the heads. */
  const [least, heads]: [number[], number[]] = [[], []];
  for (const row of rows)
    for (const [at, cell] of row.entries()) {
      const text = shownCell(cell);
      const length = cellsOf(text);
      heads[at] ??= hasHeads ? length : 0;
      if (length > (natural[at] ?? -1)) natural[at] = length;
      if (length > (least[at] ?? -1)) least[at] = Math.max(least[at] ?? 0, leastOf(text, length));
    }
  const all = [...natural.keys()];
  // Leaves out as few columns as possible, and gives their space to the others.
  for (let left = 0; ; left++) {
    const shown = all.filter((at) => !leave.slice(0, left).includes(at));
    const widths = [...natural];
    const over = (): number => {
      const gaps = 2 * (shown.length - 1) + (left > 0 ? MORE.length : 0);
      return width === undefined ? 0 : shown.reduce((sum, at) => sum + (widths[at] ?? 0), gaps) - width;
    };
    const narrow = (columns: readonly number[], floorOf: (at: number) => number): void => {
      for (const at of columns.filter((one) => shown.includes(one))) {
        const now = widths[at] ?? 0;
        widths[at] = Math.min(now, Math.max(now - Math.max(0, over()), floorOf(at), heads[at] ?? 0));
      }
    };
    narrow(
      all.toSorted((a, b) => (natural[b] ?? 0) - (natural[a] ?? 0)),
      (at) => least[at] ?? 0,
    );
    narrow(wrap, () => NARROW_WORDS);
    narrow(cut, (at) => (at === 0 && left < leave.length ? NARROW_NAME : NARROW_CELL));
    if (over() <= 0 || left === leave.length) return { widths, shown };
  }
}

/** The width of a cell with the fewest digits of its id. */
function leastOf(text: string, cells: number): number {
  const [, name] = NAMED.exec(text) ?? [];
  return name === undefined ? cells : Math.min(cells, cellsOf(name) + 3 + LEAST_DIGITS);
}

/** Cuts a cell. An id beside a name keeps enough digits for typing, and an id in a list is left out as a whole. */
function clipCell(cell: string, room: number): string {
  const [, name, id] = NAMED.exec(cell) ?? [];
  if (name === undefined || id === undefined) {
    const cut = clip(cell, room);
    const digits = /(?<=^|[ (])[0-9a-f]{1,3}(?=…$)/.exec(cut)?.[0].length ?? 0;
    const start = cut.length - 1 - digits;
    return digits > 0 && /^[0-9a-f]{8}/.test(cell.slice(start)) ? `${cut.slice(0, start)}…` : cut;
  }
  // A space and two brackets take 3 characters.
  const digits = Math.min(id.length, Math.max(LEAST_DIGITS, room - 3 - cellsOf(name)));
  return `${clip(name, Math.max(2, room - 3 - digits))} (${id.slice(0, digits)})`;
}
