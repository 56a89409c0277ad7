/**
 * Value codecs, and under the same names the types of the values. A name without suffix is the layout of the newest
 * revision that has the row; an older layout has the suffix `010`, `011` or `Documented`.
 */
export { ContextDagDeltaValue011 } from "../payloads/delta-row.js";
export {
  ApplicationMetaValue,
  ApplicationMetaValue010,
  ApplicationPreviousBlobValue,
  ServiceMeta,
} from "./application.js";
export { BlobMetaValue, BlobMetaValue010 } from "./blobs.js";
export {
  AbsorbBufferValue,
  AbsorbBufferValue011,
  ContextActivatedBlobValue,
  ContextActivatedStateVersionValue,
  ContextAuthoredRemainingValue,
  ContextConfigValue,
  ContextDagDeltaValue010,
  ContextDagDeltaValueDocumented,
  ContextExecutingBlobValue,
  ContextIdentityValue,
  ContextIdentityValue010,
  ContextLeftMarkerValue,
  ContextMetaValue,
  ContextMetaValueDocumented,
  ContextMigrationFailedValue,
  ContextWarrantNonceValue,
  ScopeUnifiedOpValue,
  ScopeUnifiedOpValue011,
} from "./context.js";
export * from "./group/index.js";
export { SearchDirtyCounterValue, SearchDirtyValue, SearchIndexValue } from "./search.js";
