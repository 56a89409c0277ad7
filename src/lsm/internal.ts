/**
 * The parts of the file reader that the explorer's page uses. Internal: names change without notice.
 *
 * @module
 */
export { RESTORE } from "./damage.js";
export { PageCache, PagedFile } from "./http/index.js";
