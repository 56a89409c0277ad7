/** The location of a database: a folder, or a URL. */

import { resolve } from "node:path";
import { isUrl } from "../disk/folder.js";

/**
 * Returns the absolute path of a folder, and anything else as it is. To be called before the first `await`: a program may
 * change its working directory while a call is under way.
 *
 * @internal
 */
export function absoluteLocation(location: string): string {
  if (typeof location !== "string" || location === "") return location;
  return isUrl(location) ? location : resolve(location);
}
