/**
 * Helpers that the packages of this repository share. Internal: names change without notice, and a package that imports
 * them needs the same version of merostore.
 *
 * @module
 */

export { makeFolders, PRIVATE_FOLDER } from "./disk/access.js";
export { contentOf } from "./disk/folder.js";
export { folderPath, isLocation, locationText, type PathOrUrl } from "./disk/location.js";
export { realPath } from "./disk/outside.js";
export { type OpenedFile, openRegular } from "./disk/regular-file.js";
export { syncFolder, syncFolders, withMessage } from "./disk/sync-folder.js";
export * from "./internal-page.js";
