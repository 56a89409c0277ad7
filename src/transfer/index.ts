/**
 * Moving a database as text: an export holds every row, unknown ones included, and says whether it is whole.
 *
 * @module
 */

export type { ExportedRow } from "./check-rows.js";
export { type ExportOptions, type ExportSummary, exportStore } from "./export-store.js";
export { type ExportHeader, type ExportSelection, type ExportTrailer, schemaOfExport } from "./form.js";
export { type ExportSource, type Imported, type ImportOptions, importExport } from "./import-export.js";
export { type ExportReading, readExport } from "./read-export.js";
