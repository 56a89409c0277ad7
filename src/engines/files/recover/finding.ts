/** The findings of a recovery: losses, and other facts that users of the new database should know. */

import { toHex } from "../../../bytes/hex.js";
import type { LiveFile } from "../../../lsm/format/manifest.js";

/** A finding about a damaged database. */
export interface RecoveryFinding {
  /** True if rows, or changes of rows, may be lost. */
  readonly lost: boolean;
  /** The name of the file in the folder. */
  readonly file: string;
  /** The first byte that was not read; 0 for a whole file. */
  readonly offset: number;
  /** The number of bytes that were not read; 0 if nothing was lost. */
  readonly bytes: number;
  /** The column family; null if it is not known. */
  readonly column: string | null;
  /** A key in hex: the lost rows are at it or after it. Null if it is not known. */
  readonly firstKey: string | null;
  /** A key in hex: the lost rows are at it or before it. Null if it is not known. */
  readonly lastKey: string | null;
  /** The number of lost puts and deletions; null if it is not known. */
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

/** The facts in the MANIFEST about a table, for a finding about the whole table. */
export function factsOf({ size, column, smallest, largest }: LiveFile) {
  return { bytes: size, column, firstKey: toHex(smallest.key), lastKey: toHex(largest.key) };
}
