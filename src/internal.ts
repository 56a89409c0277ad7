/**
 * Helpers that the packages of this repository share. Internal: names change without notice, and a package that imports them
 * needs the same version of merostore.
 *
 * @module
 */

export { fromBase64url, toBase64url } from "./bytes/base64url.js";
export { copyBytes, isBytes } from "./bytes/bytes.js";
export { concat, concatAll } from "./bytes/concat.js";
export { fromHex, toHex } from "./bytes/hex.js";
export { IdTable } from "./bytes/id-table.js";
export { equalBytes, keyAfter, successor } from "./bytes/order.js";
export { allocate } from "./bytes/pool.js";
export { count, counted, size } from "./bytes/quantity.js";
export { toJsonLine } from "./bytes/visible.js";
export { LruCache } from "./collections/lru-cache.js";
export { SerialQueue } from "./collections/serial-queue.js";
export { type AesGcmKey, aesGcmKey, hkdfSha256, sha256 } from "./crypto/index.js";
export { PRIVATE_FOLDER } from "./disk/access.js";
export { contentOf } from "./disk/folder.js";
export { folderPath, isLocation, locationText, type PathOrUrl } from "./disk/location.js";
export { realPath } from "./disk/outside.js";
export { type OpenedFile, openRegular } from "./disk/regular-file.js";
export { syncFolder, syncFolders, withMessage } from "./disk/sync-folder.js";
export { abortable } from "./engine/abortable.js";
export { checkNewColumns } from "./engine/arguments.js";
export { Lifecycle } from "./engine/lifecycle.js";
export { RowScan, Scan } from "./engine/scan.js";
export { MemoryDatabase } from "./engines/memory/index.js";
export { type ErrorCode, invalidArgument, isMerostoreError, MerostoreError } from "./errors.js";
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
export * from "./internal-page.js";
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
export { Follower, type Progress, type ProgressOptions, progressOptions } from "./progress.js";
export { withoutSecrets, withoutSecretsOfUrls } from "./url-secrets.js";
