/** The rows of State since core-1.0: one look at each batch of rows, for all rules. */
export { ASPECTS, type Aspect, ContextTally } from "./findings.js";
export { type Look, lookAt } from "./look.js";
export { contextOf, entityIn, type RawStateRow, type StateKey } from "./rows.js";
export { unreached } from "./unreached.js";
export { childrenOf } from "./walk.js";
