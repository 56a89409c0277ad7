/** Parsing of OPTIONS files. RocksDB writes one at each opening and does not read them by default. */

/** The parts that matter for reading. */
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
}

export function readOptionsFile(text: string): OptionsFile {
  const columns = Array.from(text.matchAll(/^\[CFOptions "(.*)"\]\s*$/gm), ([, name]) =>
    unescaped(name as string),
  );
  const folder = (found: RegExpExecArray | null): string | undefined =>
    unescaped(found?.[1] ?? "") || undefined;
  const logFolder = folder(/^[ \t]*wal_dir[ \t]*=[ \t]*(.*?)[ \t\r]*$/m.exec(text));
  const infoLogFolder = folder(/^[ \t]*db_log_dir[ \t]*=[ \t]*(.*?)[ \t\r]*$/m.exec(text));
  const mostLogBytes = Number(
    /^[ \t]*max_total_wal_size[ \t]*=[ \t]*(\d{1,15})[ \t\r]*$/m.exec(text)?.[1] ?? 0,
  );
  return { columns, logFolder, infoLogFolder, mostLogBytes };
}

/** Removes the backslashes with which RocksDB escapes some characters. */
function unescaped(text: string): string {
  const escaped: Record<string, string> = { n: "\n", r: "\r" };
  return text.replace(/\\(.)/g, (_, character: string) => escaped[character] ?? character);
}
