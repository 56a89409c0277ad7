/**
 * Key classes: one for each kind of row. A name without suffix is the layout that nodes write; the suffix `Documented`
 * marks the layout of the same row as the document states it, where the two differ.
 */
export { Alias, AliasKind, noScope } from "./alias.js";
export { ApplicationMeta } from "./application.js";
export { BlobMeta } from "./blobs.js";
export {
  ContextConfig,
  ContextDagDelta,
  ContextIdentity,
  ContextIdentityDocumented,
  ContextMeta,
  ContextPrivateState,
  ContextPrivateStateDocumented,
  ContextState,
  ContextStateDocumented,
} from "./context.js";
export { Generic, type GenericScope, genericScope, genericScopes, scopeBytes } from "./generic.js";
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
  Values,
} from "./key-class.js";
export { keyParts } from "./key-parts.js";
export { byte, id32, type Part, paddedText, scope16, tail, u64be } from "./part.js";
