import { invalidArgument } from "../../errors.js";
import { type FoundPlace, placesIn, type Searched } from "../../node/index.js";
import type { RowJson } from "../../schemas/index.js";
import { command } from "../arguments/command.js";
import { wholeNumber } from "../arguments/option-kinds.js";
import { revealSecrets, tableForm } from "../arguments/options.js";
import type { IdLook } from "../output/id-look.js";
import { upTo } from "../output/limit.js";
import { programRows } from "../output/table.js";
import { printable, rowCells } from "../output/text.js";
import { type RowOptions, rowForm, withPrivateEntities } from "../rows/rows.js";
import { nodeOptions, withNode } from "./options.js";

/** Prints every row that has an id, a name or a text. */
export const find = command({
  words: "find <db> <text>",
  description: "find every row whose key or value contains an id, a name or a text",
  options: {
    limit: wholeNumber("<n>", "at most this many rows"),
    ...nodeOptions,
    revealSecrets,
    output: tableForm(),
  },
  help: `The first digits of an id, or the name of a thing, also find the rows that have the whole id. Texts are found as
they are written, in UTF-8. A line shows the column family and the kind of a row, its key, and which part or field has
it, with what stands around it. Reads every row once.

Examples:
  merostore find node/data lobby
  merostore find node/data fa3977a2
  merostore find node/data fa3977a2 --json

--json prints rows in the JSON form, with "in" and "places": where the row has it. Status 1 if no row has it.`,

  async run(terminal, { db, text }, options) {
    if (text === "") throw invalidArgument("name an id, a name or a text: every row has an empty one");
    return withNode(terminal, db, options, async ({ store, node }) => {
      using progress = terminal.progress("find", "rows");
      const searched = await node.searchedFor(text);
      let found = 0;
      let shown: RowOptions = options;
      const print = await programRows(terminal, ["row", "column family", "found in"]);
      const hits = node.find(text, { onProgress: progress.show });
      for await (const hit of upTo(terminal, options, hits)) {
        found++;
        shown = await withPrivateEntities(store, hit.column, shown);
        const form = rowForm(store.schema, hit.column, hit.row, { ...shown, json: true });
        if (options.json) {
          const places = placesIn(form, searched).map(({ in: side, path }) => ({ in: side, path }));
          await terminal.json({ ...form, in: hit.in, places });
          continue;
        }
        const { ids } = terminal;
        const name = rowCells(form, { keysOnly: true, ids });
        const where = placesText(form, searched, hit.in, ids);
        if (print !== undefined) await print([name.join(" "), form.column, where]);
        else await terminal.wrapped(hitText(form, where, ids), 4);
      }
      if (found === 0) terminal.remark("no row has it");
      return found === 0 ? 1 : 0;
    });
  },
});

/** The shown characters around a found text. */
const AROUND = 24;
/** The shown characters if lines have no end. */
const AROUND_WHOLE = 200;

/** A row in a line: its column family and kind, its parts, and the places of the searched text. */
function hitText(row: RowJson, where: string, ids: IdLook): string {
  const [, ...parts] = rowCells(row, { keysOnly: true, ids });
  return [`${printable(row.column)} ${row.kind ?? "unknown row"}`, ...parts, where].join("  ");
}

/** The places of a row that have the searched text. */
function placesText(row: RowJson, searched: Searched, where: string, ids: IdLook): string {
  const places = placesIn(row, searched);
  const texts = [
    ...(["key", "value"] as const).flatMap((side) => {
      const found = places.filter((place) => place.in === side).map((place) => placeText(place, ids));
      if (found.length > 0) return `in the ${side}${found[0] === "" ? "" : `: ${found.join(", ")}`}`;
      // The place in a hidden value is not searched.
      return where.includes(side)
        ? `in the ${side}${side === "value" ? ", in what is hidden or not a field" : ""}`
        : [];
    }),
  ];
  return texts.join("; ");
}

/** `name "…the office of…"`; only the name if the field is the searched id. A value without fields has no name. */
function placeText({ path, text, at, length }: FoundPlace, ids: IdLook): string {
  const name = printable(path);
  if (length === text.length && /^[0-9a-f]{64}$/.test(text)) return name;
  const around = ids.whole ? AROUND_WHOLE : AROUND;
  const [from, to] = [Math.max(0, at - around), at + length + around];
  const shown = printable(text.slice(from, to));
  return `${name}${name === "" ? "" : " "}"${from > 0 ? "…" : ""}${shown}${to < text.length ? "…" : ""}"`;
}
