/** Places: where the databases of a repository are. */
export { type FolderEngineName, folderEngines } from "./folder-engine.js";
export { folderPlace, SERIALIZATION_VERSION } from "./folder-place.js";
export { memoryPlace } from "./memory-place.js";
export { compareLedgers, isLedger, ledgerFolder, pageFolder } from "./names.js";
export { pageNotFound } from "./page-errors.js";
export type { Place } from "./place.js";
