/** Places that need nothing of Node, and what all places share. */
export { memoryPlace } from "./memory-place.js";
export { namedPlace, PLACES } from "./named-place.js";
export { compareLedgers, isLedger, ledgerFolder, pageFolder, pageNotFound } from "./names.js";
export type { Place } from "./place.js";
