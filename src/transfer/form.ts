/**
 * The format of an export: NDJSON. The first line describes the database, the last line has counts and a hash. Each
 * line between them is a row in the JSON form, sorted by column family and key.
 */

import { quoted } from "../bytes/visible.js";
import { MerostoreError } from "../errors.js";
import { checkArgument, hasMembers, isRecord } from "../options.js";
import { type RowSelection, type Schema, type SchemaName, schemaNamed } from "../schemas/index.js";

/** The first line. `revision` is the revision of the rows, or `mixed` for a database with several. */
export interface ExportHeader extends SchemaName {
  /** The mark of an export. */
  readonly export: "merostore";
  /** The version of the format. */
  readonly version: 1;
  /** All column families of the database, including families without rows in the export. */
  readonly columns: readonly string[];
  /** The time of the export, in ISO 8601. */
  readonly time: string;
  /** True if values with secrets, or values that do not decode, were omitted. */
  readonly redacted: boolean;
  /** The requested selection; absent for the whole database. */
  readonly selection?: ExportSelection;
  /** A report about the database, in the file that `bundle` writes. */
  readonly report?: unknown;
}

/** The selection of rows of an export. */
export interface ExportSelection {
  /** Column families. */
  readonly columns?: readonly string[];
  /** Rows whose key contains this id, in hex. */
  readonly context?: string;
  /** Rows whose key names this group or namespace, in hex. */
  readonly group?: string;
  /** Rows whose key names one of these ids of a member, in hex. */
  readonly members?: readonly string[];
}

/** Returns the context, group or member whose rows an export has; undefined for an export of all rows. */
export function selectedIn(header: Pick<ExportHeader, "selection">): RowSelection | undefined {
  checkArgument("selectedIn", header, isRecord);
  const { selection } = header;
  const { context: contextId, group: groupId, members: memberIds } = selection ?? {};
  return (contextId ?? groupId ?? memberIds) === undefined ? undefined : { contextId, groupId, memberIds };
}

/** The last line. */
export interface ExportTrailer {
  /** The number of rows in the export, including rows without a value. */
  readonly rows: number;
  /** The number of rows of each column family with rows. */
  readonly columns: Readonly<Record<string, number>>;
  /** SHA-256 of all lines of rows, including line feeds, in hex. */
  readonly sha256: string;
}

export const FORM_VERSION = 1;

/** Returns the schema of an export. @throws MerostoreError `EXPORT_INVALID` if it is unknown */
export function schemaOfExport(header: ExportHeader): Schema {
  checkArgument("schemaOfExport", header, hasMembers("the header of an export", "revision", "columns"));
  const schema = schemaNamed(header);
  if (schema !== undefined) return schema;
  throw new MerostoreError(
    "EXPORT_INVALID",
    `the export has the unknown revision ${quoted(header.revision)}: name a known revision to read it as (--revision)`,
  );
}

/** Creates the error for a truncated file. */
export function cutFile(why: string): MerostoreError {
  return new MerostoreError("EXPORT_INVALID", `${why}: the file was truncated. Export again`);
}

/** Creates the error for a line, counted from 1. */
export function wrongLine(number: number, why: string): MerostoreError {
  return new MerostoreError("EXPORT_INVALID", `line ${number}: ${why}`);
}
