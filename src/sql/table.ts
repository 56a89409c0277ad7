/** The tables of a database: one for each kind of row, with columns for its key and its values. */
import { invalidArgument } from "../errors.js";
import type { AnyKey, AnyKeyClass } from "../keys/index.js";
import type { AnyRow } from "../schemas/index.js";
import { StoreReader } from "../store/index.js";
import { fieldOf } from "./columns/nested.js";
import {
  type FieldLayout,
  fieldLayouts,
  type Layout,
  layoutOf,
  mergedLayout,
  payloadOf,
  quotedName,
  typeText,
} from "./layout.js";

/** A database for tables, and its name in the column `node`. */
export interface NamedStore {
  readonly name: string;
  readonly store: StoreReader;
}

/** Stores by name, and whether tables have the column `node`. */
export interface NamedStores {
  readonly named: readonly NamedStore[];
  readonly withNode: boolean;
}

/** Returns the stores that a caller passes. @throws MerostoreError `INVALID_ARGUMENT` for anything else */
export function namedStores(stores: StoreReader | Readonly<Record<string, StoreReader>>): NamedStores {
  if (stores instanceof StoreReader) return { named: [{ name: "", store: stores }], withNode: false };
  const named = Object.entries(stores ?? {}).map(([name, store]) => ({ name, store }));
  if (named.length === 0 || named.some(({ store }) => !(store instanceof StoreReader)))
    throw invalidArgument("expected a store, or an object of stores by name");
  return { named, withNode: true };
}

/** The content of a cell. */
export interface RowContent {
  readonly node: string;
  /** Bytes of the key and the value. */
  readonly size: number;
  /** The key; undefined for a row of no kind. */
  readonly key: AnyKey | undefined;
  /** The decoded value; undefined if it does not decode, or is a secret. */
  readonly value: unknown;
  /** The value as one of the types that some values of the kind contain, and the signature of that type. */
  readonly held: { readonly as: string; readonly value: unknown } | undefined;
  /** The reason why the value does not decode. */
  readonly error: string | undefined;
}

/** Some rows of a table. */
export interface SomeContents {
  readonly rows: number;
  /** Bytes of keys and values. */
  readonly bytes: number;
  /** The rows. Each is decoded at its request, so that the garbage collector can free it soon. */
  readonly contents: Iterable<RowContent>;
}

/** A column of a table, and the reader of its cells for rows of one revision. */
export interface TableColumn {
  readonly name: string;
  readonly layout: Layout;
  read(row: RowContent): unknown;
}

/**
 * The rows of a kind in one database, with the reader of each column of the table; undefined for a column that they
 * lack.
 */
export interface TableSource extends NamedStore {
  /** The kind of row; undefined for rows of no kind. */
  readonly row: AnyRow | undefined;
  readonly reads: readonly (TableColumn["read"] | undefined)[];
  /** Yields the rows of a table that is not a kind of row. */
  readonly contents?: () => AsyncGenerator<SomeContents, void, undefined>;
}

/** A table: a kind of row, or a view in plain words. */
export interface Table {
  /** The name of the kind or of the view. */
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly layout: Layout }[];
  readonly sources: readonly TableSource[];
}

/** Returns the tables of databases, in the order of the first one's schema. */
export function tablesOf(stores: readonly NamedStore[], withNode: boolean): Table[] {
  const kinds = new Set(stores.flatMap(({ store }) => store.schema.rows.map(({ kind }) => kind)));
  return [...[...kinds].map((kind) => tableOf(kind, stores, withNode)), unknownTable(stores, withNode)];
}

/** The table of rows with keys of no kind. Their values are unknown. */
function unknownTable(stores: readonly NamedStore[], withNode: boolean): Table {
  const field = (property: string, layout: Layout): TableColumn => ({
    name: property,
    layout,
    read: ({ value }) => (value as Readonly<Record<string, unknown>>)[property],
  });
  const columns = [
    ...nodeColumn(withNode),
    field("columnFamily", { is: "text" }),
    field("key", { is: "hex" }),
    field("value", { is: "hex" }),
  ];
  const reads = columns.map(({ read }) => read);
  return { name: UNKNOWN, columns, sources: stores.map((source) => ({ ...source, row: undefined, reads })) };
}

/** The name of the table of rows with keys of no kind. */
const UNKNOWN = "UnknownRow";

/** The column `node`, which tables of several databases have. */
export function nodeColumn(withNode: boolean): TableColumn[] {
  return withNode ? [{ name: "node", layout: { is: "text" }, read: ({ node }) => node }] : [];
}

function tableOf(kind: string, stores: readonly NamedStore[], withNode: boolean): Table {
  const columns: { name: string; layout: Layout }[] = [];
  const found = stores.flatMap(({ name, store }) => {
    const row = store.schema.rows.find((one) => one.kind === kind);
    return row === undefined ? [] : [{ name, store, row }];
  });
  const sources = found.map((source) => {
    const reads = new Map<string, TableColumn["read"]>();
    for (const column of columnsOfRow(source.row, withNode)) {
      const at = columns.findIndex(({ name }) => sameName(name, column.name));
      const known = columns[at];
      const merged = known && mergedLayout(known.layout, column.layout);
      let { name } = column;
      if (known !== undefined && merged !== undefined) {
        columns[at] = { name: known.name, layout: merged };
        name = known.name;
      } else {
        // The columns of two revisions have types without common values.
        if (known !== undefined) name = `${name}_${source.store.schema.name.replaceAll(/\W/g, "_")}`;
        if (!columns.some((one) => sameName(one.name, name))) columns.push({ name, layout: column.layout });
      }
      reads.set(name, column.read);
    }
    return { ...source, reads };
  });
  return {
    name: kind,
    columns: [...columns, ERROR],
    sources: sources.map(({ reads, ...source }) => ({
      ...source,
      reads: [...columns.map(({ name }) => reads.get(name)), ERROR.read],
    })),
  };
}

/** The column with the reason why a value does not decode. It is the last one. */
const ERROR: TableColumn = { name: "error", layout: { is: "text" }, read: ({ error }) => error };

/** Returns the columns of a kind of row, except `error`: the parts of the key, then the fields of the value. */
function columnsOfRow(row: AnyRow, withNode: boolean): TableColumn[] {
  const node = nodeColumn(withNode);
  const parts = row.key.PARTS.map((part) => renamed(partColumn(part), "key", [...node, ERROR]));
  const taken = [...node, ...parts, ERROR];
  return [...node, ...parts, ...valueColumns(row).map((column) => renamed(column, "value", taken))];
}

/** Returns a column whose name begins with a word if another column has its name. */
function renamed(column: TableColumn, word: string, taken: readonly TableColumn[]): TableColumn {
  const isTaken = taken.some(({ name }) => sameName(name, column.name));
  return isTaken ? { ...column, name: `${word}${capital(column.name)}` } : column;
}

function partColumn(part: AnyKeyClass["PARTS"][number]): TableColumn {
  const { name, type } = part;
  const layout: Layout = { is: type === "u64BE" ? "u64" : type === "u8" ? "u8" : "text" };
  return {
    name,
    layout,
    read: ({ key }) => {
      const value = (key as unknown as Readonly<Record<string, unknown>>)[name];
      return layout.is === "text" && !(value instanceof Uint8Array) ? String(part.toJson(value)) : value;
    },
  };
}

function valueColumns({ value: codec, alternatives }: AnyRow): TableColumn[] {
  const held: TableColumn[] = alternatives.map((one) => ({
    name: uncapital(one.type ?? "held"),
    layout: layoutOf(one),
    read: (of) => (of.held?.as === one.signature ? of.held.value : undefined),
  }));
  const inside = payloadOf(codec);
  if (inside !== undefined) {
    // A value that is a payload as a whole: its fields, and its bytes where they do not decode.
    const [decoded, raw] = fieldLayouts([["value", codec]]) as [FieldLayout, FieldLayout];
    const fields = columnsOf(inside).map((column) => ({
      ...column,
      read: (of: RowContent) => {
        const value = fieldOf(of, decoded);
        return value === undefined || value === null ? undefined : column.read({ ...of, value });
      },
    }));
    return [...fields, { name: raw.name, layout: raw.layout, read: (of) => fieldOf(of, raw) }, ...held];
  }
  return [...columnsOf(codec), ...held];
}

/** The fields of a value as columns, or the value as one. */
function columnsOf(codec: AnyRow["value"]): TableColumn[] {
  const { shape } = codec;
  if (shape.is === "unit") return [];
  const layout = layoutOf(codec);
  if (layout.is !== "struct" || shape.is === "tuple")
    return [{ name: "value", layout, read: (of) => of.value }];
  return layout.fields.map((field) => ({
    name: field.name,
    layout: field.layout,
    read: ({ value }) => (value === undefined || value === null ? undefined : fieldOf(value, field)),
  }));
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.substring(1);
}

function uncapital(name: string): string {
  return name.charAt(0).toLowerCase() + name.substring(1);
}

/** SQL does not tell upper from lower case in names. */
function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** The statement that creates a table. */
export function createTable({ name, columns }: Table): string {
  const list = columns.map((column) => `${quotedName(column.name)} ${typeText(column.layout)}`);
  return `CREATE OR REPLACE TABLE ${quotedName(name)} (${list.join(", ")})`;
}
