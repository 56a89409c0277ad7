/** Distinguishes damage of a database from failures to read it. */

import { isMerostoreError, MerostoreError } from "../errors.js";
import { MalformedBytes, UnsupportedFormat } from "./format/byte-cursor.js";

/** Advice about damage, as sentences. */
export const RESTORE =
  "Restore the whole folder from a copy, or let `merostore recover DB NEW` make a new database of everything that can still be read.";

/** Advice without a copy, as the second half of a sentence. */
export const RECOVER = "`merostore recover DB NEW` makes a new database of everything that can still be read";

/**
 * Returns true if an error means that bytes are damaged: they are malformed or missing, or the disk cannot read them
 * (EIO). A file without permission and too many open files are failures: a second attempt may succeed.
 */
export function isDamage(error: unknown): error is Error {
  if (error instanceof MalformedBytes || error instanceof UnsupportedFormat) return true;
  if (isMerostoreError(error, "DATABASE_DAMAGED")) return true;
  return isMerostoreError(error, "ENGINE_FAILED") && codeOf(error.cause) === "EIO";
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}

/** Creates a FORMAT_UNSUPPORTED error. Its cause shows whether RocksDB can read the files instead. */
export function unsupported(where: string, cause: UnsupportedFormat): MerostoreError {
  return new MerostoreError("FORMAT_UNSUPPORTED", `${where}: ${cause.message}. ${cause.remedy}`, { cause });
}
