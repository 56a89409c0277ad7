/**
 * Key classes: one for each kind of row. A name without suffix is the layout of the newest revision that has the row;
 * an older layout has the suffix `010`, `011` or `Documented`.
 */
export { Alias, AliasKind, type AliasParts, noScope } from "./alias.js";
export { ApplicationMeta, ApplicationPreviousBlob } from "./application.js";
export { BlobMeta, BlobOwner, ContextBlob } from "./blobs.js";
export {
  ContextConfig,
  ContextDagDelta,
  ContextIdentity,
  ContextIdentityDocumented,
  ContextMeta,
  ContextPrivateState,
  ContextPrivateState011,
  ContextPrivateStateDocumented,
  ContextState,
  ContextState011,
  ContextStateDocumented,
  SnapshotStage,
} from "./context.js";
export {
  AbsorbBufferKey,
  ContextActivatedBlob,
  ContextActivatedStateVersion,
  ContextAuthoredRemaining,
  ContextExecutingBlob,
  ContextLeftMarker,
  ContextMigrationFailed,
  ContextResyncRequested,
  ContextWarrantNonce,
} from "./context-local.js";
export {
  Generic,
  type GenericParts,
  type GenericScope,
  genericScope,
  genericScopes,
  scopeBytes,
} from "./generic.js";
export * from "./group/index.js";
export type {
  AnyKey,
  AnyKeyClass,
  AnyPart,
  Key,
  KeyClass,
  KeyField,
  KeyOf,
  KeyRange,
  Leading,
  Properties,
  Property,
  Values,
} from "./key-class.js";
export { keyParts } from "./key-parts.js";
export { byte, id32, type Part, paddedText, partsOf, scope16, tail, u64be } from "./part.js";
/** @internal */
export { partToJson } from "./part-json.js";
export type { PartValues } from "./parts.js";
export {
  INDEX_FILE_LENGTH,
  type IndexFile,
  SearchDirty,
  SearchDirtyCounter,
  SearchIndex,
  type SearchIndexParts,
} from "./search.js";
export { SortedIndex, SortedIndexMeta } from "./sorted-index.js";
export { ScopeUnifiedOp, type ScopeUnifiedOpParts } from "./unified-op.js";

// Biome merges the exports of a file, so the internal one stands apart.

/** @internal */
export { snapshotKey } from "./generic.js";
