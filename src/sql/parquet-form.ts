/**
 * The memory that DuckDB needs to write Parquet files. It reserves some for each simple column, and a row of core-1.0
 * has hundreds.
 */

/**
 * The bytes that DuckDB reserves for a simple column, beside the dictionary of a column of texts. Most of them are
 * never touched.
 */
const COLUMN_BYTES = 384 * 1024;

/** The bytes of the dictionary of a column of texts. */
const MOST_DICTIONARY = 1024 * 1024;
const LEAST_DICTIONARY = 4096;

/** The number of simple columns in columns of the given DuckDB types, also within structs, lists and maps. */
function simpleColumns(types: readonly string[]): number {
  const words = types.map((type) => type.replaceAll(/"(?:[^"]|"")*"/g, "").match(/\b[A-Z]+\b/g) ?? []);
  return words.flat().filter((word) => word !== "STRUCT" && word !== "MAP").length;
}

/** The bytes of memory for writing columns of the given DuckDB types: at least `least`. */
export function memoryFor(types: readonly string[], least: number): number {
  return Math.max(least, simpleColumns(types) * COLUMN_BYTES);
}

/** The option of COPY that limits the dictionaries of all columns together to an eighth of the memory. */
export function dictionaryLimit(types: readonly string[], memoryBytes: number): string {
  const share = Math.floor(memoryBytes / 8 / Math.max(1, simpleColumns(types)));
  return `STRING_DICTIONARY_PAGE_SIZE_LIMIT ${Math.max(LEAST_DICTIONARY, Math.min(MOST_DICTIONARY, share))}`;
}
