/**
 * The limits of an export. Reading enforces them before it allocates memory, and writing respects them, so `import` can
 * read everything that `export` writes.
 */

const MIB = 1024 * 1024;

/**
 * The most bytes of a row's key and value together. The largest values of a node, which applications write, stay below
 * 10 MiB. RocksDB keeps three copies of a row in memory while it is written, in addition to its line.
 */
export const LARGEST_ROW = 16 * MIB;

/** The most bytes of a line. It contains the value of a row twice, in hex and decoded; both in hex take 64 MiB. */
export const LONGEST_LINE = 80 * MIB;

/** The most bytes of the first line. */
export const LONGEST_HEADER = MIB;

/** The most JSON values of a line, at every depth, because each takes memory when the line is parsed. */
export const MOST_VALUES = MIB;

/** The most column families besides `default`. Each one takes memory in RocksDB. A node's database has at most 28. */
export const MOST_COLUMNS = 256;

/** Counts column families without `default`, which every database has. */
export function countColumns(names: readonly unknown[]): number {
  return names.filter((name) => name !== "default").length;
}
