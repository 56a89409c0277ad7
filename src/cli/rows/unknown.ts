import { count } from "../../bytes/quantity.js";
import { familyName, type IdPlace, type UnknownShape, unknownRows } from "../../schemas/index.js";
import { command } from "../arguments/command.js";
import { json, reading } from "../arguments/options.js";
import { isEncrypted, openDatabase } from "../database/database.js";
import { fieldLines } from "../output/lines.js";
import type { Terminal } from "../output/terminal.js";
import { printable } from "../output/text.js";

/** Prints the shapes of rows that the revision of a database does not know. */
export const unknown = command({
  words: "unknown <db>",
  description: "describe unknown rows, without ids, values and secrets",
  options: { ...reading, json },
  help: `For each column family, prefix and length of key with rows that no kind reads: how often it occurs, how long the values
are, which bytes are the same in all rows, and where ids of known rows occur. For a node of core-1.0 also the forms of
rows whose layout is not certain: docs/trust.md lists these points. The output has no id, no value and no secret: it can
be attached to a report about a node that is newer than merostore. Reads every row once. Status 3 if an
export leaves out rows.

Examples:
  merostore unknown node/data
  merostore unknown node/data --json`,

  async run(terminal, { db }, options) {
    await using store = await openDatabase(terminal, db, options);
    if (await isEncrypted(store, options)) return 3;
    using progress = terminal.progress("unknown");
    // Nothing is known of rows that an export leaves out.
    const isPart = store.warnings.some(({ code }) => code === "ROWS_LEFT_OUT");
    const status = isPart ? 3 : 0;
    const found = await unknownRows(store.raw, store.schema, { onProgress: progress.show });
    if (options.json) {
      const { shapes, ...totals } = found;
      for (const shape of shapes) await terminal.json(shape);
      await terminal.json({ revision: store.schema.name, ...totals });
      return status;
    }
    for (const shape of found.shapes) await printShape(terminal, shape);
    if (found.openPoints.length > 0) {
      const forms = found.openPoints.map(({ point, forms }) => [`  ${point}`, formsText(forms)] as const);
      await terminal.line("points that no row of a real node has decided yet, and the forms of these rows:");
      await terminal.lines([...fieldLines(forms, terminal.width), ""]);
    }
    if (found.ofFurtherShapes > 0)
      await terminal.line(`${count(found.ofFurtherShapes)} rows of further shapes`);
    await terminal.line(
      found.unknown === 0
        ? `every row${isPart ? " of the export" : ""} is of a kind that ${store.schema.name} has: ${count(found.rows)} rows`
        : `${count(found.unknown)} of ${count(found.rows)} rows are not understood as ${store.schema.name}`,
    );
    return status;
  },
});

async function printShape(terminal: Terminal, shape: UnknownShape): Promise<void> {
  const { column, columnKnown, kind, rows, keyLength, valueLength, decodesUpTo } = shape;
  const family = printable(familyName({ column, prefix: shape.prefix }));
  const { least, most } = valueLength;
  const title = kind ?? (columnKnown ? "no kind has such a key" : "unknown column family");
  const lines: (readonly [string, string])[] = [
    ["  rows", count(rows)],
    ["  key", `${keyLength} bytes${runsText(shape.constantInKeys)}`],
    [
      "  value",
      `${least === most ? count(least) : `${count(least)} to ${count(most)}`} bytes${runsText(shape.constantInValues)}`,
    ],
    ...(decodesUpTo === undefined ? [] : [["  decodes", `up to byte ${decodesUpTo}`] as const]),
    ...shape.ids.map((place) => ["  id", placeText(place)] as const),
  ];
  await terminal.lines([`${family}: ${title}`, ...fieldLines(lines, terminal.width), ""]);
}

function runsText(runs: UnknownShape["constantInKeys"]): string {
  if (runs.length === 0) return "";
  const shown = runs.slice(0, 8).map(({ from, to }) => (to === from + 1 ? `${from}` : `${from}–${to - 1}`));
  return `; the same in all rows: ${[...shown, ...(runs.length > 8 ? ["…"] : [])].join(", ")}`;
}

function formsText(forms: Readonly<Record<string, number>>): string {
  return Object.entries(forms)
    .map(([form, rows]) => `${count(rows)} × ${form}`)
    .join(", ");
}

function placeText({ in: where, offset, part, rows }: IdPlace): string {
  return `${part} at byte ${offset} of the ${where} (${rows} of the first rows)`;
}
