/** Where the databases of a repository are. */

export type { FolderEngineName } from "./folder-engine.js";
export { folderPlace } from "./folder-place.js";
export { memoryPlace } from "./memory-place.js";
export type { Place } from "./place.js";
