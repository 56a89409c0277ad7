/** Parsing of OPTIONS files. RocksDB writes one at each opening and does not read them by default. */

/** The parts that matter here. */
export interface OptionsFile {
  /** The column families, in its order. */
  readonly columns: readonly string[];
  /**
   * The folder of the write-ahead logs (`wal_dir`), as the writer named it; undefined when they are beside the tables.
   * Old writers name the folder that the database had at that time.
   */
  readonly logFolder: string | undefined;
  /** The folder of RocksDB's LOG (`db_log_dir`); undefined if that is beside the tables. */
  readonly infoLogFolder: string | undefined;
  /** The bytes of write-ahead logs from which on the writer flushes (`max_total_wal_size`); 0 if it decides itself. */
  readonly mostLogBytes: number;
  /** The deepest level of each column family. Level 0 for a family without leveled compaction: its other levels are not certain. */
  readonly deepestLevels: ReadonlyMap<string, number>;
  /** The column families whose tables are not block-based (`table_factory`). */
  readonly otherTables: readonly string[];
}

/** Levels of a column family (`num_levels`) by default. */
const LEVELS = 7;

export function readOptionsFile(text: string): OptionsFile {
  const deepestLevels = new Map<string, number>();
  const otherTables: string[] = [];
  for (const section of text.split(/^(?=\[)/m)) {
    const name = /^\[CFOptions "(.*)"\]\s*$/m.exec(section)?.[1];
    if (name === undefined) continue;
    deepestLevels.set(unescaped(name), deepestLevel(section));
    const factory = /^[ \t]*table_factory[ \t]*=[ \t]*(\w+)/m.exec(section)?.[1] ?? "BlockBasedTable";
    if (factory !== "BlockBasedTable") otherTables.push(unescaped(name));
  }
  const folder = (found: RegExpExecArray | null): string | undefined =>
    unescaped(found?.[1] ?? "") || undefined;
  const logFolder = folder(/^[ \t]*wal_dir[ \t]*=[ \t]*(.*?)[ \t\r]*$/m.exec(text));
  const infoLogFolder = folder(/^[ \t]*db_log_dir[ \t]*=[ \t]*(.*?)[ \t\r]*$/m.exec(text));
  const mostLogBytes = Number(
    /^[ \t]*max_total_wal_size[ \t]*=[ \t]*(\d{1,15})[ \t\r]*$/m.exec(text)?.[1] ?? 0,
  );
  return {
    columns: [...deepestLevels.keys()],
    logFolder,
    infoLogFolder,
    mostLogBytes,
    deepestLevels,
    otherTables,
  };
}

function deepestLevel(section: string): number {
  const style = /^[ \t]*compaction_style[ \t]*=[ \t]*(\w+)/m.exec(section)?.[1] ?? "kCompactionStyleLevel";
  const levels = Number(/^[ \t]*num_levels[ \t]*=[ \t]*(\d{1,3})[ \t\r]*$/m.exec(section)?.[1] ?? LEVELS);
  return style === "kCompactionStyleLevel" ? Math.max(0, levels - 1) : 0;
}

/** Removes the backslashes with which RocksDB escapes some characters. */
function unescaped(text: string): string {
  const escaped: Record<string, string> = { n: "\n", r: "\r" };
  return text.replace(/\\(.)/g, (_, character: string) => escaped[character] ?? character);
}
