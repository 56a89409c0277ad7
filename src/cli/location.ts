/** The location of a database on a command line: the one place that looks. */
import { statSync } from "node:fs";
import { isHttpUrl, isPostgresUrl, locationText } from "../engines/index.js";
import { orUndefined } from "../errors.js";

/** A database on a server, a folder, a file, or nothing. */
export type LocationKind = "server" | "folder" | "file" | "missing";

/** Returns whether a typed word is a `file:` URL. */
export function isFileUrl(word: string): boolean {
  return /^file:\//i.test(word);
}

/**
 * A typed location: the path of a `file:` URL, any other as it is.
 *
 * @throws MerostoreError INVALID_ARGUMENT for a `file:` URL that names no path
 */
export function typedLocation(word: string): string {
  return isFileUrl(word) ? locationText(word) : word;
}

/** The kind of a location. The URL of a server is not looked at: opening it tells. */
export function kindOfLocation(location: string): LocationKind {
  if (isPostgresUrl(location) || isHttpUrl(location)) return "server";
  // It throws for a text that is too long for a path, and for a path within a file.
  const found = orUndefined(() => statSync(location, { throwIfNoEntry: false }));
  if (found === undefined) return "missing";
  return found.isFile() ? "file" : "folder";
}

/** Returns whether a word is a database, or meant as the path of one, in the place of a name. */
export function isPlace(word: string): boolean {
  return word.includes("/") || kindOfLocation(word) !== "missing";
}

/** A location as it is printed: without the user, the password and the query of a URL, also of one of an unknown kind. */
export { withoutSecrets as shownLocation } from "../url-secrets.js";
