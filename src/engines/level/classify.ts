/** Turns what the native package throws into errors with a code. */

import { REOPEN } from "../../engine/advice.js";
import { MerostoreError } from "../../errors.js";

/** The message of LevelDB itself: the package wraps it when opening fails. */
function inner(error: unknown): NodeJS.ErrnoException {
  const found = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return found instanceof Error ? found : new Error(String(found));
}

/** Returns whether opening failed because the database is open elsewhere. */
export function isLocked(error: unknown): boolean {
  return inner(error).code === "LEVEL_LOCKED";
}

/** Returns true if a table is damaged. LevelDB reports a truncated table with the system's error for an invalid offset. */
function isDamage({ code, message }: NodeJS.ErrnoException): boolean {
  return code === "LEVEL_CORRUPTION" || /\.(?:ldb|sst): Invalid argument/.test(message);
}

/** The error for a failed opening, read, write or flush. `doing` says what was tried: `reading default`. */
export function levelError(error: unknown, doing: string, path: string): MerostoreError {
  if (error instanceof MerostoreError) return error;
  const found = inner(error);
  const said = found.message.trim();
  if (!isDamage(found)) {
    const remedy = doing === "writing" ? `. ${REOPEN}` : "";
    return new MerostoreError("ENGINE_FAILED", `${doing} failed in ${path}: ${said}${remedy}`, {
      cause: error,
    });
  }
  const file = /\S+\.(?:ldb|sst|log)\b/.exec(said)?.[0];
  return new MerostoreError(
    "DATABASE_DAMAGED",
    `${doing} failed: ${file ?? path} is damaged (${said}). Restore the whole folder ${path} from a copy`,
    { cause: error },
  );
}

/** The error for a database that another handle has open. */
export function lockedError(path: string, cause?: unknown): MerostoreError {
  return new MerostoreError(
    "DATABASE_LOCKED",
    `${path} is locked by another process or by this program: LevelDB lets one at a time open it, even for reading. Close it there first`,
    { cause },
  );
}
