/** The names of databases in a comparison: short, and never the same. */
import { resolve } from "node:path";
import { isPostgresUrl } from "../../engines/index.js";
import { kindOfLocation, shownLocation } from "./location.js";

/** Folder names of a node's database, for which the parent folder gives the name. */
const GENERIC = ["db", "data"];

/**
 * Returns a name for each of some locations: the last of its folders in which they differ, or the folder above a folder
 * `db` or `data`. The node of a PostgreSQL URL counts as its last folder. If some locations are the same, all are A, B,
 * …
 */
export function sideNames<const Locations extends readonly string[]>(
  ...locations: Locations
): { readonly [Side in keyof Locations]: string } {
  return namesOf(locations.map(foldersOf)) as { readonly [Side in keyof Locations]: string };
}

function namesOf(sides: readonly string[][]): readonly string[] {
  while (
    sides.length > 1 &&
    sides.every((folders) => folders.length > 1 && folders.at(-1) === sides[0]?.at(-1))
  )
    for (const folders of sides) folders.pop();
  const whole = sides.map((folders) => folders.join("/"));
  const names = [sides.map(nameOf), whole].find((names) => new Set(names).size === names.length);
  return names ?? sides.map((_, at) => (at < 26 ? String.fromCharCode(65 + at) : `${at + 1}`));
}

function foldersOf(location: string): string[] {
  const shown = shownLocation(location);
  const path = kindOfLocation(location) === "server" ? shown.replace(/[?#].*$/, "") : resolve(shown);
  const node = isPostgresUrl(shown) && URL.canParse(shown) ? new URL(shown).searchParams.get("node") : null;
  return [...path.split(/[/\\]+/), node ?? ""].filter((folder) => folder !== "");
}

function nameOf(folders: readonly string[]): string {
  const last = folders.at(-1) ?? "/";
  return GENERIC.includes(last) ? (folders.at(-2) ?? last) : last;
}
