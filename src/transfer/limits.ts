/**
 * The limits of an export. Reading enforces them before it allocates, and writing observes them, so `import` reads
 * everything that `export` writes.
 */

const MIB = 1024 * 1024;

/**
 * Bytes of a row's key and value together. The largest values of a node, which applications write, stay below 10 MiB.
 * RocksDB keeps three copies of a row in memory while it is written, in addition to its line.
 */
export const LARGEST_ROW = 16 * MIB;

/** Bytes of a line, which contains the value of a row twice, in hex and decoded. */
export const LONGEST_LINE = 1024 * MIB;

/** Bytes of the first line, and of any text of a later line that is not hex. */
export const LONGEST_TEXT = MIB;

/** Column families besides `default`. Each one takes memory in RocksDB. A node's database has at most 22. */
export const MOST_COLUMNS = 256;

/** Counts column families without `default`, which every database has. */
export function countColumns(names: readonly unknown[]): number {
  return names.filter((name) => name !== "default").length;
}

/** Nesting of lists and objects. A row of a node has fewer than 20 levels. */
export const DEEPEST = 64;
