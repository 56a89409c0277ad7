/** Places: where the databases of a repository are. */
export * from "./browser.js";
export { type FolderEngineName, folderEngines } from "./folder-engine.js";
export { folderPlace } from "./folder-place.js";
export { SERIALIZATION_VERSION } from "./names.js";
