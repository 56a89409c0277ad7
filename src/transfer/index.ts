/**
 * Export and import of a database as text, and copies from engine to engine. An export contains every row, including
 * unknown ones, and shows whether it is complete.
 *
 * @module
 */

export { backupNode, type NodeBackup } from "./backup-node.js";
export type { ExportedRow } from "./check-rows.js";
export { type Copied, type CopiedFamily, type CopyOptions, copyDatabase } from "./copy.js";
export { type ExportOptions, type ExportSummary, exportStore } from "./export-store.js";
export {
  type ExportHeader,
  type ExportSelection,
  type ExportTrailer,
  schemaOfExport,
  selectedIn,
} from "./form.js";
export {
  type ExportSource,
  type Imported,
  type ImportedFamily,
  type ImportOptions,
  importExport,
} from "./import-export.js";
export { type ExportReading, readExport } from "./read-export.js";
export { type RewriteOptions, type Rewritten, rewriteDatabase } from "./rewrite.js";
