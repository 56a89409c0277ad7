/**
 * The layout of a database on a server: a schema for each node, a table for each column family, and the table
 * `_merostore`, which names the families.
 */

import { MerostoreError } from "merostore/internal";
import { isMissing, isThere } from "./classify.js";
import type { Connection } from "./connection.js";
import type { System } from "./system.js";
import type { PostgresLocation } from "./url.js";

/** The version of this layout. */
const LAYOUT = "1";

/** The prefix of the names of schemas. The name of the node follows. */
const SCHEMA_PREFIX = "merostore_";

/** The most nodes that an error names. */
const NAMED = 20;

/** The layout of an existing database. */
export interface Layout {
  /** Column families in their order → the quoted names of their tables. */
  readonly tables: ReadonlyMap<string, string>;
  /** The revision that was named when the database was created. */
  readonly revision: string | undefined;
}

/** The parts of a new database. */
export interface NewLayout {
  /** Column families, `default` first. */
  readonly columns: readonly string[];
  readonly revision: string | undefined;
  /** True if it cannot be opened before {@link finish}. */
  readonly isUnfinished: boolean;
}

/** A name in double quotes. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text in single quotes, correct whether or not the server takes a backslash as an escape. */
function quotedText(text: string): string {
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/** The quoted schema of a node. */
export function schemaOf({ node }: Pick<PostgresLocation, "node">): string {
  return quotedName(`${SCHEMA_PREFIX}${node}`);
}

/**
 * Reads the layout of a database.
 *
 * @throws MerostoreError DATABASE_NOT_FOUND, which names the existing nodes; NOT_A_DATABASE, FORMAT_UNSUPPORTED
 */
export async function readLayout(connection: Connection, place: PostgresLocation): Promise<Layout> {
  const rows = await entries(connection, place);
  const [layout] = rows.get("layout") ?? [];
  if (layout?.name !== LAYOUT)
    throw new MerostoreError(
      "FORMAT_UNSUPPORTED",
      `${place.shown} has a layout that this version cannot read: ${JSON.stringify(layout?.name ?? "none")}`,
    );
  if (rows.has("unfinished"))
    throw new MerostoreError(
      "NOT_A_DATABASE",
      `${place.shown} holds a copy that was interrupted: make the copy again, which replaces it`,
    );
  const schema = schemaOf(place);
  const families = rows.get("family") ?? [];
  return {
    tables: new Map(families.map(({ name, table }) => [name, `${schema}.${quotedName(table)}`])),
    revision: rows.get("revision")?.[0]?.name,
  };
}

/**
 * Creates the schema and its tables, in one transaction.
 *
 * @throws MerostoreError DATABASE_EXISTS
 */
export async function createLayout(
  connection: Connection,
  place: PostgresLocation,
  system: System,
  { columns, revision, isUnfinished }: NewLayout,
): Promise<Layout> {
  await removeUnfinished(connection, place);
  const schema = schemaOf(place);
  const tables = new Map<string, string>();
  const statements = [
    "begin",
    `create schema ${schema}`,
    `create table ${schema}._merostore (kind text, position int, name text not null, table_name text, primary key (kind, position))`,
  ];
  const add = (kind: string, position: number, name: string, table: string): void => {
    const values = [quotedText(kind), position, quotedText(name), table];
    statements.push(`insert into ${schema}._merostore values (${values.join(", ")})`);
  };
  add("layout", 0, LAYOUT, "null");
  if (revision !== undefined) add("revision", 0, revision, "null");
  if (isUnfinished) add("unfinished", 0, "a copy", "null");
  for (const [position, column] of columns.entries()) {
    const name = tableName(column, position);
    tables.set(column, `${schema}.${quotedName(name)}`);
    statements.push(`create table ${schema}.${quotedName(name)} (${system.columns})`);
    add("family", position, column, quotedText(name));
  }
  try {
    await connection.run([...statements, "commit"].join(";\n"));
    return { tables, revision };
  } catch (error) {
    if (!connection.isLost) await connection.run("rollback").catch(() => undefined);
    if (isThere(error))
      throw new MerostoreError(
        "DATABASE_EXISTS",
        `${place.shown} already holds a database: name another node`,
      );
    throw error;
  }
}

/**
 * Takes the lock of a node, which ends with the connection.
 *
 * @throws MerostoreError DATABASE_EXISTS if another program is creating the same database
 */
export async function lockNode(connection: Connection, place: PostgresLocation): Promise<void> {
  const { rows } = await connection.query({
    text: "select pg_try_advisory_lock(hashtextextended($1, 0))",
    values: [schemaOf(place)],
  });
  if (rows[0]?.[0] === "t") return;
  throw new MerostoreError(
    "DATABASE_EXISTS",
    `another program is copying into ${place.shown} at this moment: wait for it, or name another node`,
  );
}

/** Marks a database as complete. */
export async function finish(connection: Connection, place: PostgresLocation): Promise<void> {
  await connection.run(`delete from ${schemaOf(place)}._merostore where kind = 'unfinished'`);
}

/** Removes the rest of an interrupted copy, and nothing else. */
export async function removeUnfinished(connection: Connection, place: PostgresLocation): Promise<void> {
  const rows = await entries(connection, place).catch((error: unknown) => {
    if (error instanceof MerostoreError) return undefined;
    throw error;
  });
  if (rows?.has("unfinished")) await connection.run(`drop schema ${schemaOf(place)} cascade`);
}

interface Entry {
  readonly name: string;
  readonly table: string;
}

/** The rows of the table that describes the database, by their kind. */
async function entries(connection: Connection, place: PostgresLocation): Promise<Map<string, Entry[]>> {
  const text = `select kind, name, table_name from ${schemaOf(place)}._merostore order by kind, position`;
  const { rows } = await connection.query({ text }).catch(async (error: unknown) => {
    throw isMissing(error) ? await missing(connection, place) : error;
  });
  const found = new Map<string, Entry[]>();
  for (const [kind, name, table] of rows) {
    const entry = { name: String(name), table: String(table) };
    found.set(String(kind), [...(found.get(String(kind)) ?? []), entry]);
  }
  return found;
}

/** The error for a schema that does not exist, or that another program created. */
async function missing(connection: Connection, { node, shown }: PostgresLocation): Promise<MerostoreError> {
  const { rows } = await connection.query({
    text: "select schema_name from information_schema.schemata order by schema_name",
  });
  const names = rows.map(([name]) => String(name));
  if (names.includes(`${SCHEMA_PREFIX}${node}`))
    return new MerostoreError(
      "NOT_A_DATABASE",
      `${shown} holds no database: its schema ${SCHEMA_PREFIX}${node} has no table _merostore`,
    );
  const nodes = names
    .filter((name) => name.startsWith(SCHEMA_PREFIX))
    .map((name) => name.replace(SCHEMA_PREFIX, ""));
  const others = nodes.length === 0 ? "it has none" : `it has ${nodes.slice(0, NAMED).join(", ")}`;
  return new MerostoreError(
    "DATABASE_NOT_FOUND",
    `${shown} has no node ${JSON.stringify(node)} (?node=NAME); ${others}`,
  );
}

/** The name of a family's table: the name of the family if that is a plain name. */
function tableName(column: string, position: number): string {
  return /^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(column) ? column : `_family_${position}`;
}
