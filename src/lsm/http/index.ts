/** The files of a database on a web server or an object store. */
export { FILES_INDEX, type IndexedFile, writeFilesIndex } from "./files-index.js";
export { isHttpUrl } from "./folder-url.js";
export { type HttpOptions, httpFiles } from "./http-files.js";
export { PageCache, PagedFile } from "./pages.js";
export { repeated } from "./retries.js";
