/** The table files of a database, by level: how many, how they are compressed, and how much that saves. */

import { count } from "../../bytes/quantity.js";
import { readStoredTables } from "../../engines/index.js";
import { fittedTable } from "../table.js";
import type { Terminal } from "../terminal.js";
import { printable } from "../text.js";

/** The tables of a level that are compressed alike. */
export interface TableGroup {
  readonly level: number;
  readonly files: number;
  /** Names as RocksDB has them: `LZ4`, `ZSTD`. */
  readonly compression: readonly string[];
  /** Files with a dictionary, and the bytes of all dictionaries. */
  readonly dictionaries: number;
  readonly dictionaryBytes: number;
  /** Bytes of keys and values, all versions of a row included, and of the files. */
  readonly plainBytes: number;
  readonly storedBytes: number;
}

/** The groups of tables, by level. */
export async function tableGroups(path: string): Promise<readonly TableGroup[]> {
  const groups = new Map<string, TableGroup>();
  for (const { level, compression, dictionaryBytes, plainBytes, storedBytes } of await readStoredTables(
    path,
  )) {
    const name = `${level} ${compression.join()}`;
    const before = groups.get(name);
    groups.set(name, {
      ...{ level, compression },
      files: (before?.files ?? 0) + 1,
      dictionaries: (before?.dictionaries ?? 0) + (dictionaryBytes > 0 ? 1 : 0),
      dictionaryBytes: (before?.dictionaryBytes ?? 0) + dictionaryBytes,
      plainBytes: (before?.plainBytes ?? 0) + plainBytes,
      storedBytes: (before?.storedBytes ?? 0) + storedBytes,
    });
  }
  return [...groups.values()].sort((a, b) => a.level - b.level);
}

/** A table of the groups. */
export function tableLines(
  groups: readonly TableGroup[],
  { width, size }: Pick<Terminal, "width" | "size">,
): string[] {
  const rows = groups.map((group) => [
    `${group.level}`,
    count(group.files),
    printable(group.compression.join(", ")) || "none",
    group.dictionaries === 0 ? "" : `${count(group.dictionaries)}, ${size(group.dictionaryBytes)}`,
    size(group.plainBytes),
    size(group.storedBytes),
  ]);
  return fittedTable(
    [["level", "files", "compression", "dictionaries", "keys and values", "stored"], ...rows],
    { right: [0, 1, 4, 5], wrap: [2], leave: [3] },
    width,
  );
}
