/** Parses OPTIONS files. RocksDB writes one at each opening, and by default does not read them. */

/** The parts of an OPTIONS file that are used here. */
export interface OptionsFile {
  /** The column families, in the order of the file. */
  readonly columns: readonly string[];
  /**
   * The folder of the write-ahead logs (`wal_dir`), as the writer gave it; undefined if they are beside the tables. Old
   * writers name the folder of the database at that time.
   */
  readonly logFolder: string | undefined;
  /** The folder of RocksDB's LOG (`db_log_dir`); undefined if it is beside the tables. */
  readonly infoLogFolder: string | undefined;
  /** The bytes of write-ahead logs at which the writer flushes (`max_total_wal_size`); 0 if the writer decides. */
  readonly mostLogBytes: number;
  /**
   * The deepest level of each column family. Level 0 for a family without leveled compaction: its other levels are not
   * certain.
   */
  readonly deepestLevels: ReadonlyMap<string, number>;
  /** The column families whose tables are not block-based (`table_factory`). */
  readonly otherTables: readonly string[];
}

/** The default number of levels of a column family (`num_levels`). */
const LEVELS = 7;

const LEVELED = "kCompactionStyleLevel";

export function readOptionsFile(text: string): OptionsFile {
  const deepestLevels = new Map<string, number>();
  const otherTables: string[] = [];
  for (const section of sectionsOf(text)) {
    const heading = /^\[CFOptions "(.*)"\]\s*$/m.exec(section)?.[1];
    if (heading === undefined) continue;
    const name = unescaped(heading);
    deepestLevels.set(name, deepestLevel(section));
    if (wordOf(section, "table_factory", "BlockBasedTable") !== "BlockBasedTable") otherTables.push(name);
  }
  return {
    columns: [...deepestLevels.keys()],
    logFolder: unescaped(textOf(text, "wal_dir")) || undefined,
    infoLogFolder: unescaped(textOf(text, "db_log_dir")) || undefined,
    mostLogBytes: Number(/^\d{1,15}$/.exec(textOf(text, "max_total_wal_size")) ?? 0),
    deepestLevels,
    otherTables,
  };
}

/** The sections of a file, each with its heading. */
function* sectionsOf(text: string): Generator<string, void, undefined> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = text.indexOf("\n[", start) + 1 || text.length;
    yield text.slice(start, end);
  }
}

/** Returns the value of an option; an empty text if it is absent. */
function textOf(text: string, option: string): string {
  // Trimmed afterwards: an expression without trailing spaces would take quadratic time for inner spaces.
  return new RegExp(`^[ \\t]*${option}[ \\t]*=(.*)$`, "m").exec(text)?.[1]?.trim() ?? "";
}

/** Returns the first word in the value of an option. */
function wordOf(text: string, option: string, byDefault: string): string {
  return /^\w+/.exec(textOf(text, option))?.[0] ?? byDefault;
}

function deepestLevel(section: string): number {
  if (wordOf(section, "compaction_style", LEVELED) !== LEVELED) return 0;
  return Math.max(0, Number(/^\d{1,3}$/.exec(textOf(section, "num_levels")) ?? LEVELS) - 1);
}

/** Removes the backslashes with which RocksDB escapes some characters. */
function unescaped(text: string): string {
  const escaped: Record<string, string> = { n: "\n", r: "\r" };
  return text.replace(/\\(.)/g, (_, character: string) => escaped[character] ?? character);
}
