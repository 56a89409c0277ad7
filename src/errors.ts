/**
 * Errors. Every error that merostore throws on purpose is a {@link MerostoreError} with a stable `code`;
 * a code is never reused for another meaning. The message is a sentence for a person and says what to do.
 * No message holds a value, a secret or key material that is not the row's own key.
 */

/** What went wrong, for programs. The list only grows. */
export type ErrorCode =
  /** Nothing is at the path, and nothing was created. */
  | "DATABASE_NOT_FOUND"
  /** The path is a file, or a folder without a database of the kind that was asked for. */
  | "NOT_A_DATABASE"
  /** `create` was asked for, and a database is there already. */
  | "DATABASE_EXISTS"
  /** Another process has the database open for writing. */
  | "DATABASE_LOCKED"
  /** A file of the database is damaged; the message names it. */
  | "DATABASE_DAMAGED"
  /** The write-ahead log ends in damage, and opening for writing would drop what follows for good. */
  | "LOG_DAMAGED"
  /** The files are of a kind that only RocksDB itself can read; the message says which. */
  | "FORMAT_UNSUPPORTED"
  /** The native package of RocksDB or LevelDB cannot be loaded; the message says what is missing. */
  | "NATIVE_LOAD_FAILED"
  /** The engine failed in a way that has no code of its own. */
  | "ENGINE_FAILED"
  /** The database has no such column family. */
  | "UNKNOWN_COLUMN_FAMILY"
  /** A write on a store, snapshot or engine that was opened for reading. */
  | "READ_ONLY"
  /** Use after `close`. */
  | "CLOSED"
  /** An argument has the wrong type or an impossible value. */
  | "INVALID_ARGUMENT"
  /** A key has the wrong size or prefix, or a part of it the wrong type or length. */
  | "INVALID_KEY"
  /** Bytes do not decode as the type that they should hold. */
  | "DECODE_FAILED"
  /** A file is no export, was cut or changed, or leaves out what is needed; the message names the line. */
  | "EXPORT_INVALID"
  /** A row, or the list of column families, is larger than an export may be; the message names it. */
  | "EXPORT_TOO_LARGE"
  /** A value cannot be encoded: a field is missing, surplus, of the wrong type or out of range. */
  | "ENCODE_FAILED"
  /** A name that no revision has: a revision, a kind of row, a type; or that nothing in a database has. */
  | "UNKNOWN_NAME"
  /** The rows show a revision that is not known here, or none at all. */
  | "REVISION_UNKNOWN"
  /** The rows fit several revisions equally: name the one meant. */
  | "REVISION_AMBIGUOUS"
  /** A page has no entry with this key. */
  | "KEY_NOT_FOUND"
  /** The value of a lazy entry is not on this device; fetching may bring it. */
  | "NEEDS_FETCH"
  /** What is missing here could not be had from elsewhere. */
  | "NETWORK_ERROR"
  /** Not at this moment: a transaction goes on already, or none does. */
  | "ILLEGAL_STATE"
  /** A ledger has no such page on this device. */
  | "PAGE_NOT_FOUND"
  /** Stored rows contradict each other, or are no longer what their ids say. The files were left as they are. */
  | "DATA_INTEGRITY_ERROR"
  /** A commit, or a parent of one, is not known here. */
  | "COMMIT_NOT_FOUND"
  /** A name or the first digits of an id that several things in a database have; the message lists them. */
  | "AMBIGUOUS_NAME";

/** Base class of all errors of this package. */
export class MerostoreError extends Error {
  /** What went wrong, for programs. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MerostoreError"; // bundlers change the names of classes
    this.code = code;
  }
}

/** Whether something thrown is a {@link MerostoreError}, with this code if one is given. */
export function isMerostoreError(error: unknown, code?: ErrorCode): error is MerostoreError {
  return error instanceof MerostoreError && (code === undefined || error.code === code);
}

/** The error for an argument that a function does not take. */
export function invalidArgument(message: string): MerostoreError {
  return new MerostoreError("INVALID_ARGUMENT", message);
}

/** Makes an error that is data, not thrown: without a stack trace, which would take most of the time. */
export function withoutStack<E extends Error>(make: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Returns what a function returns, or undefined if it throws. */
export function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
