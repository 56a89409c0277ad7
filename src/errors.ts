/**
 * Errors. Every error that merostore throws on purpose is a {@link MerostoreError} with a stable `code`; a code is
 * never reused for another meaning. The message describes the error and what to do. It never contains a value, a secret
 * or key material other than the key of the row.
 */

import { withoutSecretsOfUrls } from "./url-secrets.js";

/** A fact that was noticed and did not prevent the work. */
export interface Warning {
  /** The code, for programs. */
  readonly code: WarningCode;
  /** A sentence that names file and place. */
  readonly message: string;
}

/** The code of a warning. Codes are only added, never removed. */
export type WarningCode =
  /** The newest write-ahead log ends in damage, or within a write; what follows is not read. */
  | "LOG_DAMAGED"
  /** Write-ahead logs are missing, and the rows that are only in them. */
  | "LOG_MISSING"
  /** Changes are only in the write-ahead log. */
  | "LOG_UNFLUSHED"
  /** The end of the MANIFEST never reached the disk, and was removed. */
  | "MANIFEST_CUT"
  /** Tables could not be compacted. All rows are as they were. */
  | "COMPACTION_FAILED"
  /** A copy was not read through: only RocksDB reads its files. */
  | "COPY_UNREAD"
  /** The file of a blob is damaged, or another file has its name. The file was left or copied unchanged. */
  | "BLOB_DAMAGED"
  /** The configuration of a copy names other folders than the original's. */
  | "CONFIGURATION_CHANGED"
  /** The column families belong to another revision than the caller's schema. */
  | "REVISION_OTHER"
  /** Values look encrypted at rest, and the master key is missing. */
  | "KEY_MISSING"
  /** The database is not encrypted: the master key has no effect. */
  | "KEY_UNUSED"
  /** The master key decrypts only some rows. */
  | "ROWS_UNDECRYPTED"
  /** Rows are encrypted by several rules. */
  | "ENCRYPTION_MIXED"
  /** Rows do not decode, or are where a table is damaged: the answer is without them. */
  | "ROWS_UNREAD"
  /** Rows are in a column family that no revision has. */
  | "COLUMN_UNKNOWN"
  /** An export leaves out rows. */
  | "ROWS_LEFT_OUT"
  /** Hashes of converted entities differ from the hashes in the old rows. */
  | "HASHES_WRONG"
  /** The manifest is of another version of the state than the context. */
  | "STATE_VERSION_OTHER"
  /** Deltas are not applied. */
  | "DELTAS_PENDING"
  /** A group waits for operations, keys or a migration. */
  | "GROUP_PENDING"
  /** A context has several heads. */
  | "HEADS_SEVERAL"
  /** Operations cannot be read: the keys are not here. */
  | "OPERATIONS_SEALED";

/** The code of an error. Codes are only added, never removed. */
export type ErrorCode =
  /** There is no database at the path, and none was created. */
  | "DATABASE_NOT_FOUND"
  /** The path is a file, or a folder without a database of the requested kind. */
  | "NOT_A_DATABASE"
  /** A database should be created, and the path already holds one. */
  | "DATABASE_EXISTS"
  /** The database is open for writing already, in another process or in this one. */
  | "DATABASE_LOCKED"
  /** A file of the database is damaged; the message names it. */
  | "DATABASE_DAMAGED"
  /** The write-ahead log ends in damage, and opening for writing would permanently drop the records after it. */
  | "LOG_DAMAGED"
  /** Write-ahead logs are missing; the message says which logs or writes. */
  | "LOG_MISSING"
  /** Changes after a moment are no longer in the write-ahead log: read the rows again. */
  | "CHANGES_LOST"
  /** The files have a format that only RocksDB itself can read; the message names it. */
  | "FORMAT_UNSUPPORTED"
  /** The database can be read, but not written: the bundled RocksDB cannot read its tables. A copy can be written. */
  | "WRITING_UNSUPPORTED"
  /** The package of an engine (RocksDB, LevelDB, PostgreSQL) cannot be loaded; the message names the missing part. */
  | "NATIVE_LOAD_FAILED"
  /** The system does not let this process read a file of the database, or create one; the message names it. */
  | "PERMISSION_DENIED"
  /** The engine failed in a way that has no other code. */
  | "ENGINE_FAILED"
  /** The database has no such column family. */
  | "UNKNOWN_COLUMN_FAMILY"
  /** A write on a store, snapshot or engine that was opened for reading. */
  | "READ_ONLY"
  /** The object was used after `close`. */
  | "CLOSED"
  /** An argument has the wrong type or an impossible value. */
  | "INVALID_ARGUMENT"
  /** A key has the wrong size or prefix, or a part of it the wrong type or length. */
  | "INVALID_KEY"
  /** Bytes do not decode as the type that they should hold. */
  | "DECODE_FAILED"
  /** A file is not an export, was truncated or changed, or lacks required data; the message names the line. */
  | "EXPORT_INVALID"
  /** A row, or the list of column families, is larger than an export may be; the message names it. */
  | "EXPORT_TOO_LARGE"
  /** A value cannot be encoded: a field is missing, surplus, of the wrong type or out of range. */
  | "ENCODE_FAILED"
  /** Unknown name: of a revision, a kind of row, a type, or anything in a database. */
  | "UNKNOWN_NAME"
  /** The rows fit no known revision, or do not show one. */
  | "REVISION_UNKNOWN"
  /** The rows fit several revisions equally; the caller must name one. */
  | "REVISION_AMBIGUOUS"
  /** The values of the database are encrypted at rest, and no master key was given. */
  | "DATABASE_ENCRYPTED"
  /** The values of the database are not encrypted at rest, and should be decrypted. */
  | "DATABASE_NOT_ENCRYPTED"
  /** The key belongs to another database, or to another shared folder of a ledger. */
  | "WRONG_KEY"
  /** A row would be stored in another form than the existing rows: encrypted beside plain rows, or by another rule. */
  | "ENCRYPTION_MIXED"
  /** Rows cannot be decrypted: they are encrypted with another key, or damaged. */
  | "UNDECRYPTED_ROWS"
  /** A page has no entry with this key. */
  | "KEY_NOT_FOUND"
  /** The value of a lazy entry is not on this device; it may be fetched. */
  | "NEEDS_FETCH"
  /** Data that is missing on this device could not be fetched. */
  | "NETWORK_ERROR"
  /** The call is not possible in the current state: a transaction is already active, or none is. */
  | "ILLEGAL_STATE"
  /** A ledger has no such page on this device. */
  | "PAGE_NOT_FOUND"
  /** Stored rows contradict each other or do not match their ids. The files were not changed. */
  | "DATA_INTEGRITY_ERROR"
  /** A commit, or a parent of one, is not on this device. */
  | "COMMIT_NOT_FOUND"
  /** A part of an application's data cannot be shown; the message names the part and the problem. */
  | "STATE_UNREADABLE"
  /** A name, or the first digits of an id, fits several things in a database; the message lists them. */
  | "AMBIGUOUS_NAME"
  /** No row tells the state at a time: name an operation instead. */
  | "MOMENT_UNKNOWN"
  /** A text or file is not a manifest of an application's interface; the message names the place. */
  | "ABI_INVALID"
  /** A manifest has a version that this package cannot read. */
  | "ABI_UNSUPPORTED_VERSION"
  /** A manifest has a type of an unknown kind; the message names the place. */
  | "ABI_UNKNOWN_KIND"
  /** A collection in a manifest has an unknown kind, or one that its type cannot have; the message names the place. */
  | "ABI_UNKNOWN_CRDT"
  /** A manifest refers to a type that it does not have; the message names it. */
  | "ABI_TYPE_NOT_FOUND"
  /** A manifest does not name the type of the state. */
  | "ABI_NO_STATE_ROOT"
  /** A manifest was not found; the message says why. */
  | "ABI_NOT_FOUND"
  /** A database server cannot be reached, or accepts no connection. */
  | "SERVER_UNREACHABLE"
  /** A database server refused the user or the password, or the user lacks a right. */
  | "ACCESS_DENIED"
  /** The connection to a database server cannot be secured as the URL demands. */
  | "TLS_FAILED"
  /** The connection to a database server was lost; nothing was written by the call. */
  | "CONNECTION_LOST"
  /** The connection was lost during a commit: the whole batch was written, or nothing of it. */
  | "COMMIT_UNKNOWN"
  /** A batch was not written because other programs kept writing the same rows. */
  | "WRITE_CONFLICT"
  /** A key, value or batch has more bytes than the engine can hold; nothing was written. */
  | "ROW_TOO_LARGE"
  /** A database has no blob with this id. */
  | "BLOB_NOT_FOUND"
  /** A blob cannot be read as a whole: a row or file of it is missing or wrong; the message names it. */
  | "BLOB_BROKEN"
  /** A blob cannot be deleted: an application, a group, a context or another blob needs it. */
  | "BLOB_IN_USE"
  /** A database of this revision cannot be converted to the other one. */
  | "CONVERSION_UNSUPPORTED";

/** A mark of errors of all copies of the class: a bundled program and a package that it loads have one copy each. */
const MARK = Symbol.for("merostore.error");

/** Base class of all errors of this package. */
export class MerostoreError extends Error {
  static {
    Object.defineProperty(this.prototype, MARK, { value: true });
  }

  /** The kind of the error, for programs. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(withoutSecretsOfUrls(message), options);
    this.name = "MerostoreError"; // bundlers rename classes
    this.code = code;
  }
}

/** Returns whether a thrown value is a {@link MerostoreError}, with this code if one is given. */
export function isMerostoreError(error: unknown, code?: ErrorCode): error is MerostoreError {
  return (
    error instanceof Error &&
    MARK in error &&
    (code === undefined || ("code" in error && error.code === code))
  );
}

/**
 * A wrong use: an unknown name of a revision, a kind of row, a type, a rule or a moment. Other unknown names are names
 * of things that a database may have. @internal
 */
export class UnknownWord extends MerostoreError {
  constructor(message: string, options?: ErrorOptions) {
    super("UNKNOWN_NAME", message, options);
  }
}

/** The error for changes that can no longer be read. @internal */
export class ChangesLost extends MerostoreError {
  /** True if another database has replaced the followed one. */
  readonly isReplaced: boolean;

  constructor(isReplaced: boolean, message: string) {
    super("CHANGES_LOST", message);
    this.isReplaced = isReplaced;
  }
}

/** Creates an `INVALID_ARGUMENT` error. */
export function invalidArgument(message: string): MerostoreError {
  return new MerostoreError("INVALID_ARGUMENT", message);
}

/** Creates an `ILLEGAL_STATE` error. */
export function illegalState(message: string): MerostoreError {
  return new MerostoreError("ILLEGAL_STATE", message);
}

/** Creates an error that is returned as data, without the stack trace, which would take most of the time. */
export function withoutStack<E extends Error>(make: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Returns the result of a function, or undefined if it throws. */
export function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Returns the result of work, or undefined if it fails with one of these codes. */
export async function undefinedIf<T>(
  work: Promise<T>,
  ...codes: readonly ErrorCode[]
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codes.some((code) => isMerostoreError(error, code))) return undefined;
    throw error;
  }
}

/** The code for an error of the operating system. @internal */
export function codeOfSystem(error: unknown): "PERMISSION_DENIED" | "ENGINE_FAILED" {
  const { code } = error as { readonly code?: unknown };
  return code === "EACCES" || code === "EPERM" ? "PERMISSION_DENIED" : "ENGINE_FAILED";
}
