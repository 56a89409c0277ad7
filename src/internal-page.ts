/**
 * `merostore/internal` for bundlers for browsers: helpers that the explorer's page uses. Internal: names change without notice.
 *
 * @module
 */
export { compareBytes } from "./bytes/order.js";
export { size } from "./bytes/quantity.js";
export { firstNotBefore } from "./bytes/search.js";
export { shellQuoted } from "./bytes/shell-word.js";
export { beginning, type VisiblePart, visible, visibleParts } from "./bytes/visible.js";
export { Heap } from "./collections/heap.js";
export { RESTORE } from "./lsm/damage.js";
export { PageCache, PagedFile, repeated } from "./lsm/http/index.js";
export { Pause } from "./pause.js";
export { findPrivateEntities, type PrivateEntities, partsToJson, type RowJson } from "./schemas/index.js";
