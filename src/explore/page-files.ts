/** The files of the page: `index.html`, programs and data beside it, and those in `assets`. */
import { readFileSync, realpathSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { orUndefined } from "../errors.js";

/** Where the build puts the page. */
export const PAGE_FOLDER = fileURLToPath(new URL("../explorer/", import.meta.url));

/** A file of the page. */
export interface PageFile {
  readonly bytes: Uint8Array;
  /** What `Content-Type` says. */
  readonly type: string;
}

/** The path of a file in a request. The page in one file, `explorer.html`, is not served: its policy is another one. */
const PATH = /^\/(?:[\w-]{1,100}\.(?:js|json)|assets\/[\w-][\w.-]{0,200})?$/;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
};

/** Whether the page was built. */
export function isPageBuilt(folder: string): boolean {
  return pageFile(folder, "/") !== undefined;
}

/**
 * Reads a file of the page; undefined if there is none at the path. A link is not a file of the page.
 *
 * @param path the path of a request: `/`, `/worker.js`, or `/assets/` and a name
 */
export function pageFile(folder: string, path: string): PageFile | undefined {
  if (!PATH.test(path)) return undefined;
  const name = path === "/" ? "index.html" : path.slice(1);
  return orUndefined(() => {
    const file = join(realpathSync(folder), name);
    if (realpathSync(file) !== file) return undefined;
    const type = TYPES[extname(name)] ?? "application/octet-stream";
    return { bytes: readFileSync(file), type };
  });
}
