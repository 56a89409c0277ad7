/**
 * The store of a Calimero node: its RocksDB database with typed rows, byte for byte as the Rust node writes it.
 *
 * @example
 * import { openStore, GroupMember } from "merostore";
 *
 * await using store = await openStore("node/data", { readOnly: true });
 * for await (const { key, value } of store.scan(GroupMember)) console.log(`${key}`, value);
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
  revisionOf,
  revisions,
  rowToJson,
} from "./schemas/index.js";
export * from "./store/index.js";
