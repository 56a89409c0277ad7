/** The layouts of State: where the rows of an entity are, and what is in them. */
export { EARLIER_STATE, isEarlierEntity } from "./earlier-state.js";
export { deletedChildrenOf, EntityIndex } from "./entity-index.js";
export { type EntityRow, entityData, entityRow, readEntityRow } from "./entity-row.js";
export { childTrieKey, entityKey, isOlderForm, readStateRow, type StateRow } from "./one-row.js";
