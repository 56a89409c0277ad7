import { toHex } from "../../bytes/hex.js";
import { columnFamilies } from "../../columns/index.js";
import type { Named, Names, SizeBy, Sizes } from "../../node/index.js";
import { command } from "../arguments/command.js";
import { choiceOr } from "../arguments/option-kinds.js";
import { tableLook } from "../arguments/options.js";
import { printTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { type Cell, printable } from "../output/text.js";
import { rowName } from "../verify/finding-row.js";
import { idAndName, type Labels } from "./labels.js";
import { nodeOptions, withNode } from "./options.js";

/** Prints the sizes of contexts, groups and other parts. */
export const du = command({
  words: "du <db>",
  description: "show the space that families, kinds, groups or contexts take; the largest rows",
  options: {
    by: choiceOr("<what>", ["family", "kind", "group", "context"], "family", "add up rows by this"),
    ...nodeOptions,
    ...tableLook,
  },
  help: `Adds up the bytes of keys and values. Files are smaller or larger: RocksDB shortens keys, and keeps what was written
over until it compacts. The rows of a context belong to its group. Reads every row once.

Examples:
  merostore du node/data
  merostore du node/data --by context
  merostore du node/data --by group --json`,

  async run(terminal, { db }, options) {
    return withNode(terminal, db, options, async ({ store, node, labels }) => {
      using progress = terminal.progress("du");
      const sizes = await node.sizes(options.by, { onProgress: progress.show });
      const names = await node.names();
      if (options.json) {
        for (const { of, rows, bytes } of sizes.entries)
          await terminal.json({ ...ofToJson(of, options.by, names), rows, bytes });
        return 0;
      }
      await labels.prepare(sizes.entries.flatMap(({ of }) => thingOf(of, options.by, names) ?? []));
      const rows = rowsOf(sizes, options.by, names, labels, terminal);
      await printTable(terminal, rows, { right: [1, 2, 3], wrap: [4], cut: [0], leave: [4] });
      if (terminal.isForPrograms) return 0;
      await terminal.line("");
      const largest = sizes.largest.map(({ column, key, bytes }) => [
        terminal.sizeCell(bytes),
        rowName(store.schema, { column, key: toHex(key) }, terminal.ids),
      ]);
      await printTable(terminal, [["bytes", "largest rows"], ...largest], { right: [0], wrap: [1] });
      return 0;
    });
  },
});

function thingOf(of: string, by: SizeBy, names: Names): Named | undefined {
  if (of === "" || by === "family" || by === "kind") return undefined;
  return names.as(by, of);
}

function ofToJson(of: string, by: SizeBy, names: Names): object {
  const thing = thingOf(of, by, names);
  return { [by]: thing === undefined ? (of === "" ? null : of) : idAndName(thing) };
}

function rowsOf(
  { entries, rows, bytes }: Sizes,
  by: SizeBy,
  names: Names,
  labels: Labels,
  { sizeCell, isForPrograms, form }: Terminal,
): Cell[][] {
  const none = by === "kind" ? "of no known kind" : `of no ${by}`;
  const share = (of: number): string => (bytes === 0 ? "" : `${((100 * of) / bytes).toFixed(1)} %`);
  return [
    [by === "family" ? "column family" : by, "rows", "bytes", "share", ...(by === "family" ? ["what"] : [])],
    // Rows of no context and no group have no name.
    ...entries
      .filter(({ of }) => of !== "" || form !== "name")
      .map((entry) => {
        const thing = thingOf(entry.of, by, names);
        const name = thing === undefined ? printable(entry.of) || none : labels.of(thing);
        const holds = columnFamilies.find((family) => family.name === entry.of)?.holds ?? "";
        const cells = [name, entry.rows, sizeCell(entry.bytes), share(entry.bytes)];
        return by === "family" ? [...cells, holds] : cells;
      }),
    ...(isForPrograms ? [] : [["in all", rows, sizeCell(bytes), ""]]),
  ];
}
