/** Looking at repositories and pages without changing a row. */
export { type HistoryEntry, PageView } from "./page-view.js";
export { engineNames, RepositoryView } from "./repository-view.js";
