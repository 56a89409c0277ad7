/** The default database of commands, from the environment. */
import { isFileUrl, kindOfLocation, shownLocation } from "./location.js";

/** The environment variable with the database of commands that name none. */
export const DEFAULT_DATABASE = "MEROSTORE_DB";

/** The database of the environment; undefined without one. */
export function defaultDatabase(): string | undefined {
  return process.env[DEFAULT_DATABASE] || undefined;
}

/** Returns whether the words of a command begin with a database. */
export function takesDatabase([first]: readonly string[]): boolean {
  return first === "<db>" || first === "[db]";
}

/**
 * The typed words, with the default database in front if they name none. The first word is the database if it is a
 * folder or a URL, if it is written like a path (it has a slash, and no `=` before it), or if the command takes nothing
 * else.
 *
 * @param words the words of the command's declaration: `<db>`, `[kind]`, …
 */
export function withDefaultDatabase(words: readonly string[], typed: readonly string[]): readonly string[] {
  const fallback = defaultDatabase();
  if (!takesDatabase(words) || fallback === undefined) return typed;
  const [first] = typed;
  if (first === undefined) return [fallback];
  return words.length === 1 || isPath(first) ? typed : [fallback, ...typed];
}

/**
 * A sentence for errors about the reading of the first word while a default database is set. Undefined without a
 * default database or without words.
 */
export function takenAs(words: readonly string[], typed: readonly string[]): string | undefined {
  const fallback = defaultDatabase();
  const [first] = typed;
  if (!takesDatabase(words) || fallback === undefined || first === undefined) return undefined;
  const word = first.length <= 40 ? `"${shownLocation(first)}"` : "the first word";
  if (words.length === 1) return `${word} was taken as the database, not ${DEFAULT_DATABASE}`;
  if (isPath(first)) {
    if (kindOfLocation(first) === "server") return undefined;
    const why = first.includes("/") ? "it has a slash" : "it is a folder";
    return `${word} was taken as the database because ${why}; ${DEFAULT_DATABASE} was not used`;
  }
  const [, second = ""] = words;
  return `the database is that of ${DEFAULT_DATABASE}, ${shownLocation(fallback)}: ${word} was taken as ${second.replace(/[<>[\].]/g, "")}`;
}

/**
 * Adds the command that shows a database in front, if the words begin with a database instead of a command, or if there
 * are no words and the environment names a database.
 *
 * @param isCommand returns whether a word is a command
 */
export function withCommand(
  shows: string | undefined,
  typed: readonly string[],
  isCommand: (word: string) => boolean,
): readonly string[] {
  const [first] = typed;
  if (shows === undefined) return typed;
  if (first === undefined) return defaultDatabase() === undefined ? typed : [shows];
  if (first.startsWith("-") || isCommand(first)) return typed;
  return isPath(first) || kindOfLocation(first) === "file" ? [shows, ...typed] : typed;
}

/** Returns whether a word is written like a path or a URL, or is a folder. */
export function isPath(word: string): boolean {
  if (isFileUrl(word)) return true;
  if (/^[^=]*\/(?!\/)/.test(word) && !word.includes("://")) return true;
  return ["folder", "server"].includes(kindOfLocation(word));
}
