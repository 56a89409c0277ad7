/** Places that need nothing of Node, and what all places share. */

export { namedPlace, PLACES } from "./folder-place.js";
export { memoryPlace } from "./memory-place.js";
export { compareLedgers, isLedger, ledgerFolder, type Place, pageFolder, pageNotFound } from "./place.js";
