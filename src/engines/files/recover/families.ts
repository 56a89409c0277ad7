/** Assigns the rows of a damaged database to column families. */

import type { RawRow } from "../../../engine/engine.js";

/** A program that may have written the database. */
export interface RowWriter {
  /** The column families that it creates, in their order. */
  readonly columns: readonly string[];
  /** Returns true if the program may have written these rows into a column family. */
  readonly fits: (column: string, rows: readonly RawRow[]) => boolean;
}

/** The known facts about the column families. */
export interface FamilyHints {
  /** Names by id, from MANIFESTs and from tables. */
  readonly known: ReadonlyMap<number, string>;
  /** The families of the OPTIONS file, in the order of their ids, which are ascending and may have gaps. */
  readonly options: readonly string[] | undefined;
  /** Programs that may have written it, the likeliest first. */
  readonly writers: readonly RowWriter[];
}

/** The source of the name of a family: a file, a guess, or none. */
export type NameSource = "file" | "guess" | "none";

/** The name of a family. */
export interface FamilyName {
  readonly name: string;
  readonly source: NameSource;
}

/** The name of a family if only its id is known. */
function nameById(id: number): string {
  return `unknown-${id}`;
}

/** The name of a family if it is known only from a table that does not name it. */
function nameByTable(number: number): string {
  return `unknown-table-${number}`;
}

/**
 * Finds the names of families, by id. If no file has the name, the order of the OPTIONS file or of a program gives a
 * name, and the family's rows must fit it. Otherwise the rows must fit only one family.
 *
 * @param samples some rows of each family, by its id
 */
export function nameFamilies(
  samples: ReadonlyMap<number, readonly RawRow[]>,
  hints: FamilyHints,
): ReadonlyMap<number, FamilyName> {
  const names = new Map<number, FamilyName>();
  const { options, writers } = hints;
  const anyFits: RowWriter["fits"] = (column, rows) => writers.some(({ fits }) => fits(column, rows));
  const own = options === undefined ? [] : [{ columns: options, fits: anyFits }];
  const byOrder = [...own, ...writers].map((writer) => namesIn(writer, samples, hints));
  const best = byOrder.reduce((most, one) => (one.size > most.size ? one : most), new Map());
  const taken = new Set([...hints.known.values(), ...[...best.values()].map(({ name }) => name)]);
  for (const [id, rows] of samples) {
    const name = hints.known.get(id);
    if (name !== undefined) names.set(id, { name, source: "file" });
    else names.set(id, best.get(id) ?? onlyFit(rows, hints, taken) ?? { name: nameById(id), source: "none" });
  }
  return names;
}

/** Finds the family of a table that does not name it, by its rows. */
export function nameOfTable(number: number, rows: readonly RawRow[], hints: FamilyHints): FamilyName {
  return onlyFit(rows, hints, new Set()) ?? { name: nameByTable(number), source: "none" };
}

/** Names families that no file names, by an order of column families. */
function namesIn(
  { columns, fits }: RowWriter,
  samples: ReadonlyMap<number, readonly RawRow[]>,
  { known, options }: FamilyHints,
): Map<number, FamilyName> {
  const names = new Map<number, FamilyName>();
  for (const [id, rows] of samples) {
    const place = known.has(id) ? undefined : placeIn(columns, id, known);
    if (place === undefined) continue;
    const { name, isSure } = place;
    // The OPTIONS file lists the families of this database, so its names are sure. For the order of a program, and if a
    // family may have been dropped, the rows decide.
    if (isSure && columns === options) names.set(id, { name, source: "file" });
    else if (rows.length > 0 && fits(name, rows)) names.set(id, { name, source: "guess" });
  }
  return names;
}

/**
 * Finds the name at the place of a family in an order. It is sure if, between two known families, the order has as many
 * names as there are ids.
 */
function placeIn(
  order: readonly string[],
  id: number,
  known: ReadonlyMap<number, string>,
): { readonly name: string; readonly isSure: boolean } | undefined {
  const places = Array.from(known, ([one, column]) => ({ id: one, at: order.indexOf(column) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.id - b.id);
  const before = places.findLast((one) => one.id < id);
  const after = places.find((one) => one.id > id);
  if (before === undefined) return undefined;
  const name = order[before.at + id - before.id];
  if (name === undefined || [...known.values()].includes(name)) return undefined;
  return { name, isSure: after !== undefined && after.id - before.id === after.at - before.at };
}

/** Finds the only family that some rows fit, by the likeliest program for which there is exactly one. */
function onlyFit(
  rows: readonly RawRow[],
  hints: FamilyHints,
  taken: ReadonlySet<string>,
): FamilyName | undefined {
  if (rows.length === 0) return undefined;
  for (const { columns, fits } of hints.writers) {
    const all = new Set([...hints.known.values(), ...(hints.options ?? []), ...columns]);
    const [name, other] = [...all].filter((one) => !taken.has(one) && fits(one, rows));
    if (name !== undefined && other === undefined) return { name, source: "guess" };
  }
  return undefined;
}
