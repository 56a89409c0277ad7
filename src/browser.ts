/**
 * What a browser's bundler takes for `merostore`: all of it but `openStore`, which opens folders and needs Node.
 *
 * @example
 * import { ContextMeta, storeOn } from "merostore";
 * import { openFiles, pickedFiles } from "merostore/engine/files";
 *
 * const store = await storeOn(await openFiles(pickedFiles(input.files ?? [])));
 * for await (const { key, value } of store.scan(ContextMeta)) console.log(`${key}`, value);
 */
export { fromBase58, toBase58 } from "./bytes/base58.js";
export { fromHex, toHex } from "./bytes/hex.js";
export { DecodeError, EncodeError, Payload } from "./codec/index.js";
export { Column, columnFamilies } from "./columns/index.js";
export { type ErrorCode, isMerostoreError, MerostoreError } from "./errors.js";
export * from "./keys/index.js";
export {
  core010,
  core011,
  detectRevision,
  documented,
  findPrivateEntities,
  PrivateEntities,
  revisionOf,
  revisions,
  rowToJson,
} from "./schemas/index.js";
export * from "./store/browser.js";
