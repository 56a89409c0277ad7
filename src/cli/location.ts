/** What stands where a command takes a database: the one place that looks. */
import { statSync } from "node:fs";
import { withoutPassword } from "../bytes/passwords.js";
import { isHttpUrl, isPostgresUrl, withoutSecrets } from "../engines/index.js";

/** A database on a server, a folder, a file, or nothing. */
export type LocationKind = "server" | "folder" | "file" | "missing";

/** What a typed location is. The URL of a server is not looked at: opening it tells. */
export function kindOfLocation(location: string): LocationKind {
  if (isPostgresUrl(location) || isHttpUrl(location)) return "server";
  try {
    const found = statSync(location, { throwIfNoEntry: false });
    if (found === undefined) return "missing";
    return found.isFile() ? "file" : "folder";
  } catch {
    return "missing"; // too long for a path, or within a file
  }
}

/** A location as it is printed: without the password of a URL, also one of an unknown kind, and without what signs it. */
export function shownLocation(location: string): string {
  return isHttpUrl(location) ? withoutSecrets(location) : withoutPassword(location);
}
