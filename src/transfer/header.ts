/** The first line of an export. */

import { quoted } from "../bytes/visible.js";
import type { MerostoreError } from "../errors.js";
import { type ExportHeader, FORM_VERSION, wrongLine } from "./form.js";
import { countColumns, MOST_COLUMNS } from "./limits.js";
import { isFields, parseLine } from "./lines.js";

/** Parses the first line. @throws MerostoreError `EXPORT_INVALID` */
export function parseHeader(line: Uint8Array): ExportHeader {
  const fields = parseLine(line, 1);
  const { export: made, version, revision, families, columns, redacted, selection } = fields;
  if (made !== "merostore")
    throw wrong(
      "this is not an export of merostore: its first line does not describe a database. Create one with `merostore export`",
    );
  if (version !== FORM_VERSION)
    throw wrong(
      `the format has ${version === undefined ? "no version" : `version ${quoted(version)}`}, but only version ${FORM_VERSION} can be read`,
    );
  if (Array.isArray(columns) && countColumns(columns) > MOST_COLUMNS)
    throw wrong(`it names ${columns.length} column families, but an export can have at most ${MOST_COLUMNS}`);
  const mixed = families === undefined || isFields(families);
  if (typeof revision !== "string" || typeof redacted !== "boolean" || !areNames(columns) || !mixed)
    throw wrong("`revision`, `columns`, `redacted` or `families` is missing or invalid");
  if (selection !== undefined && !isSelection(selection)) throw wrong("`selection` is invalid");
  return fields as unknown as ExportHeader;
}

/**
 * Returns whether a value is a list of distinct, non-empty names without zero bytes: RocksDB would truncate a name
 * there.
 */
function areNames(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (name) => typeof name === "string" && name !== "" && name.isWellFormed() && !name.includes("\0"),
    ) &&
    new Set(value).size === value.length
  );
}

function isSelection(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { columns, context, group, members } = value;
  return (
    (columns === undefined || areNames(columns)) &&
    (members === undefined || (Array.isArray(members) && members.length > 0)) &&
    [context, group, ...(members ?? [])].every((id) => id === undefined || isId(id))
  );
}

function isId(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function wrong(why: string): MerostoreError {
  return wrongLine(1, why);
}
