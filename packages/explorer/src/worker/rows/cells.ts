/** Rows as cells of a grid: the parts of the key, then the fields of the value. */
import { readableForm, rowToJson } from "merostore";
import type { RawRow } from "merostore/engine";
import type { RowJson } from "merostore/internal";
import type { Named } from "merostore/node";
import type { Database } from "../database/database.js";
import { namedPeople } from "../database/people.js";
import { cut, isId } from "../database/text.js";
import type { ChosenRows } from "./choice.js";
import { rowWords } from "./words.js";

/** A column of the grid. */
export interface GridColumn {
  /** The name of the part, or the path of the field: `hlc.time`. */
  readonly name: string;
  readonly isPart: boolean;
  /** True if its cells are numbers. */
  readonly isNumber: boolean;
  /** False for a column that exists only for the rows in sight. */
  readonly isSortable: boolean;
  /** Characters of the widest of the sampled cells, or of the name. */
  readonly characters: number;
  /** The day of all sampled cells, if they are times of one day: `2026-11-21`. */
  readonly day: string | undefined;
}

/** A cell. */
export interface Cell {
  /** The shown text, foreign text included. */
  readonly text: string;
  /** The whole id, in hex, of an id. */
  readonly id?: string;
  /** The thing that the id stands for, and its name if the database has it. */
  readonly thing?: { readonly kind: string; readonly name: string | undefined };
  /** The look of the cell: numbers at the right. */
  readonly look?: "number" | "none" | "secret" | "error";
}

/** Cells by the names of their columns. */
type Cells = Readonly<Record<string, Cell>>;

/** A row of the grid. */
export interface GridRow {
  /** The key in hex. */
  readonly key: string;
  readonly cells: Cells;
}

/** The most characters of a cell that are sent to the page. */
const MOST_CHARACTERS = 160;
/** The most fields of a struct inside a value that become columns. A struct with more is one column. */
const MOST_INNER = 5;

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
/** The place of a value in the JSON form of a key or a value. */
type Path = readonly (string | number)[];
/** Returns whether a value that is shown as {@link REDACTED} is a secret. */
type Hides = (side: "parts" | "decoded", path: Path) => boolean;

/** The JSON form of a secret. */
const REDACTED = "redacted";
const SECRET: Cell = { text: REDACTED, look: "secret" };

type Names = Awaited<ReturnType<Database["node"]["names"]>>;

/** A row as it is shown. */
export interface ShownRow {
  readonly form: RowJson;
  readonly cells: Cells;
}

/** Rows in the JSON form, and as cells. */
export async function shownRows(
  database: Database,
  column: string,
  rows: readonly RawRow[],
  revealSecrets: boolean,
): Promise<readonly ShownRow[]> {
  const { schema } = database.store;
  const names = await database.node.names();
  const privateEntities = await database.privateEntities();
  const options = { privateEntities, readable: readableForm(true) };
  const shown = rows.map((row): ShownRow => {
    const form = rowToJson(schema, column, row, { ...options, revealSecrets });
    let revealed: RowJson | undefined;
    /** Returns whether "redacted" stands for a secret: the stored text may be the same. */
    const hides: Hides = (side, path) => {
      if (revealSecrets) return false;
      revealed ??= rowToJson(schema, column, row, { ...options, revealSecrets: true });
      return valueAt(revealed[side] as Json | undefined, path) !== REDACTED;
    };
    return { form, cells: cellsOfForm(form, names, hides) };
  });
  return nameMembers(database, names, shown);
}

/** Names members that no row names: by the logs, and the key of a device by its account. */
async function nameMembers(
  database: Database,
  names: Names,
  rows: readonly ShownRow[],
): Promise<readonly ShownRow[]> {
  const unnamed = ({ id, thing }: Cell): boolean =>
    id !== undefined && thing?.kind === "member" && thing.name === undefined;
  const ids = new Set(
    rows.flatMap(({ cells }) => Object.values(cells).filter(unnamed)).flatMap(({ id }) => id ?? []),
  );
  if (ids.size === 0) return rows;
  const people = await namedPeople(
    database,
    [...ids].map((id) => names.signer(id)),
  );
  const called = new Map(
    [...ids].map((id, at) => {
      const account = people[at] as Named;
      return [id, account.name ?? (account.id === id ? undefined : account.id.slice(0, 8))];
    }),
  );
  const named = (cell: Cell): Cell =>
    unnamed(cell) ? { ...cell, thing: { kind: "member", name: called.get(cell.id ?? "") } } : cell;
  return rows.map(({ form, cells }) => ({
    form,
    cells: Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, named(cell)])),
  }));
}

function cellsOfForm({ key, parts, decoded, error, value }: RowJson, names: Names, hides: Hides): Cells {
  const cells: Record<string, Cell> = {};
  for (const [name, part] of Object.entries(parts ?? {}))
    cells[name] = cellOf(part as Json, names, [name], (path) => hides("parts", path));
  if (parts === null) cells.key = { text: short(key) };
  if (error !== undefined) cells.value = { text: short(error), look: "error" };
  else if (decoded !== undefined) addFields(cells, decoded as Json, names, (path) => hides("decoded", path));
  else cells.value = value === undefined ? SECRET : { text: short(value) };
  return cells;
}

function valueAt(value: Json | undefined, [name, ...rest]: Path): Json | undefined {
  if (name === undefined || value === undefined) return value;
  const inner = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return inner ? valueAt((value as Readonly<Record<string | number, Json>>)[name], rest) : undefined;
}

/** The column with the effect of a row. It is made only for rows in sight, so it sorts and filters nothing. */
const IN_WORDS = "in words";

/** Turns rows into the lines of a grid, with their effects in words. */
export async function toldRows(
  database: Database,
  { column }: Pick<ChosenRows, "column">,
  rows: readonly RawRow[],
  revealSecrets: boolean,
): Promise<readonly GridRow[]> {
  const told: GridRow[] = [];
  for (const { form, cells } of await shownRows(database, column, rows, revealSecrets)) {
    const words = await rowWords(database, form);
    told.push({
      key: form.key,
      cells: words === undefined ? cells : { ...cells, [IN_WORDS]: { text: short(words) } },
    });
  }
  return told;
}

/** Turns rows into the lines of a grid. */
export async function gridRows(
  database: Database,
  { column }: Pick<ChosenRows, "column">,
  rows: readonly RawRow[],
  revealSecrets: boolean,
): Promise<readonly GridRow[]> {
  const shown = await shownRows(database, column, rows, revealSecrets);
  return shown.map(({ form: { key }, cells }) => ({ key, cells }));
}

/** A time in the JSON form, with its day. */
const TIME = /^(\d{4}-\d\d-\d\d) [\d:.]+ UTC$/;
/** Characters of a time without its time of day. */
const BESIDE_CLOCK = 15;
/** The size of a name in the head, relative to the size of a cell. */
const HEAD_SIZE = 0.9;

/** The columns that people need most: they come first. */
const LEADING: readonly string[] = ["hlc.time", IN_WORDS, "authorId"];

/**
 * The columns of rows: the parts of the key, the columns that people need most, and the others in the order of their
 * first appearance.
 */
export function columnsOf({ key }: ChosenRows, rows: readonly GridRow[]): readonly GridColumn[] {
  const parts = key === undefined ? ["key"] : key.PARTS.map(({ name }) => name);
  const fields = new Set<string>();
  for (const { cells } of rows)
    for (const name of Object.keys(cells)) if (!parts.includes(name)) fields.add(name);
  // A field that repeats a part of the key needs no column.
  for (const part of parts)
    if (rows.every(({ cells }) => cells[`value.${part}`]?.text === cells[part]?.text))
      fields.delete(`value.${part}`);
  const column = (name: string, isPart: boolean): GridColumn => {
    const cells = rows.flatMap(({ cells }) => cells[name] ?? []);
    const told = cells.filter(({ look }) => look !== "none");
    const days = new Set(told.map(({ text }) => TIME.exec(text)?.[1]));
    const [day] = days.size === 1 ? days : [];
    const widths = cells.map((cell) => charactersOf(cell) - (day === undefined ? 0 : BESIDE_CLOCK));
    return {
      name,
      isPart,
      isSortable: name !== IN_WORDS,
      isNumber: told.length > 0 && told.every(({ look }) => look === "number"),
      characters: Math.max(Math.ceil(name.length * HEAD_SIZE), ...widths),
      day,
    };
  };
  const leading = LEADING.filter((name) => fields.delete(name));
  return [
    ...parts.map((name) => column(name, true)),
    ...[...leading, ...fields].map((name) => column(name, false)),
  ];
}

/** Characters of a cell as it is shown: for an id, its name or eight digits. */
function charactersOf({ text, id, thing, look }: Cell): number {
  if (look === "secret") return REDACTED.length;
  if (id === undefined) return text.length;
  return thing?.name?.length ?? 8;
}

function addFields(
  cells: Record<string, Cell>,
  decoded: Json,
  names: Names,
  hides: (path: Path) => boolean,
): void {
  if (!isRecord(decoded)) {
    cells.value = cellOf(decoded, names, [], hides);
    return;
  }
  for (const [name, value] of Object.entries(decoded)) {
    const field = name in cells ? `value.${name}` : name;
    const inner = isRecord(value) ? Object.entries(value) : [];
    if (inner.length < 2 || inner.length > MOST_INNER) cells[field] = cellOf(value, names, [name], hides);
    else for (const [part, one] of inner) cells[`${field}.${part}`] = cellOf(one, names, [name, part], hides);
  }
}

function cellOf(value: Json, names: Names, path: Path, hides: (path: Path) => boolean): Cell {
  if (value === null) return { text: "none", look: "none" };
  if (value === REDACTED && hides(path)) return SECRET;
  if (typeof value === "number") return { text: String(value), look: "number" };
  if (typeof value === "string") {
    if (isId(value)) {
      const thing = names.of(value);
      return { text: value, id: value, ...(thing && { thing: { kind: thing.kind, name: thing.name } }) };
    }
    return { text: short(value), ...(/^\d{1,20}$/.test(value) && { look: "number" as const }) };
  }
  if (Array.isArray(value)) {
    const [only] = value as readonly Json[];
    if (value.length === 1 && typeof only === "string") return cellOf(only, names, [...path, 0], hides);
    return {
      text: value.length === 0 ? "none" : `${value.length} entries`,
      ...(value.length === 0 && { look: "none" as const }),
    };
  }
  return { text: short(inWords(value)) };
}

/** `{role: Member, name: …}`; a variant begins with its name. */
function inWords(value: Json): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  if (!isRecord(value))
    return typeof value === "string" && isId(value) ? `${value.slice(0, 8)}…` : String(value);
  const fields = Object.entries(value);
  if (fields.length === 1 && fields[0] !== undefined) return `${fields[0][0]} ${inWords(fields[0][1])}`;
  return `{${fields.map(([name, one]) => `${name}: ${inWords(one)}`).join(", ")}}`;
}

function isRecord(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function short(text: string): string {
  return cut(text, MOST_CHARACTERS);
}
