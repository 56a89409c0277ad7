/** What an OPTIONS file says: RocksDB writes one at each opening, and reads none by itself. */

/** As much of it as matters for reading. */
export interface OptionsFile {
  /** The column families, in its order. */
  readonly columns: readonly string[];
  /**
   * The folder of the write-ahead logs (`wal_dir`), as the writer named it; undefined when they are beside the tables.
   * Of old writers it names the database's own folder, where that was then.
   */
  readonly logFolder: string | undefined;
}

export function readOptionsFile(text: string): OptionsFile {
  const columns = Array.from(text.matchAll(/^\[CFOptions "(.*)"\]\s*$/gm), ([, name]) =>
    unescaped(name as string),
  );
  const logFolder = unescaped(/^[ \t]*wal_dir[ \t]*=[ \t]*(.*?)[ \t\r]*$/m.exec(text)?.[1] ?? "");
  return { columns, logFolder: logFolder === "" ? undefined : logFolder };
}

/** RocksDB writes some characters with a backslash before. */
function unescaped(text: string): string {
  const escaped: Record<string, string> = { n: "\n", r: "\r" };
  return text.replace(/\\(.)/g, (_, character: string) => escaped[character] ?? character);
}
