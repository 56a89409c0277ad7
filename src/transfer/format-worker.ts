/** A thread that makes lines of text out of rows. Its data says in which revision and how. */

import { parentPort, workerData } from "node:worker_threads";
import { type RowJsonOptions, revisionOf, type Schema } from "../schemas/index.js";
import { formatRows, type PackedRows, unpackRows } from "./format-rows.js";

const { revision, options } = workerData as { readonly revision: string; readonly options: RowJsonOptions };
const schema = revisionOf(revision) as unknown as Schema;

parentPort?.on("message", (rows: PackedRows) => {
  const text = formatRows(schema, rows.column, unpackRows(rows), options);
  parentPort?.postMessage(text, [text.buffer as ArrayBuffer]);
});
