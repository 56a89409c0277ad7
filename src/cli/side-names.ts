/** The names of two databases in a comparison: short, and never the same. */
import { resolve } from "node:path";
import { kindOfLocation, shownLocation } from "./location.js";

/** Folders that hold the database of a node, which the folder above names. */
const GENERIC = ["db", "data"];

/**
 * Returns a name for each of two locations: the last of its folders in which they differ, or the folder above a folder `db` or
 * `data`. Locations that are the same are A and B.
 */
export function sideNames(a: string, b: string): readonly [string, string] {
  const [inA, inB] = [foldersOf(a), foldersOf(b)];
  while (inA.length > 1 && inB.length > 1 && inA.at(-1) === inB.at(-1)) {
    inA.pop();
    inB.pop();
  }
  const names = [nameOf(inA), nameOf(inB)] as const;
  if (names[0] !== names[1]) return names;
  const whole = [inA.join("/"), inB.join("/")] as const;
  return whole[0] === whole[1] ? ["A", "B"] : whole;
}

function foldersOf(location: string): string[] {
  const shown = shownLocation(location);
  const path = kindOfLocation(location) === "server" ? shown.replace(/[?#].*$/, "") : resolve(shown);
  return path.split(/[/\\]+/).filter((folder) => folder !== "");
}

function nameOf(folders: readonly string[]): string {
  const last = folders.at(-1) ?? "/";
  return GENERIC.includes(last) ? (folders.at(-2) ?? last) : last;
}
