/** The row of a finding of verification, as text. */

import { fromHex } from "../../bytes/hex.js";
import { partsToJson, type Schema } from "../../schemas/index.js";
import type { Finding } from "../../verify/index.js";
import type { IdLook } from "../output/id-look.js";
import { printable, short } from "../output/text.js";

/** The row of a finding, and the values that the rule found and expected. */
export function findingRow(schema: Schema, finding: Finding, ids: IdLook): string {
  const { found, expected, entity } = finding;
  return [
    rowName(schema, finding, ids),
    ...(entity === undefined ? [] : [`entity ${short(entity, ids)}`]),
    ...(found === undefined ? [] : [`found ${short(found, ids)}`]),
    ...(expected === undefined ? [] : [`expected ${short(expected, ids)}`]),
  ].join("; ");
}

/** A row as its kind and the parts of its key, as `show` accepts it. */
export function rowName(
  schema: Schema,
  { column, key }: Pick<Finding, "column" | "key">,
  ids: IdLook,
): string {
  if (key === null) return printable(column);
  const bytes = fromHex(key);
  const kind = schema.identify(column, bytes)?.key;
  if (kind === undefined) return `${printable(column)} key ${short(key, ids)}`;
  const parts = Object.entries(partsToJson(kind, kind.fromBytes(bytes)));
  return [kind.KIND, ...parts.map(([name, part]) => `${name}=${short(part, ids)}`)].join(" ");
}
