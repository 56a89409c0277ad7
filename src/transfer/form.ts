/**
 * The form of an export: NDJSON. The first line describes the database, the last one counts and seals; between them each
 * line is a row in the JSON form, column family after column family, keys ascending.
 */

/** The first line. */
export interface ExportHeader {
  readonly export: "merostore";
  /** Of this form. */
  readonly version: 1;
  /** The revision in which the rows were read, `mixed` for a database of several. */
  readonly revision: string;
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
  readonly group?: string;
}

/** The last line. */
export interface ExportTrailer {
  readonly rows: number;
  /** Rows of each column family that has any. */
  readonly columns: Readonly<Record<string, number>>;
  /** SHA-256 of all lines of rows, line feeds included, in hex. */
  readonly sha256: string;
}

export const FORM_VERSION = 1;
