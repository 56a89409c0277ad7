/** Words of commands, quoted for a POSIX shell. */
import { visible } from "./visible.js";

/** JSON's escapes of a character beyond U+FFFF, which are two. */
const PAIR = /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/g;

/** Returns the shell's single escape for such a character. */
function wholeEscape(_: string, high: string, low: string): string {
  const point = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0;
  return `\\U${point.toString(16).padStart(8, "0")}`;
}

/**
 * Quotes a word for a shell if it needs quotes. Hidden characters become escapes: a person who copies the word sees all
 * of it, and no text can end the quotes.
 */
export function shellQuoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const escaped = word.replaceAll("\\", "\\\\");
  const shown = visible(escaped);
  // Only quotes of this kind have escapes.
  if (shown !== escaped) return `$'${shown.replaceAll("'", "\\'").replace(PAIR, wholeEscape)}'`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
