/**
 * The form of an export: NDJSON. The first line describes the database, the last one counts and seals; between them each
 * line is a row in the JSON form, column family after column family, keys ascending.
 */

import { quoted } from "../bytes/visible.js";
import { MerostoreError } from "../errors.js";
import { type Schema, type SchemaName, schemaNamed } from "../schemas/index.js";

/** The first line. `revision` is the one in which the rows were read, `mixed` for a database of several. */
export interface ExportHeader extends SchemaName {
  /** The mark of an export. */
  readonly export: "merostore";
  /** Of this form. */
  readonly version: 1;
  /** All column families of the database, those without rows in the export included. */
  readonly columns: readonly string[];
  /** When it was made, ISO 8601. */
  readonly time: string;
  /** Whether values with secrets, and all that are not understood, were left out. */
  readonly redacted: boolean;
  /** What was asked for; absent for the whole database. */
  readonly selection?: ExportSelection;
}

/** Which rows an export has. */
export interface ExportSelection {
  /** Column families. */
  readonly columns?: readonly string[];
  /** Rows whose key names this id, in hex. */
  readonly context?: string;
  /** Rows whose key names this group or namespace, in hex. */
  readonly group?: string;
}

/** The last line. */
export interface ExportTrailer {
  /** Rows of the export, those without a value included. */
  readonly rows: number;
  /** Rows of each column family that has rows in it. */
  readonly columns: Readonly<Record<string, number>>;
  /** SHA-256 of all lines of rows, line feeds included, in hex. */
  readonly sha256: string;
}

export const FORM_VERSION = 1;

/** The schema in which an export was made. @throws MerostoreError `EXPORT_INVALID` when it is not known here */
export function schemaOfExport(header: ExportHeader): Schema {
  const schema = schemaNamed(header);
  if (schema !== undefined) return schema;
  throw new MerostoreError(
    "EXPORT_INVALID",
    `the export is of the revision ${quoted(header.revision)}, which is not known here: name the one to read it as (--revision)`,
  );
}

/** The error for a file that ends early. */
export function cutFile(why: string): MerostoreError {
  return new MerostoreError("EXPORT_INVALID", `${why}: the file was cut. Export again`);
}

/** The error for a line, counted from 1. */
export function wrongLine(number: number, why: string): MerostoreError {
  return new MerostoreError("EXPORT_INVALID", `line ${number}: ${why}`);
}
