/** The password file of PostgreSQL's own programs: `host:port:database:user:password` on each line. */

import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { PostgresLocation } from "./url.js";

/** The most bytes of a file that is read. */
const LARGEST = 1024 * 1024;

/**
 * The password of a place: from the URL, PGPASSWORD, or the password file (PGPASSFILE, `~/.pgpass`); undefined without
 * one. A password file that others may read is ignored, as PostgreSQL's own programs do.
 */
export async function passwordOf(
  place: PostgresLocation,
  environment = process.env,
): Promise<string | undefined> {
  if (place.password !== undefined) return place.password;
  if (environment.PGPASSWORD) return environment.PGPASSWORD;
  const text = await readPrivate(environment.PGPASSFILE || defaultFile(environment));
  return text === undefined ? undefined : passwordIn(text, place);
}

/** The password in the first line that matches a place. */
export function passwordIn(
  text: string,
  { host, port, database, user }: Pick<PostgresLocation, "host" | "port" | "database" | "user">,
): string | undefined {
  const wanted = [host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const fields = fieldsOf(line);
    if (fields.length === 5 && wanted.every((name, at) => fields[at] === "*" || fields[at] === name))
      return fields[4];
  }
  return undefined;
}

/** The five fields of a line. A backslash escapes a colon or backslash in a field. */
function fieldsOf(line: string): string[] {
  const fields: string[] = [];
  let field = "";
  for (let at = 0; at < line.length; at++) {
    if (line[at] === ":" && fields.length < 4) {
      fields.push(field);
      field = "";
    } else {
      if (line[at] === "\\" && at + 1 < line.length) at++;
      field += line[at];
    }
  }
  fields.push(field);
  return fields;
}

function defaultFile({ APPDATA }: NodeJS.ProcessEnv): string {
  return process.platform === "win32" && APPDATA
    ? join(APPDATA, "postgresql", "pgpass.conf")
    : join(homedir(), ".pgpass");
}

async function readPrivate(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    const isPrivate = process.platform === "win32" || (found.mode & 0o077) === 0;
    return found.isFile() && isPrivate && found.size <= LARGEST ? await readFile(path, "utf8") : undefined;
  } catch {
    return undefined; // the file is missing or unreadable
  }
}
