/** Looking at repositories and pages without changing a row. */
export { type HistoryCommit, PageView } from "./page-view.js";
export { engineNames, RepositoryView } from "./repository-view.js";
