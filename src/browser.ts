/**
 * The entry point that bundlers for browsers resolve for `merostore`: everything except `openStore`, which opens
 * folders and needs Node.
 *
 * @example
 * import { ContextMeta, storeOn } from "merostore";
 * import { openFiles, pickedFiles } from "merostore/engine/files";
 *
 * const store = await storeOn(await openFiles(pickedFiles(input.files ?? [])));
 * for await (const { key, value } of store.table(ContextMeta).scan()) console.log(`${key}`, value);
 */
export { fromBase58, toBase58 } from "./bytes/base58.js";
export { fromHex, toHex } from "./bytes/hex.js";
export { compareBytes } from "./bytes/order.js";
export { shellQuoted } from "./bytes/shell-word.js";
export { type VisiblePart, visible, visibleParts } from "./bytes/visible.js";
export { DecodeError, EncodeError, Payload } from "./codec/index.js";
export { Column, columnFamilies } from "./columns/index.js";
export { type ErrorCode, isMerostoreError, MerostoreError } from "./errors.js";
export * from "./keys/index.js";
export {
  type Core10,
  type Core010,
  type Core011,
  core10,
  core010,
  core011,
  type Documented,
  detectRevision,
  documented,
  findPrivateEntities,
  type KnownSchema,
  PrivateEntities,
  revisionOf,
  revisions,
  rowToJson,
  type Schema,
} from "./schemas/index.js";
export * from "./store/browser.js";
