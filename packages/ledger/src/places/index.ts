/** Places: where the databases of a repository are. */
export * from "./browser.js";
export { type FolderEngineName, folderEngines, folderPlace } from "./folder-place.js";
export { SERIALIZATION_VERSION } from "./place.js";
