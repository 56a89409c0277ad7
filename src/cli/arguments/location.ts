/** The location of a database on a command line. Only this file examines it. */
import { statSync } from "node:fs";
import { isHttpUrl, isPostgresUrl, locationText } from "../../engines/index.js";
import { orUndefined } from "../../errors.js";

/** A database on a server, a folder, a file, or nothing. */
export type LocationKind = "server" | "folder" | "file" | "missing";

/** Returns whether a typed word is a `file:` URL. */
export function isFileUrl(word: string): boolean {
  return /^file:\//i.test(word);
}

/**
 * A typed location: the path of a `file:` URL, or any other location unchanged.
 *
 * @throws MerostoreError INVALID_ARGUMENT for a `file:` URL that names no path
 */
export function typedLocation(word: string): string {
  return isFileUrl(word) ? locationText(word) : word;
}

/** The kind of a location. The URL of a server is not examined: opening it shows whether it is right. */
export function kindOfLocation(location: string): LocationKind {
  if (isPostgresUrl(location) || isHttpUrl(location)) return "server";
  // It throws for a text that is too long for a path, and for a path within a file.
  const found = orUndefined(() => statSync(location, { throwIfNoEntry: false }));
  if (found === undefined) return "missing";
  return found.isFile() ? "file" : "folder";
}

/** Returns whether a word in the place of a name is a database, or looks like the path of one. */
export function isPlace(word: string): boolean {
  return word.includes("/") || kindOfLocation(word) !== "missing";
}

/** The printed form of a location, without the user, password and query of a URL of any kind. */
export { withoutSecrets as shownLocation } from "../../url-secrets.js";
