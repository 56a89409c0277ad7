/** The store: typed reading and writing of a node's database. */
export * from "./browser.js";
export { type OpenOptions, openStore } from "./open.js";
