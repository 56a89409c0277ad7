/**
 * The files of a database: tables by column family and level, with compression and filters, and the logs that it needs.
 */

import { count, counted } from "../../bytes/quantity.js";
import { readStoredLogs, readStoredTables } from "../../engines/index.js";
import { isMerostoreError } from "../../errors.js";
import { type Fitting, fittedTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { type Cell, printable } from "../output/text.js";

/** The tables of a column family's level with the same compression. */
export interface TableGroup {
  readonly column: string;
  readonly level: number;
  readonly files: number;
  /** RocksDB's names: `LZ4`, `ZSTD`. */
  readonly compression: readonly string[];
  /** Files with a dictionary, and the bytes of all dictionaries. */
  readonly dictionaries: number;
  readonly dictionaryBytes: number;
  /** Files with a filter, and the bytes of all filters. */
  readonly filters: number;
  readonly filterBytes: number;
  /** The bytes of keys and values, including all versions of a row, and the bytes of the files. */
  readonly plainBytes: number;
  readonly storedBytes: number;
}

/** The write-ahead logs that the database still needs. */
export interface NeededLogs {
  readonly files: number;
  readonly bytes: number;
  /** The oldest log with changes that no table has; null if there is none. */
  readonly oldest: string | null;
  /** The column families with such changes in it. RocksDB keeps this log and all later ones until they are flushed. */
  readonly pinnedBy: readonly string[];
}

/** The groups of tables, by column family and level. */
export async function tableGroups(path: string): Promise<readonly TableGroup[]> {
  const groups = new Map<string, TableGroup>();
  for (const table of await readStoredTables(path)) {
    const { column, level, compression, dictionaryBytes, filterBytes, plainBytes, storedBytes } = table;
    const name = `${level} ${compression.join()} ${column}`;
    const before = groups.get(name);
    groups.set(name, {
      ...{ column, level, compression },
      files: (before?.files ?? 0) + 1,
      dictionaries: (before?.dictionaries ?? 0) + (dictionaryBytes > 0 ? 1 : 0),
      dictionaryBytes: (before?.dictionaryBytes ?? 0) + dictionaryBytes,
      filters: (before?.filters ?? 0) + (filterBytes > 0 ? 1 : 0),
      filterBytes: (before?.filterBytes ?? 0) + filterBytes,
      plainBytes: (before?.plainBytes ?? 0) + plainBytes,
      storedBytes: (before?.storedBytes ?? 0) + storedBytes,
    });
  }
  // The order is by column family.
  const columns = [...new Set([...groups.values()].map(({ column }) => column))];
  return [...groups.values()].sort(
    (a, b) => columns.indexOf(a.column) - columns.indexOf(b.column) || a.level - b.level,
  );
}

/** The logs; undefined if they cannot be read, which the opening reports. */
export async function neededLogs(path: string): Promise<NeededLogs | undefined> {
  try {
    const logs = await readStoredLogs(path);
    const oldest = logs.find(({ changes }) => Object.keys(changes).length > 0);
    return {
      files: logs.length,
      bytes: logs.reduce((sum, { bytes }) => sum + bytes, 0),
      oldest: oldest?.file ?? null,
      pinnedBy: Object.keys(oldest?.changes ?? {}),
    };
  } catch (error) {
    if (isMerostoreError(error)) return undefined;
    throw error;
  }
}

/** The layout of the table of {@link tableRows} on a terminal. */
export const FILES_TABLE: Fitting = { right: [1, 2, 6, 7], wrap: [3], leave: [4], cut: [0] };

/** A line about the logs, and a table of the groups. */
export function tableLines(
  groups: readonly TableGroup[],
  logs: NeededLogs | undefined,
  terminal: Pick<Terminal, "width" | "size" | "sizeCell">,
): string[] {
  const table = fittedTable(tableRows(groups, terminal), FILES_TABLE, terminal.width);
  return logs === undefined ? table : [...table, "", logsText(logs, terminal.size)];
}

/** The table of the groups. */
export function tableRows(
  groups: readonly TableGroup[],
  { size, sizeCell }: Pick<Terminal, "size" | "sizeCell">,
): Cell[][] {
  const rows = groups.map((group) => [
    printable(group.column),
    `${group.level}`,
    group.files,
    printable(group.compression.join(", ")) || "none",
    group.dictionaries === 0 ? "" : `${count(group.dictionaries)}, ${size(group.dictionaryBytes)}`,
    group.filters === 0 ? "none" : `${count(group.filters)}, ${size(group.filterBytes)}`,
    sizeCell(group.plainBytes),
    sizeCell(group.storedBytes),
  ]);
  return [
    [
      ...["column family", "level", "files", "compression"],
      ...["dictionaries", "filters", "keys and values", "stored"],
    ],
    ...rows,
  ];
}

/** `2 logs, 1.2 MB: 000012.log is kept for State and Delta`. */
function logsText({ files, bytes, oldest, pinnedBy }: NeededLogs, size: Terminal["size"]): string {
  const logs = `${counted(files, "log")}, ${size(bytes)}`;
  if (oldest === null) return `${logs}: no change is only there`;
  return `${logs}: ${oldest} is kept for ${pinnedBy.map(printable).join(", ")}`;
}
