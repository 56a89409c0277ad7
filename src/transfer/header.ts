/** The first line of an export: checked field by field before anything is made of it. */

import { quoted } from "../bytes/visible.js";
import type { MerostoreError } from "../errors.js";
import { type ExportHeader, FORM_VERSION, wrongLine } from "./form.js";
import { JsonScanner } from "./json-scanner.js";
import { countColumns, MOST_COLUMNS } from "./limits.js";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The description of a database in the first line. @throws MerostoreError `EXPORT_INVALID` */
export function parseHeader(line: Uint8Array): ExportHeader {
  const names = new Set<string>();
  let repeated: string | undefined;
  const scanner = new JsonScanner((name) => {
    if (names.has(name)) repeated ??= name;
    names.add(name);
    return undefined;
  });
  const reason = scanner.scan(line, 0, line.length) ?? (scanner.complete ? undefined : "this is not JSON");
  if (reason !== undefined) throw wrong(reason);
  if (repeated !== undefined) throw wrong(`${quoted(repeated)} is there twice`);
  const fields = JSON.parse(decoder.decode(line)) as Readonly<Record<string, unknown>>;
  const { export: made, version, revision, families, columns, redacted, selection } = fields;
  if (made !== "merostore")
    throw wrong(
      "this is no export of merostore, whose first line describes the database: `merostore export`",
    );
  if (version !== FORM_VERSION)
    throw wrong(`the form has version ${quoted(version)}; here version ${FORM_VERSION} is read`);
  if (Array.isArray(columns) && countColumns(columns) > MOST_COLUMNS)
    throw wrong(`it names ${columns.length} column families, and an export has at most ${MOST_COLUMNS}`);
  const mixed = families === undefined || isFields(families);
  if (typeof revision !== "string" || typeof redacted !== "boolean" || !areNames(columns) || !mixed)
    throw wrong("`revision`, `columns`, `redacted` or `families` is missing or not as it should be");
  if (selection !== undefined && !isSelection(selection)) throw wrong("`selection` is not as it should be");
  return fields as unknown as ExportHeader;
}

/** Different texts, none of them empty, that RocksDB keeps as they are: it would cut one at a zero byte. */
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
  const { columns, context, group } = value;
  const ids = [context, group].filter((id) => id !== undefined);
  return (
    (columns === undefined || areNames(columns)) &&
    ids.every((id) => typeof id === "string" && /^[0-9a-f]{64}$/.test(id))
  );
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(why: string): MerostoreError {
  return wrongLine(1, why);
}
