/** Compares the forms of a database's rows in several revisions. */
import type { EngineReader } from "../engine/engine.js";
import { decodes } from "./accepted.js";
import { knownRowToJson } from "./row-json.js";
import type { AnyRow, Schema } from "./schema.js";

/**
 * Returns true if all revisions read every row of some column families in the same form: the same kind, parts and
 * fields. Rows that no revision reads do not count.
 */
export async function readAlike(
  reader: EngineReader,
  revisions: readonly Schema<AnyRow>[],
  columns: Iterable<string>,
): Promise<boolean> {
  for (const column of columns)
    for await (const chunk of reader.scan(column).chunks())
      for (const { key, value } of chunk)
        if (new Set(formsOf(revisions, column, key, value)).size > 1) return false;
  return true;
}

function formsOf(
  revisions: readonly Schema<AnyRow>[],
  column: string,
  key: Uint8Array,
  value: Uint8Array,
): readonly (string | undefined)[] {
  return revisions.map((revision) => {
    const row = revision.identify(column, key);
    if (row === undefined || !decodes(row, key, value)) return undefined;
    // The form includes secrets, because redaction would hide differences. It is only compared.
    return JSON.stringify(knownRowToJson(row, row.key.view(key), value, { revealSecrets: true }));
  });
}
