/** A thread that formats rows as lines of text. Its data contains the revision and the options. */

import { parentPort, workerData } from "node:worker_threads";
import {
  PrivateEntities,
  type RowJsonOptions,
  revisionOf,
  rowsToLines,
  type Schema,
} from "../schemas/index.js";
import type { ThreadData } from "./formatter.js";
import { type PackedRows, unpackRows } from "./pack-rows.js";

const { revision, privateEntities, ...rest } = workerData as ThreadData;
const schema = revisionOf(revision) as unknown as Schema;
const options: RowJsonOptions = {
  ...rest.options,
  privateEntities: privateEntities && new PrivateEntities(privateEntities),
};

parentPort?.on("message", (rows: PackedRows) => {
  const lines = rowsToLines(schema, rows.column, unpackRows(rows), options);
  parentPort?.postMessage(lines, [lines.text.buffer]);
});
