/**
 * Ledger: pages of versioned key-value data on one device, with transactions, snapshots, watchers and merging. It
 * stores exactly the rows that Ledger's documents describe.
 *
 * @example
 * import { openLedger } from "merostore-ledger";
 *
 * await using ledger = await openLedger("data", { name: "contacts" });
 * await using page = await ledger.rootPage();
 * await page.put("name", "Alice");
 *
 * @module
 */

export * from "./browser.js";
/** @internal */
export type { FolderEngineName } from "./places/index.js";
export { type FileServer, type ServeOptions, serveFiles } from "./sync/http/serve-files.js";
/** @internal */
export { engineNames, type HistoryCommit, type PageView, RepositoryView } from "./view.js";
