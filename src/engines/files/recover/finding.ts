/** The findings of a recovery: losses, and other facts that a reader of the new database should know. */

/** One thing that was found in a damaged database. */
export interface RecoveryFinding {
  /** True if rows, or changes of rows, may be lost with it. */
  readonly lost: boolean;
  /** The name of the file in the folder. */
  readonly file: string;
  /** The first byte that was not read; 0 for a whole file. */
  readonly offset: number;
  /** Bytes that were not read. 0 where nothing was lost. */
  readonly bytes: number;
  /** The column family; null if nothing tells. */
  readonly column: string | null;
  /** A key, in hex: what was lost is at it or after it. Null if nothing tells. */
  readonly firstKey: string | null;
  /** A key, in hex: what was lost is at it or before it. Null if nothing tells. */
  readonly lastKey: string | null;
  /** Puts and deletions that were lost; null if nothing tells. */
  readonly entries: number | null;
  /** The description, in a sentence. */
  readonly message: string;
}

/** Receives findings, in the order in which they are made. */
export type FindingSink = (finding: RecoveryFinding) => void;

/** Creates a finding about a loss. Other members are 0 or null unless `known` has them. */
export function finding(
  file: string,
  message: string,
  known: Partial<Omit<RecoveryFinding, "file" | "message">> = {},
): RecoveryFinding {
  return {
    lost: true,
    file,
    offset: 0,
    bytes: 0,
    column: null,
    firstKey: null,
    lastKey: null,
    entries: null,
    ...known,
    message,
  };
}
