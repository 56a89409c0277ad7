/** Places: where the databases of a repository are. */
export * from "./browser.js";
export { type FolderEngineName, folderEngines } from "./folder-engine.js";
export { folderPlace, SERIALIZATION_VERSION } from "./folder-place.js";
