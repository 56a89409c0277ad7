/**
 * `merostore/internal` for bundlers for browsers: helpers that run anywhere, which the explorer's page and the Ledger
 * use. Internal: names change without notice.
 *
 * @module
 */
export { fromBase64url, toBase64url } from "./bytes/base64url.js";
export { copyBytes, isBytes } from "./bytes/bytes.js";
export { concat, concatAll } from "./bytes/concat.js";
export { fromHex, toHex } from "./bytes/hex.js";
export { IdTable } from "./bytes/id-table.js";
export { compareBigints, compareBytes, equalBytes, keyAfter, successor } from "./bytes/order.js";
export { allocate } from "./bytes/pool.js";
export { count, counted, size } from "./bytes/quantity.js";
export { firstNotBefore } from "./bytes/search.js";
export { shellQuoted } from "./bytes/shell-word.js";
export { beginning, toJsonLine, type VisiblePart, visible, visibleParts } from "./bytes/visible.js";
export { Heap } from "./collections/heap.js";
export { LruCache } from "./collections/lru-cache.js";
export { SerialQueue } from "./collections/serial-queue.js";
export {
  type AesGcmKey,
  aesGcmKey,
  derivePublicKey,
  hkdfSha256,
  hmacSha256,
  isPublicKey,
  sha256,
  sharedPoint,
  sign,
  startSha256,
  verify,
} from "./crypto/index.js";
export { abortable } from "./engine/abortable.js";
export { checkNewColumns } from "./engine/arguments.js";
export { Lifecycle } from "./engine/lifecycle.js";
export { RowScan, Scan } from "./engine/scan.js";
export { untilOriginIsFree } from "./engines/files/write/open-origin.js";
export { MemoryDatabase } from "./engines/memory/index.js";
export {
  type ErrorCode,
  illegalState,
  invalidArgument,
  isMerostoreError,
  MerostoreError,
  orUndefined,
  undefinedIf,
} from "./errors.js";
export {
  addSummaries,
  FindingCounter,
  type FindingCounts,
  Findings,
  fails,
  type RuleFinding,
  type RuleSummary,
  type RuleText,
  type Severity,
  total,
} from "./findings/index.js";
export { RESTORE } from "./lsm/damage.js";
export { PageCache, PagedFile, repeated } from "./lsm/http/index.js";
export {
  checkFields,
  checkOptions,
  describeValue,
  isFlag,
  isFunction,
  isList,
  isOneOf,
  isSignal,
  isText,
  isWholeNumber,
  type OptionCheck,
  type OptionChecks,
} from "./options.js";
export { Pause, soon } from "./pause.js";
export { Follower, type Progress, type ProgressOptions, progressOptions } from "./progress.js";
export { findPrivateEntities, type PrivateEntities, partsToJson, type RowJson } from "./schemas/index.js";
export { withoutSecrets, withoutSecretsOfUrls } from "./url-secrets.js";
