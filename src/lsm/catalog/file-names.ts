/** The names of the files of a database. Most have a number, of at least six digits. */

/** Returns the name of a write-ahead log. */
export function logName(number: number): string {
  return `${digits(number)}.log`;
}

/** Returns the name of a table file in RocksDB, or in LevelDB. */
export function tableName(number: number, ending: "sst" | "ldb" = "sst"): string {
  return `${digits(number)}.${ending}`;
}

/** Returns the name of a MANIFEST. */
export function manifestName(number: number): string {
  return `MANIFEST-${digits(number)}`;
}

/** Returns the name of the file that becomes CURRENT and names a MANIFEST. */
export function temporaryName(number: number): string {
  return `${digits(number)}.dbtmp`;
}

function digits(number: number): string {
  return String(number).padStart(6, "0");
}

/** The kinds of numbered files that a reader needs. Old databases have tables called `.ldb`. */
const PATTERNS = {
  log: /^(\d+)\.log$/,
  table: /^(\d+)\.(?:sst|ldb)$/,
  manifest: /^MANIFEST-(\d+)$/,
  options: /^OPTIONS-(\d+)$/,
} as const;

/** A file with a number. */
export interface NumberedFile {
  readonly number: number;
  readonly name: string;
}

/** Returns the files of a kind, by ascending numbers. */
export function filesOf(kind: keyof typeof PATTERNS, names: readonly string[]): NumberedFile[] {
  return names
    .flatMap((name) => {
      const number = PATTERNS[kind].exec(name)?.[1];
      return number === undefined ? [] : [{ number: Number(number), name }];
    })
    .sort((a, b) => a.number - b.number);
}

/** Returns the number in the name of a MANIFEST or an OPTIONS file. */
export function numberIn(name: string): number {
  return Number(name.slice(name.indexOf("-") + 1));
}

/** Returns the content of CURRENT that names a MANIFEST. */
export function currentOf(manifest: string): Uint8Array {
  return new TextEncoder().encode(`${manifest}\n`);
}

/** Returns the MANIFEST that the content of CURRENT names; undefined if it is anything else. */
export function manifestIn(current: Uint8Array): string | undefined {
  return /^(MANIFEST-\d+)\n$/.exec(new TextDecoder("latin1").decode(current))?.[1];
}
