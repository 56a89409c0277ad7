/** Turns errors of the native package into errors with a code. */

import { innerError, nativeError } from "../../engine/native.js";
import { MerostoreError } from "../../errors.js";

/** Returns whether opening failed because the database is open elsewhere. */
export function isLocked(error: unknown): boolean {
  return innerError(error).code === "LEVEL_LOCKED";
}

/**
 * Returns true if a table is damaged. LevelDB reports a truncated table with the system's error for an invalid offset.
 */
function isDamage({ code, message }: NodeJS.ErrnoException): boolean {
  return code === "LEVEL_CORRUPTION" || /\.(?:ldb|sst): Invalid argument/.test(message);
}

/** The error for a failed opening, read, write or flush. `doing` names the action, such as `reading default`. */
export function levelError(error: unknown, doing: string, path: string): MerostoreError {
  if (error instanceof MerostoreError) return error;
  const inner = innerError(error);
  const place = /\S+\.(?:ldb|sst|log)\b/.exec(inner.message)?.[0] ?? path;
  const advice = `Restore the whole folder ${path} from a copy`;
  return nativeError(error, doing, path, isDamage(inner) ? { place, advice } : undefined);
}

/** The error for a database that another handle has open. */
export function lockedError(path: string, cause?: unknown): MerostoreError {
  return new MerostoreError(
    "DATABASE_LOCKED",
    `${path} is locked by another process or by this program: LevelDB lets one at a time open it, even for reading. Close it there first`,
    { cause },
  );
}
