/**
 * The store of a Calimero node: its RocksDB database with typed rows, byte for byte as the Rust node writes it.
 *
 * @example
 * import { openStore } from "merostore";
 *
 * await using store = await openStore("node/data");
 * for await (const { key, value } of store.table("ContextMeta").scan()) console.log(`${key}`, value);
 */
export * from "./browser.js";
export { type OpenOptions, openStore } from "./store/open.js";
