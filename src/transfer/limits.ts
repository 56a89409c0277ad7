/**
 * What an export may hold. Reading one is bounded by these limits before anything is made of its bytes, and writing one
 * keeps to them: whatever `export` writes, `import` reads.
 */

const MIB = 1024 * 1024;

/**
 * Bytes of a row's key and value together. A node's largest values, which its applications write, stay below 10 MiB.
 * RocksDB holds a row that is written three times, beside the line that it is read from.
 */
export const LARGEST_ROW = 16 * MIB;

/** Bytes of a line: the value of a row is in it twice, in hex and decoded. */
export const LONGEST_LINE = 1024 * MIB;

/** Bytes of the first line, and of any text of a later line that is not in hex. */
export const LONGEST_TEXT = MIB;

/** Column families beside `default`: each takes memory in RocksDB. A node's database has at most 22. */
export const MOST_COLUMNS = 256;

/** How many column families count: `default` is in every database. */
export function countColumns(names: readonly unknown[]): number {
  return names.filter((name) => name !== "default").length;
}

/** Lists and objects within each other. A row of a node has fewer than 20. */
export const DEEPEST = 64;
