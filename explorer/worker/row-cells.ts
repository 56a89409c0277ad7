/** Rows as cells of a grid: the parts of the key, then the fields of the value. */
import { rowToJson } from "merostore";
import type { RawRow } from "merostore/engine";
import { readableForm } from "merostore/schemas";
import type { Database } from "./database.js";
import type { ChosenRows } from "./row-choice.js";

/** A column of the grid. */
export interface GridColumn {
  /** The name of the part, or the path of the field: `hlc.time`. */
  readonly name: string;
  readonly isPart: boolean;
  /** Whether its cells are numbers. */
  readonly isNumber: boolean;
  /** Characters of the widest of the sampled cells, or of the name. */
  readonly characters: number;
}

/** A cell. */
export interface Cell {
  /** What is shown of it, foreign text included. */
  readonly text: string;
  /** The whole id, in hex, of an id. */
  readonly id?: string;
  /** What the id is of, and its name, where the database says it. */
  readonly thing?: { readonly kind: string; readonly name: string | undefined };
  /** How the cell is set: numbers at the right. */
  readonly look?: "number" | "none" | "secret" | "error";
}

/** A row of the grid. */
export interface GridRow {
  /** The key in hex. */
  readonly key: string;
  /** By the names of the columns. */
  readonly cells: Readonly<Record<string, Cell>>;
}

/** Characters of a cell that reach the page. */
const MOST_CHARACTERS = 160;
/** Fields of a struct inside a value that become columns of their own; one with more is one column. */
const MOST_INNER = 5;

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Names = Awaited<ReturnType<Database["node"]["names"]>>;

/** Turns rows into cells. */
export async function cellsOf(
  database: Database,
  { column }: Pick<ChosenRows, "column">,
  rows: readonly RawRow[],
  revealSecrets: boolean,
): Promise<readonly GridRow[]> {
  const names = await database.node.names();
  const privateEntities = await database.privateEntities();
  return rows.map((row) => {
    const options = { revealSecrets, privateEntities, readable: readableForm(true) };
    const { key, parts, decoded, error, value } = rowToJson(database.store.schema, column, row, options);
    const cells: Record<string, Cell> = {};
    for (const [name, part] of Object.entries(parts ?? {})) cells[name] = cellOf(part as Json, names);
    if (parts === null) cells.key = { text: key };
    if (error !== undefined) cells.value = { text: error, look: "error" };
    else if (decoded === undefined)
      cells.value = { text: value ?? "redacted", ...(value ? {} : { look: "secret" }) };
    else addFields(cells, decoded as Json, names);
    return { key, cells };
  });
}

/** The columns of rows, in the order in which they first come. */
export function columnsOf({ key }: ChosenRows, rows: readonly GridRow[]): readonly GridColumn[] {
  const parts = key === undefined ? ["key"] : key.PARTS.map(({ name }) => name);
  const fields = new Set<string>();
  for (const { cells } of rows)
    for (const name of Object.keys(cells)) if (!parts.includes(name)) fields.add(name);
  const column = (name: string, isPart: boolean): GridColumn => {
    const cells = rows.flatMap(({ cells }) => cells[name] ?? []);
    const told = cells.filter(({ look }) => look !== "none");
    return {
      name,
      isPart,
      isNumber: told.length > 0 && told.every(({ look }) => look === "number"),
      characters: Math.max(name.length, ...cells.map(charactersOf)),
    };
  };
  return [...parts.map((name) => column(name, true)), ...[...fields].map((name) => column(name, false))];
}

/** Characters of a cell as it is shown: of an id its name and eight digits. */
function charactersOf({ text, id, thing, look }: Cell): number {
  if (look === "secret") return "redacted".length;
  if (id === undefined) return text.length;
  return 8 + (thing?.name === undefined ? 0 : thing.name.length + 1);
}

function addFields(cells: Record<string, Cell>, decoded: Json, names: Names): void {
  if (!isRecord(decoded)) {
    cells.value = cellOf(decoded, names);
    return;
  }
  for (const [name, value] of Object.entries(decoded)) {
    const field = name in cells ? `value.${name}` : name;
    const inner = isRecord(value) ? Object.entries(value) : [];
    if (inner.length < 2 || inner.length > MOST_INNER) cells[field] = cellOf(value, names);
    else for (const [part, one] of inner) cells[`${field}.${part}`] = cellOf(one, names);
  }
}

function cellOf(value: Json, names: Names): Cell {
  if (value === null) return { text: "none", look: "none" };
  if (value === "redacted") return { text: "redacted", look: "secret" };
  if (typeof value === "number") return { text: String(value), look: "number" };
  if (typeof value === "string") {
    if (/^[0-9a-f]{64}$/.test(value)) {
      const thing = names.of(value);
      return { text: value, id: value, ...(thing && { thing: { kind: thing.kind, name: thing.name } }) };
    }
    return { text: cut(value), ...(/^\d{1,20}$/.test(value) && { look: "number" as const }) };
  }
  if (Array.isArray(value)) {
    const [only] = value as readonly Json[];
    if (value.length === 1 && typeof only === "string") return cellOf(only, names);
    return {
      text: value.length === 0 ? "none" : `${value.length} entries`,
      ...(value.length === 0 && { look: "none" as const }),
    };
  }
  return { text: cut(inWords(value)) };
}

/** `{role: Member, name: …}`; of a variant its name first. */
function inWords(value: Json): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  if (!isRecord(value))
    return typeof value === "string" && /^[0-9a-f]{64}$/.test(value)
      ? `${value.slice(0, 8)}…`
      : String(value);
  const fields = Object.entries(value);
  if (fields.length === 1 && fields[0] !== undefined) return `${fields[0][0]} ${inWords(fields[0][1])}`;
  return `{${fields.map(([name, one]) => `${name}: ${inWords(one)}`).join(", ")}}`;
}

function isRecord(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function cut(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
