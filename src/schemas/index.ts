/** Schemas: the revisions of a node's database, each a list of rows; detection of the revision; rows as JSON. */
/** @internal */
export { snapshotKey } from "../keys/index.js";
/** @internal */
export { checkAccepted, checkAcceptedValue, decodes, encodeAccepted } from "./accepted.js";
/** @internal */
export { checkWritten, warnOfRevision } from "./check-written.js";
export { type Core010, core010 } from "./core-0.10.js";
export { type Core011, core011 } from "./core-0.11.js";
export { type Core10, core10 } from "./core-1.0.js";
export {
  type Detection,
  type DetectOptions,
  detectRevision,
  type KnownSchema,
  nameOfSchema,
  type RevisionOf,
  revisionOf,
  revisions,
  type SchemaName,
  schemaNamed,
  undetected,
  type Verdict,
} from "./detect.js";
export { type Documented, documented } from "./documented.js";
export { type Evidence, familyName, type KeyFamily } from "./evidence.js";
export {
  type ExplainedPiece as Piece,
  type Explanation,
  explainRow,
  explainValue,
  type Stop,
} from "./explain.js";
/** @internal */
export { MIXED } from "./mixed.js";
export { findNewer, isOfNewer, type NewerNode, newerText, newerWriter } from "./newer.js";
export type { OpenPoint } from "./open-points.js";
/** @internal */
export { namedInDocument, otherLayoutOf } from "./other-layouts.js";
export {
  exploreEntities,
  findPrivateEntities,
  keepsPrivateApart,
  type MaybeRow,
  type RowsOfColumn,
} from "./private/find-private-entities.js";
export {
  type EntitiesByContext,
  type HiddenEntities,
  mayCarryEntities,
  PrivateEntities,
} from "./private/private-entities.js";
/** @internal */
export { carriesEntity, redactEntities } from "./private/redact-entities.js";
export { dateText, type Readable, readableForm } from "./readable.js";
export {
  knownRowToJson,
  partsToJson,
  type RowJson,
  type RowJsonOptions,
  rowToJson,
  withoutNumbers,
} from "./row-json.js";
export { type RowBytes, type RowLines, rowsToLines } from "./row-lines.js";
export {
  type AnyRow,
  type ClassesOf,
  defineSchema,
  type KeysOf,
  type KeysOfRow,
  type KindsOf,
  type LeadingFor,
  type LeadingOf,
  type OfClass,
  type OfKind,
  type PartsFor,
  type PartsOf,
  type Row,
  type RowOfClass,
  type RowOptions,
  type RowsOf,
  type RowsOfKind,
  row,
  Schema,
  type SchemaOptions,
  type ValueFor,
  type ValueOf,
  type ValueOfKind,
  type ValueOfRow,
} from "./schema.js";
export {
  type RowSelection,
  type SelectedRows,
  type SelectionOfColumns,
  selectionOptions,
  selectRows,
} from "./selection.js";
/** @internal */
export {
  type ByteRun,
  type IdPlace,
  type UnknownRows,
  type UnknownShape,
  unknownRows,
} from "./unknown-rows.js";
