import { toJsonLine } from "../../bytes/visible.js";
import { invalidArgument } from "../../errors.js";
import { placesIn } from "../../node/index.js";
import { command } from "../command.js";
import { upTo } from "../limit.js";
import { wrapped } from "../lines.js";
import { wholeNumber } from "../option-kinds.js";
import { base58, revealSecrets } from "../options.js";
import { type RowOptions, rowForm, withPrivateEntities } from "../rows.js";
import { hitText } from "./hits.js";
import { asking, withNode } from "./options.js";

/** Prints every row that has an id, a name or a text. */
export const find = command({
  words: "find <db> <text>",
  description: "every row that has an id, a name or a text, in its key or its value",
  options: {
    limit: wholeNumber("<n>", "at most this many rows"),
    ...asking,
    base58,
    revealSecrets,
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
      const hits = node.find(text, (rows) => progress.at(rows));
      for await (const hit of upTo(terminal, options, hits)) {
        found++;
        shown = await withPrivateEntities(store, hit.column, shown);
        const form = rowForm(store.schema, hit.column, hit.row, { ...shown, json: true });
        if (options.json) {
          const places = placesIn(form, searched).map(({ in: side, path }) => ({ in: side, path }));
          await terminal.line(toJsonLine({ ...form, in: hit.in, places }));
          continue;
        }
        const line = hitText(form, searched, hit.in, terminal.whole);
        for (const part of wrapped(line, terminal.width, 4)) await terminal.line(part);
      }
      if (found === 0) terminal.remark("merostore: no row has it");
      return found === 0 ? 1 : 0;
    });
  },
});
