/** Reads repositories and pages without changing them. */
export { type HistoryCommit, PageView } from "./page-view.js";
export { engineNames, RepositoryView } from "./repository-view.js";
