/** Places that a path names. Bundlers for browsers take `named-place-browser.ts` in its place. */
import { folderPath, isLocation, type PathOrUrl, realPath } from "merostore/internal";
import type { FolderEngineName } from "./folder-engine.js";
import { folderPlace } from "./folder-place.js";
import type { Place } from "./place.js";

/**
 * Returns a place that a path names, with the name by which it is shared; undefined for anything but a path or URL.
 *
 * @throws MerostoreError INVALID_ARGUMENT
 */
export function namedPlace(
  location: PathOrUrl | Place,
  engine: FolderEngineName,
): { readonly name: string; readonly place: Place } | undefined {
  if (!isLocation(location)) return undefined;
  const folder = folderPath(location, "the place of a ledger");
  // With the engine in its name: one of another engine is not shared, but refused by the place.
  return { name: `${engine} ${realPath(folder)}`, place: folderPlace(folder, engine) };
}

/** Places of ledgers, in errors. */
export const PLACES = "the path of a folder, or memoryPlace()";
