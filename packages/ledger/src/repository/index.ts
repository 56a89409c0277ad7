/** Repositories: the databases that the ledgers of a process share, their open pages, and when pages were used. */
export { type DamagedUsage, readUsage, type StoredUsage, type UsedPage } from "./page-usage.js";
export { type LedgerSettings, Repository } from "./repository.js";
