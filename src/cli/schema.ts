import type { Codec, Size } from "../codec/index.js";
import { columnFamilies } from "../columns/index.js";
import { MerostoreError } from "../errors.js";
import type { AnyRow, Schema } from "../schemas/index.js";
import { revisionOf } from "../schemas/index.js";
import { rowChangeCells, rowChanges, typeChanges } from "./compare.js";
import { keyOfZeros } from "./parts.js";
import type { Terminal } from "./terminal.js";
import { prefixText, table } from "./text.js";

export interface SchemaOptions {
  readonly revision: string;
  readonly json?: boolean | undefined;
  readonly markdown?: boolean | undefined;
  /** Two revisions, the older one first. */
  readonly compare?: readonly string[] | undefined;
}

/** Prints every row of a revision, or what moved between two: as text, JSON (one row a line) or a Markdown document. */
export async function schemaCommand(terminal: Terminal, options: SchemaOptions): Promise<number> {
  if (options.compare !== undefined) return compare(terminal, options.compare, options);
  const schema = revisionOf(options.revision) as Schema;
  const lines = options.json
    ? schema.rows.map((row) => JSON.stringify(rowJson(row)))
    : options.markdown
      ? markdown(schema)
      : text(schema);
  for (const line of lines) await terminal.line(line);
  return 0;
}

async function compare(
  terminal: Terminal,
  names: readonly string[],
  options: SchemaOptions,
): Promise<number> {
  const [older, newer, ...rest] = names;
  if (older === undefined || newer === undefined || rest.length > 0) {
    throw new MerostoreError("INVALID_ARGUMENT", "--compare takes two revisions, the older one first");
  }
  const [before, after] = [revisionOf(older) as Schema, revisionOf(newer) as Schema];
  const rows = rowChanges(before, after);
  const types = typeChanges(before, after);
  const head = ["column family", "prefix", "change", older, newer];
  const typeHead = ["type", "", "layout"];
  const typeCells = types.flatMap(({ type, before, after }) => [
    [type, older, before ?? "(none)"],
    ["", newer, after ?? "(none)"],
  ]);
  const lines = options.json
    ? [...rows, ...types].map((change) => JSON.stringify(change))
    : options.markdown
      ? [
          `# What changed from ${older} to ${newer}`,
          "",
          `Printed by \`merostore schema --compare ${older} ${newer} --markdown\`. Not edited by hand.`,
          "",
          "## Rows",
          "",
          ...markdownTable(head, rowChangeCells(rows)),
          "",
          "## Types",
          "",
          ...markdownTable(
            typeHead,
            typeCells.map((cells) => cells.map((cell) => cell.replaceAll("|", "\\|"))),
          ),
        ]
      : [...table([head, ...rowChangeCells(rows)]), "", ...table([typeHead, ...typeCells])];
  for (const line of lines) await terminal.line(line);
  return 0;
}

function rowJson(row: AnyRow): object {
  const { type, signature, layout, size } = row.value;
  return {
    column: row.column,
    prefix: row.key.PREFIX ?? null,
    kind: row.kind,
    key: row.key.FIELDS,
    size: row.key.SIZE,
    variable: row.key.VARIABLE,
    value: { type: type ?? null, signature, layout, size, secret: row.secret(keyOfZeros(row.key)) },
  };
}

/** The columns of the table of rows, as text and as Markdown alike. */
const HEAD = ["column family", "prefix", "kind", "key", "bytes", "value", "bytes", "secret"];

function rowCells(row: AnyRow): string[] {
  const { column, kind, key, value } = row;
  const parts = key.FIELDS.filter(({ name }) => name !== "prefix").map(({ name, type }) => `${name} ${type}`);
  return [
    column,
    key.PREFIX === undefined ? "" : prefixText(key.PREFIX),
    kind,
    parts.join(" ‖ "),
    `${key.VARIABLE ? "≥ " : ""}${key.SIZE}`,
    value.signature,
    range(value.size),
    value.secret ? "secret" : row.secret(keyOfZeros(key)) ? "by key" : "",
  ];
}

function text(schema: Schema): string[] {
  return [
    `Revision ${schema.name}: ${schema.columns.length} column families, ${schema.rows.length} kinds of rows`,
    "",
    ...table([HEAD, ...schema.rows.map(rowCells)], [4, 6]),
    "",
    ...table(types(schema).map(([name, codec]) => [name, codec.layout])),
  ];
}

function markdown(schema: Schema): string[] {
  const families = columnFamilies
    .filter(({ name }) => schema.columns.includes(name))
    .map(({ name, holds, replicated, secrets }, at) => [
      `${at + 1}`,
      name,
      holds,
      replicated,
      secrets ? "yes" : "",
    ]);
  return [
    `# Schema ${schema.name}`,
    "",
    `Printed by \`merostore schema --revision ${schema.name} --markdown\`. Not edited by hand.`,
    "",
    "Integers are little-endian, those in keys (`u64BE`) big-endian. `b32` is 32 raw bytes, `str` and `bytes` have a u32",
    "length in front, `[T]` a u32 count, `T?` is 00, or 01 and a T. An enum is a u8 tag and its variant's fields.",
    "`raw` is the whole value as it is, `()` an empty one. Sizes are in bytes.",
    "",
    "## Column families",
    "",
    ...markdownTable(["#", "name", "holds", "replicated", "secrets"], families),
    "",
    "## Rows",
    "",
    "In Group the prefix byte comes first in the key. Parts lie one after another, without separators. Values marked",
    "`secret` hold a secret in some field; with `by key` the key decides.",
    "",
    ...markdownTable(HEAD, schema.rows.map(rowCells)),
    "",
    "## Types",
    "",
    ...markdownTable(
      ["type", "layout", "bytes"],
      types(schema).map(([name, codec]) => [name, codec.layout.replaceAll("|", "\\|"), range(codec.size)]),
    ),
  ];
}

/** The named types: structs and enums. */
function types(schema: Schema): [string, Codec<unknown>][] {
  return Object.entries(schema.types).filter(([name, { type }]) => type === name);
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

function range({ min, max }: Size): string {
  return max === undefined ? `≥ ${min}` : min === max ? `${min}` : `${min} to ${max}`;
}
