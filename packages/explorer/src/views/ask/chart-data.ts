/** The numbers of an answer, grouped for a picture. */
import type { SqlRows } from "../../client/served-sql.js";

/** The columns of a picture, by their places in the answer. */
export interface Axes {
  readonly across: number;
  readonly up: number;
  /** The column whose values have colours; undefined without one. */
  readonly colour: number | undefined;
}

/** A place on the axis with the numbers that are stacked there, by group. */
export interface Stack {
  readonly label: string;
  readonly parts: readonly { readonly group: number; readonly value: number }[];
  readonly total: number;
}

/** The numbers of a picture. */
export interface ChartData {
  readonly stacks: readonly Stack[];
  /** The names of the groups, in the order of their colours. */
  readonly groups: readonly string[];
  readonly highest: number;
  /** The number of places that are not drawn. */
  readonly left: number;
}

/** A picture with the colour of each group. */
export interface Coloured extends ChartData {
  readonly colours: readonly number[];
}

/**
 * The most places on the axis, and the most groups with a colour of their own. All further groups share the last
 * colour.
 */
export const [MOST_STACKS, MOST_GROUPS] = [60, 6];

/** Digits of an id that are shown. */
export const DIGITS = 8;

/** Returns whether a text is a whole id. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** The columns with numbers: a picture can have them on its vertical axis. */
export function numberColumns({ columns, rows }: SqlRows): readonly number[] {
  return [...columns.keys()].filter(
    (at) =>
      rows.some((row) => row[at] !== null) && rows.every((row) => row[at] === null || isNumber(row[at])),
  );
}

/** The named columns, or likely ones, which have several values. Undefined without a column of numbers. */
export function axesOf(
  answer: SqlRows,
  named: Readonly<Record<string, string | undefined>>,
): Axes | undefined {
  const numbers = numberColumns(answer);
  const at = (name: string | undefined): number | undefined => {
    const found = answer.columns.findIndex((column) => column.name === name);
    return found < 0 ? undefined : found;
  };
  const varies = (one: number): boolean => new Set(answer.rows.map((row) => row[one])).size > 1;
  const isText = (one: number): boolean => !numbers.includes(one);
  const likely = [...answer.columns.keys()].find((one) => (one === 0 || isText(one)) && varies(one));
  const across = at(named.across) ?? likely ?? 0;
  const wanted = at(named.up);
  const up =
    wanted !== undefined && numbers.includes(wanted) ? wanted : numbers.find((one) => one !== across);
  if (up === undefined) return undefined;
  const others = [...answer.columns.keys()].filter((one) => one !== across && isText(one) && varies(one));
  const colour = named.colour === "" ? undefined : (at(named.colour) ?? others[0]);
  return { across, up, colour: colour === across || colour === up ? undefined : colour };
}

/** Groups the numbers by their place and colour, in the order of the rows. */
export function chartOf({ rows }: SqlRows, { across, up, colour }: Axes): ChartData {
  const groups = new Map<string, number>();
  const places = new Map<string, Map<number, number>>();
  for (const row of rows) {
    const label = textOf(row[across]);
    const group = colour === undefined ? "" : textOf(row[colour]);
    if (!groups.has(group)) groups.set(group, Math.min(groups.size, MOST_GROUPS - 1));
    const place = places.get(label) ?? new Map<number, number>();
    places.set(label, place);
    const at = groups.get(group) as number;
    place.set(at, (place.get(at) ?? 0) + Number(row[up] ?? 0));
  }
  const stacks = [...places].slice(0, MOST_STACKS).map(([label, parts]) => {
    const all = [...parts].map(([group, value]) => ({ group, value }));
    return { label, parts: all, total: all.reduce((sum, { value }) => sum + value, 0) };
  });
  const names = [...groups.keys()];
  return {
    stacks,
    groups:
      colour === undefined
        ? []
        : names.length > MOST_GROUPS
          ? [...names.slice(0, MOST_GROUPS - 1), "others"]
          : names,
    highest: Math.max(0, ...stacks.map(({ total }) => total)),
    left: places.size - stacks.length,
  };
}

/** The colours of groups. If each group is a person, the colours that these people have in all views. */
export function coloured(data: ChartData, people: Readonly<Record<string, number>>): Coloured {
  const groups = data.groups.length === 0 ? [""] : data.groups;
  const isOfPeople = groups.some((group) => Object.hasOwn(people, group));
  return {
    ...data,
    colours: groups.map((group, at) =>
      !isOfPeople ? at + 1 : Object.hasOwn(people, group) ? (people[group] as number) : MOST_GROUPS,
    ),
  };
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^-?\d{1,20}$/.test(value));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value !== "string") return JSON.stringify(value);
  return isId(value) ? value.slice(0, DIGITS) : value;
}
