/** Places that do not need Node, and the shared parts of all places. */

export { namedPlace, PLACES } from "./folder-place.js";
export { memoryPlace } from "./memory-place.js";
export { compareLedgers, isLedger, ledgerFolder, type Place, pageFolder, pageNotFound } from "./place.js";
