/** The place of a database or of files: a path, or a URL. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isUrlObject } from "../bytes/realm.js";
import { invalidArgument } from "../errors.js";
import { isUrl } from "./folder.js";

/** The readable schemes of URLs other than `file`. */
const READ = /^(?:https?|postgres(?:ql)?)$/i;

/** A path, or a URL as text or as an object. `file:` URLs are paths. */
export type PathOrUrl = string | URL;

/** Returns whether a value is a location, and not an open database. */
export function isLocation(value: unknown): value is PathOrUrl {
  return typeof value === "string" || isUrlObject(value);
}

/**
 * Returns a location as a path or the text of a URL.
 *
 * @param what the location, for the message
 * @throws MerostoreError INVALID_ARGUMENT unless it is a text with characters or a URL, and for `file:` URLs that name
 *   no path
 */
export function locationText(location: PathOrUrl, what = "the path of a database"): string {
  const text: unknown = isUrlObject(location) ? location.href : location;
  if (typeof text !== "string" || text === "")
    throw invalidArgument(`${what} must be a non-empty string or a URL`);
  if (!/^file:\//i.test(text)) {
    const [, scheme] = /^([a-z][a-z\d+.-]+):\/\//i.exec(text) ?? [];
    if (scheme === undefined || READ.test(scheme)) return text;
    throw invalidArgument(
      `${what} is a URL of ${scheme}: only those of http, https, file and postgres are read`,
    );
  }
  try {
    return fileURLToPath(text);
  } catch (error) {
    throw invalidArgument(`${text} names no path: ${(error as Error).message}`);
  }
}

/**
 * Returns the path of a local folder.
 *
 * @param what the folder, for the message
 * @throws MerostoreError INVALID_ARGUMENT as {@link locationText}, and for the URL of a server
 */
export function folderPath(location: PathOrUrl, what: string): string {
  const path = locationText(location, what);
  if (isUrl(path)) throw invalidArgument(`${what} must be a path or a file: URL, not ${path}`);
  return path;
}

/**
 * Returns the absolute path of a folder, and the text of any other URL. Call it before the first `await`, because a
 * program may change its working directory during a call.
 *
 * @param what the location, for the message
 * @throws MerostoreError INVALID_ARGUMENT as {@link locationText}
 * @internal
 */
export function absoluteLocation(location: PathOrUrl, what?: string): string {
  const text = locationText(location, what);
  return isUrl(text) ? text : resolve(text);
}
