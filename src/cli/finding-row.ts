/** The row of a finding of verification, as text. */
import { fromHex } from "../bytes/hex.js";
import { partsToJson, type Schema } from "../schemas/index.js";
import type { Finding } from "../verify/index.js";
import { printable, short } from "./text.js";

/** The row of a finding, and the values that the rule found and expected. */
export function findingRow(schema: Schema, finding: Finding): string {
  const { found, expected, entity } = finding;
  return [
    rowText(schema, finding),
    ...(entity === undefined ? [] : [`entity ${short(entity)}`]),
    ...(found === undefined ? [] : [`found ${short(found)}`]),
    ...(expected === undefined ? [] : [`expected ${short(expected)}`]),
  ].join("; ");
}

function rowText(schema: Schema, { column, key }: Pick<Finding, "column" | "key">): string {
  if (key === null) return printable(column);
  const bytes = fromHex(key);
  const kind = schema.identify(column, bytes)?.key;
  if (kind === undefined) return `${printable(column)} key ${short(key)}`;
  const parts = Object.entries(partsToJson(kind, kind.fromBytes(bytes)));
  return [kind.KIND, ...parts.map(([name, part]) => `${name}=${short(part)}`)].join(" ");
}
