/** What values carry inside: the actions of a delta and what they say about entities. */
export { Action } from "./action.js";
export { Event } from "./event.js";
export { ChildInfo, CrdtType, Metadata, SignatureData, StorageType } from "./metadata.js";
