/** The layouts of State: the places of an entity's rows, and their content. */
export { EARLIER_STATE, isEarlierEntity } from "./earlier-state.js";
export { deletedChildrenOf, EntityIndex } from "./entity-index.js";
export { type EntityRow, entityData, entityRow, readEntityRow } from "./entity-row.js";
export { childTrieKey, entityKey, isOlderForm, readStateRow, type StateRow } from "./one-row.js";
