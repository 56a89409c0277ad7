/**
 * Value codecs, and under the same names the types of the values. A name without suffix is the layout of `core-0.10`;
 * the suffix `Documented` marks the layout of the same type as the document states it, where the two differ.
 */
export { ApplicationMetaValue, ServiceMeta } from "./application.js";
export { BlobMetaValue } from "./blobs.js";
export {
  ContextConfigValue,
  ContextDagDeltaValue,
  ContextDagDeltaValueDocumented,
  ContextIdentityValue,
  ContextMetaValue,
  ContextMetaValueDocumented,
} from "./context.js";
export * from "./group/index.js";
export { HybridTimestamp } from "./hybrid-timestamp.js";
