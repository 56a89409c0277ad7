import type { Codec, Size } from "../../codec/index.js";
import { columnFamilies } from "../../columns/index.js";
import { invalidArgument, isMerostoreError, UnknownWord } from "../../errors.js";
import { type AnyRow, revisionOf, type Schema } from "../../schemas/index.js";
import { command, type ExitStatus, type OptionValues } from "../arguments/command.js";
import { isPlace, shownLocation } from "../arguments/location.js";
import { choiceList, choiceOr, flag, text } from "../arguments/option-kinds.js";
import { keyFile, newestRevision, revisionNames } from "../arguments/options.js";
import { keyOfZeros } from "../arguments/parts.js";
import { fitted } from "../output/lines.js";
import { fittedTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { prefixText, shellWord } from "../output/text.js";
import { rowChangeCells, rowChanges, typeChanges } from "./compare.js";
import { type KindLayout, kindLayout, kindLines, printExample } from "./kind.js";
import { explainKind } from "./kinds.js";

const options = {
  revision: choiceOr("<name>", revisionNames, newestRevision, "the revision"),
  json: flag("one row per line", { conflicts: ["markdown"] }),
  markdown: flag("as a document"),
  db: text("<folder>", "with a KIND: show a row of this database"),
  keyFile,
  jsonOutput: text("<command>", "the JSON Schema of a line that a command prints with --json", {
    conflicts: ["json", "markdown", "db", "compare"],
  }),
  /** Two revisions, the older one first. */
  compare: choiceList("<revisions...>", revisionNames, "what moved from an older to a newer revision"),
};

/** Options of `schema`. */
export type SchemaOptions = OptionValues<typeof options>;

/**
 * Prints every row of a revision, or what moved between two: as text, JSON (one row per line) or a Markdown document.
 */
export const schema = command({
  words: "schema [kind]",
  description: "list the rows of a revision: column family, prefix, key, sizes, value; or explain one kind",
  options,
  help: `Examples:
  merostore schema GroupMember --db node/data
  merostore schema | grep GroupMember
  merostore schema --revision documented --markdown > schema.md
  merostore schema --compare core-0.10 core-0.11
  merostore schema --json | jq -r .kind
  merostore schema --json-output members

"bytes" are sizes, of the key and of the value. b32 is 32 bytes, [T] a list, T? a value or none, raw any bytes,
() no bytes. Commands show fields of rows marked "secret" as "redacted"; "by key": only those of some keys.
Nodes of 0.10 keep private collections in State and Delta: commands that open a database redact those as well.`,

  async run(terminal, { kind }, options) {
    // A command of two words, such as `db copy`, needs no quotes.
    if (options.jsonOutput !== undefined)
      return printJsonOutput(
        terminal,
        [options.jsonOutput, kind].filter((word) => word !== undefined).join(" "),
      );
    if (kind !== undefined) return explainOne(terminal, kind, options);
    if (options.db !== undefined) throw invalidArgument("--db shows a row of a KIND: name one");
    const { width } = terminal;
    const lines =
      options.compare === undefined
        ? schemaLines(options, width)
        : changeLines(options.compare, options, width);
    await terminal.lines(lines);
    return 0;
  },
});

/** Prints the JSON Schema of the lines of a command. */
async function printJsonOutput(terminal: Terminal, typed: string): Promise<ExitStatus> {
  const { default: schemas } = await import("./json-output.json", { with: { type: "json" } });
  const all = Object.entries(schemas as Readonly<Record<string, object>>);
  const [, schema] = all.find(([name]) => name === typed) ?? [];
  if (schema === undefined)
    throw invalidArgument(
      `no command "${typed}" has --json; these have it: ${all.map(([name]) => name).join(", ")}`,
    );
  const head = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `merostore ${typed} --json`,
  };
  await terminal.json({ ...head, ...schema });
  return 0;
}

/** Explains one kind, and shows a row of it from `--db`. */
async function explainOne(terminal: Terminal, kind: string, options: SchemaOptions): Promise<ExitStatus> {
  if (options.compare !== undefined || options.markdown)
    throw invalidArgument("a KIND is explained without --compare and --markdown");
  const layout = layoutOf(options.revision, kind);
  if (options.json) {
    await terminal.json({ ...rowJson(layout.row), ...explainKind(kind), revisions: layout.revisions });
    return 0;
  }
  await terminal.lines(fitted(kindLines(layout), terminal.width));
  if (options.db !== undefined) await printExample(terminal, options.db, layout.row, options.keyFile);
  return 0;
}

/** The layout of a kind. @throws MerostoreError `UNKNOWN_NAME`; the word may be a database */
function layoutOf(revision: string, kind: string): KindLayout {
  try {
    return kindLayout(revision, kind);
  } catch (error) {
    if (!isMerostoreError(error, "UNKNOWN_NAME") || !isPlace(kind)) throw error;
    const db = shellWord(shownLocation(kind));
    throw new UnknownWord(
      `schema describes a revision, not a database: "merostore status ${db} --rows" prints the revision and the kinds of rows of this one, and "merostore schema KIND --db ${db}" a row of a kind`,
      { cause: error },
    );
  }
}

function schemaLines({ revision, json, markdown }: SchemaOptions, width: number | undefined): string[] {
  const schema = revisionOf(revision) as Schema;
  if (json) return schema.rows.map((row) => JSON.stringify(rowJson(row)));
  return markdown ? schemaDocument(schema) : schemaText(schema, width);
}

function changeLines(
  names: readonly string[],
  { json, markdown }: SchemaOptions,
  width: number | undefined,
): string[] {
  const [older, newer, ...rest] = names;
  if (older === undefined || newer === undefined || rest.length > 0) {
    throw invalidArgument("--compare takes two revisions, the older one first");
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
  return json
    ? [...rows, ...types].map((change) => JSON.stringify(change))
    : markdown
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
      : [
          ...fittedTable([head, ...rowChangeCells(rows)], { wrap: [3, 4] }, width),
          "",
          ...fittedTable([typeHead, ...typeCells], { wrap: [2], cut: [0] }, width),
        ];
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

function schemaText(schema: Schema, width: number | undefined): string[] {
  return [
    `Revision ${schema.name}: ${schema.columns.length} column families, ${schema.rows.length} kinds of rows`,
    "",
    ...fittedTable(
      [HEAD, ...schema.rows.map(rowCells)],
      { right: [4, 6], wrap: [5, 3], cut: [0, 2], leave: [6, 0, 7] },
      width,
    ),
    "",
    ...fittedTable(
      types(schema).map(([name, codec]) => [name, codec.layout]),
      { wrap: [1], heads: false },
      width,
    ),
  ];
}

function schemaDocument(schema: Schema): string[] {
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

/** The named types of a schema: structs and enums. */
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
