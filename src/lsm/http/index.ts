/** The files of a database on a web server or an object store. */
export { FILES_INDEX, type IndexedFile, writeFilesIndex } from "./files-index.js";
export { type HttpOptions, httpFiles, isHttpUrl } from "./http-files.js";
