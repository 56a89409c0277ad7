/** The store: typed reading and writing of a node's database. */
export * from "./browser.js";
export { type OpenOptions, openStore, type PathOrUrl } from "./open.js";
