/** An application's data, as the application sees it: fields, maps, sets, lists, counters and texts. */
export type { AnyAction } from "../payloads/index.js";
export {
  AuthorViews,
  type DeltaViews,
  type PastValue,
  pastValueAt,
} from "./author-views.js";
export { type DataBefore, type StateChange, StateChanges } from "./changes.js";
export { type EntriesOptions, StateCollection } from "./collections/collection.js";
export { StateCounter } from "./collections/counter.js";
export { StateMap } from "./collections/map.js";
export type { EntityDetails, EntityWriter, StateEntry } from "./collections/scope.js";
export { StateText } from "./collections/sequence.js";
export { StateSet } from "./collections/set.js";
export { StateShared } from "./collections/shared.js";
export { StateVector } from "./collections/vector.js";
export { type EntityKey, entityDetails, entityKeys, stateKeysOf, storedHash } from "./entity-details.js";
export { type ChangedEntry, changedEntries, type EntryChange, entryChanges } from "./entry-changes.js";
export { type StateField, valueCodec } from "./fields.js";
export { StateHistory } from "./history.js";
export {
  problemJson,
  type StateJson,
  type StateJsonOptions,
  stateJson,
  valueJson,
  type WithProblems,
} from "./json.js";
export { type BundleOptions, manifestOfBundle } from "./manifest/bundle.js";
export {
  bundleNames,
  type ContextCode,
  contextCode,
  type FindManifestOptions,
  type FoundManifest,
  findManifest,
  versionWarnings,
} from "./manifest/find.js";
export type {
  BytesType,
  CrdtName,
  EventDefinition,
  Field,
  Manifest,
  Method,
  MethodError,
  Migration,
  PrivateStructType,
  ScalarName,
  TypeDefinition,
  TypeReference,
  Variant,
} from "./manifest/manifest.js";
export { ManifestError, type ManifestProblem } from "./manifest/manifest-error.js";
export { manifestOf } from "./manifest/manifest-of.js";
export { parseManifest, stateRootOf } from "./manifest/parse.js";
export { manifestToJson } from "./manifest/to-json.js";
export { manifestOfWasm } from "./manifest/wasm.js";
export { type ContextMigration, contextMigrations } from "./migration.js";
export {
  fieldParts,
  partAt,
  partContent,
  partCount,
  partsIn,
  type StatePart,
  type StatePartPage,
} from "./parts.js";
export { type PathStep, parsePath } from "./path.js";
export { type EntityPlace, placeOfEntity } from "./place-of-entity.js";
export type { PrivateStruct } from "./private.js";
export { type ProblemName, StateError, type StateProblem } from "./problem.js";
export { readerAt } from "./replay/as-of.js";
export type {
  Certainty,
  DeltaOfState,
  ReplayPosition,
  ReplayVerdict,
  UnknownBecause,
} from "./replay/certainty.js";
export { compareWithRecord, type RecordedMoment } from "./replay/compare-record.js";
export { type Contradiction, contradictions } from "./replay/contradictions.js";
export { type EntryEvent, EntryLives, type EntryValue, type LivesDelta } from "./replay/entry-lives.js";
export { lostDeltas } from "./replay/lost.js";
export type { ReplayMoment } from "./replay/moment.js";
export { type ReplayOptions, readReplay } from "./replay/read-replay.js";
export { parseRecord, type RecordedRoot } from "./replay/record.js";
export { ContextReplay } from "./replay/replay.js";
export { type SmallestPart, smallestPart } from "./replay/smallest-part.js";
export type { ReplayWitness } from "./replay/witnesses.js";
export { countEntities, type State, type StateOptions, stateOf } from "./state.js";
export { type StateSurvey, surveyState, type UnreachableEntity } from "./survey.js";
export type { Hints } from "./types/from-manifest.js";
export { keyName, PairsValue, RegisterValue, VariantValue } from "./types/values.js";
