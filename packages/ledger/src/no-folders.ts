/**
 * The folders of a browser: none. Bundlers for browsers take this instead of files that need Node: see `browser` in
 * package.json.
 */
import { invalidArgument } from "merostore/internal";
import type * as Places from "./places/index.js";
import type * as Stores from "./sync/folder/shared-folder.js";

export const namedPlace: typeof Places.namedPlace = () => undefined;

export const PLACES = "originPlace(folder), or memoryPlace()";

export const folderStore: typeof Stores.folderStore = (_, what) => {
  throw invalidArgument(`${what} must be a store of files, such as httpStore(): browsers have no folders`);
};
