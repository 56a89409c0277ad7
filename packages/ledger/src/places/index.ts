/** Places: where the databases of a repository are. */
export { type FolderEngineName, folderEngines } from "./folder-engine.js";
export { folderPlace, SERIALIZATION_VERSION } from "./folder-place.js";
export { memoryPlace } from "./memory-place.js";
export { compareLedgers, isLedger, ledgerFolder, pageFolder, pageNotFound } from "./names.js";
export type { Place } from "./place.js";
