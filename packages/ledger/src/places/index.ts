/** Places: the locations of the databases of a repository. */
export * from "./browser.js";
export { type FolderEngineName, folderEngines, folderPlace } from "./folder-place.js";
export { SERIALIZATION_VERSION } from "./place.js";
