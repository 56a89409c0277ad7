/**
 * Value codecs, and under the same names the types of the values. A name without suffix is the layout of `core-0.10`;
 * the suffixes `Documented` and `011` mark the layout of the same type in the document and in core-0.11, where it differs.
 */
export {
  ApplicationMetaValue,
  ApplicationMetaValue011,
  ApplicationPreviousBlobValue,
  ServiceMeta,
} from "./application.js";
export { BlobMetaValue, BlobMetaValue011 } from "./blobs.js";
export {
  AbsorbBufferValue,
  ContextActivatedBlobValue,
  ContextActivatedStateVersionValue,
  ContextAuthoredRemainingValue,
  ContextConfigValue,
  ContextDagDeltaValue,
  ContextDagDeltaValue011,
  ContextDagDeltaValueDocumented,
  ContextExecutingBlobValue,
  ContextIdentityValue,
  ContextIdentityValue011,
  ContextLeftMarkerValue,
  ContextMetaValue,
  ContextMetaValueDocumented,
  ContextMigrationFailedValue,
  ScopeUnifiedOpValue,
} from "./context.js";
export * from "./group/index.js";
export { HybridTimestamp, HybridTimestamp011 } from "./hybrid-timestamp.js";
