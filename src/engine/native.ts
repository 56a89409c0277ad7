/** Helpers for native packages: errors with a code, plain bytes, and a bound of ranges. */
import { MerostoreError } from "../errors.js";

/** The advice after a failed write. */
const REOPEN = "Close the database and open it again before you write to it";

/** Returns the database's own error, which packages wrap. */
export function innerError(error: unknown): NodeJS.ErrnoException {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return inner instanceof Error ? inner : new Error(String(inner));
}

/** The damage in an error of a native package. */
interface NativeDamage {
  /** The file, or the folder if no file is named. */
  readonly place: string;
  /** The advice after the message. */
  readonly advice: string;
}

/** The error for a failed opening, read, write or flush. `doing` names the action, such as `reading Meta`. */
export function nativeError(
  cause: unknown,
  doing: string,
  path: string,
  damage: NativeDamage | undefined,
): MerostoreError {
  const said = innerError(cause).message.trim();
  if (damage !== undefined) {
    const { place, advice } = damage;
    const message = `${doing} failed: ${place} is damaged (${said}). ${advice}`;
    return new MerostoreError("DATABASE_DAMAGED", message, { cause });
  }
  // Later writes are refused too, even if a full disk has space again.
  const remedy = doing === "writing" ? `. ${REOPEN}` : "";
  const code = /permission denied/i.test(said) ? "PERMISSION_DENIED" : "ENGINE_FAILED";
  return new MerostoreError(code, `${doing} failed in ${path}: ${said}${remedy}`, { cause });
}

/** Returns the bytes as a plain Uint8Array: packages return a Buffer, whose methods differ. */
export function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Means "no upper bound" for native calls that need a bound: no real key is beyond it. */
export const BEYOND_ALL = new Uint8Array(256).fill(0xff);
