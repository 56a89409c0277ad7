/** The files of the page: `index.html`, programs and data beside it, and the files in `assets`. */
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { orUndefined } from "../errors.js";

/** The folder where the build puts the page. */
export const PAGE_FOLDER = fileURLToPath(new URL("../explorer/", import.meta.url));

/** A file of the page. */
export interface PageFile {
  readonly bytes: Uint8Array;
  /** The value of `Content-Type`. */
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

/**
 * Reads the files of the page, by the path of a request: `/`, `/worker.js`, or `/assets/` and a name. A file whose name
 * ends in `.gz` is unpacked. Links are left out. Empty if the page was not built.
 */
export function pageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const inside of ["", "assets/"])
    for (const entry of orUndefined(() => readdirSync(join(folder, inside), { withFileTypes: true })) ?? []) {
      const name = entry.name.replace(/\.gz$/, "");
      const path = name === "index.html" ? `/${inside}` : `/${inside}${name}`;
      if (!entry.isFile() || !PATH.test(path)) continue;
      const stored = readFileSync(join(folder, inside, entry.name));
      const bytes = name === entry.name ? stored : gunzipSync(stored);
      files.set(path, { bytes, type: TYPES[extname(name)] ?? "application/octet-stream" });
    }
  return files;
}
