/**
 * Turns errors of the native package into errors with a code. The package reports damage as `EIO`, so only the text
 * distinguishes it.
 */

import { innerError, nativeError } from "../../engine/native.js";
import { MerostoreError } from "../../errors.js";
import { RESTORE } from "../../lsm/damage.js";

/** Returns whether opening failed because another process has the database open for writing. */
export function isLocked(error: unknown): boolean {
  return /[\\/]LOCK: /.test(innerError(error).message) && !isRefusal(error);
}

/** Returns whether the system refused the access. The bytes may be undamaged. */
function isRefusal(error: unknown): boolean {
  const { message } = innerError(error);
  return /permission denied|read-only file system|too many open files|no space left|quota exceeded|file too large/i.test(
    message,
  );
}

/** Returns whether the text is about damaged bytes. */
export function isDamage(error: unknown): boolean {
  if (isRefusal(error)) return false;
  const { code, message } = innerError(error);
  if (/corrupt|checksum|mismatch|truncated|bad |malformed|too short|missing/i.test(message)) return true;
  return code === "EIO";
}

/**
 * Returns whether the text is about compressed bytes. The package is built without compression and cannot read them.
 */
function isCompressed(error: unknown): boolean {
  const { message } = innerError(error);
  return /not supported in this build|unable to uncompress blob|corrupted compressed block/i.test(message);
}

/** Returns the damaged file in the text, if it names one. */
export function damagedFile(error: unknown): string | undefined {
  const { message } = innerError(error);
  return /\S+\.(?:sst|ldb|log|blob)\b/.exec(message)?.[0] ?? /\S*MANIFEST-\d+/.exec(message)?.[0];
}

/** The error for a failed read, write or flush. `doing` names the action, such as `reading Meta`. */
export function engineError(error: unknown, doing: string, path: string): MerostoreError {
  if (error instanceof MerostoreError) return error;
  const { message } = innerError(error);
  if (isCompressed(error)) {
    return new MerostoreError(
      "FORMAT_UNSUPPORTED",
      `${doing} failed in ${path}: ${message.trim()}. The engine files may read it and write it; if not, use the program that wrote the database`,
      { cause: error },
    );
  }
  if (!isDamage(error)) return nativeError(error, doing, path, undefined);
  const file = damagedFile(error);
  const where = / offset (\d+)/.exec(message)?.[1];
  const place = file === undefined ? path : `${file}${where === undefined ? "" : ` at byte ${where}`}`;
  return nativeError(error, doing, path, {
    place,
    advice: `Rows in other files can still be read. ${RESTORE}`,
  });
}
