/** Reports errors of commands: the line for people, and the exit status. */
import { type ErrorCode, isMerostoreError, type MerostoreError, UnknownWord } from "../../errors.js";
import type { ExitStatus } from "../arguments/command.js";
import { parserStatus } from "../arguments/parser.js";
import { Stopped, type Terminal } from "../output/terminal.js";

/** The report of an error: the exit status, and the parts of the line on stderr other than the message. */
interface Report {
  readonly status: ExitStatus;
  /** True if the line begins with the code, which programs that run the commands of Ledger look for. */
  readonly showsCode?: true;
  /** The words to type, after the message. Messages themselves are for programs too. */
  readonly advice?: string;
}

/** Status 1: the answer is no. */
const NO = { status: 1, showsCode: true } as const;
/** Status 2: the words of the command are wrong. */
const WRONG_USE = { status: 2 } as const;
/** Status 3: the database cannot be opened or read. */
const UNUSABLE: Report = { status: 3 };

/** The reports of errors other than UNUSABLE. */
const REPORTS: Readonly<Partial<Record<ErrorCode, Report>>> = {
  LOG_DAMAGED: { ...UNUSABLE, advice: "; on the command line: --accept-log-loss" },
  LOG_MISSING: { ...UNUSABLE, showsCode: true, advice: "; commands that read: --accept-log-loss" },
  UNKNOWN_COLUMN_FAMILY: WRONG_USE,
  INVALID_ARGUMENT: WRONG_USE,
  INVALID_KEY: WRONG_USE,
  ENCODE_FAILED: WRONG_USE,
  UNKNOWN_NAME: { status: 1 },
  REVISION_UNKNOWN: { ...UNUSABLE, advice: " (--revision NAME)" },
  REVISION_AMBIGUOUS: { ...UNUSABLE, advice: " (--revision NAME)" },
  DATABASE_ENCRYPTED: { ...UNUSABLE, advice: " (--key-file FILE, or MEROSTORE_MASTER_KEY)" },
  KEY_NOT_FOUND: NO,
  NEEDS_FETCH: NO,
  NETWORK_ERROR: { ...UNUSABLE, showsCode: true },
  ILLEGAL_STATE: { ...UNUSABLE, showsCode: true },
  PAGE_NOT_FOUND: NO,
  DATA_INTEGRITY_ERROR: { ...UNUSABLE, showsCode: true },
  COMMIT_NOT_FOUND: NO,
  STATE_UNREADABLE: { ...UNUSABLE, showsCode: true },
  AMBIGUOUS_NAME: WRONG_USE,
  MOMENT_UNKNOWN: WRONG_USE,
  ABI_INVALID: WRONG_USE,
  ABI_UNSUPPORTED_VERSION: WRONG_USE,
  ABI_UNKNOWN_KIND: WRONG_USE,
  ABI_UNKNOWN_CRDT: WRONG_USE,
  ABI_TYPE_NOT_FOUND: WRONG_USE,
  ABI_NO_STATE_ROOT: WRONG_USE,
  ABI_NOT_FOUND: WRONG_USE,
  COMMIT_UNKNOWN: { ...UNUSABLE, showsCode: true },
  BLOB_NOT_FOUND: NO,
  BLOB_BROKEN: NO,
  BLOB_IN_USE: NO,
};

/** Writes the reason of a failure to stderr. Returns the exit status. */
export function reportFailure(terminal: Terminal, error: unknown): number {
  if (error instanceof Stopped) return error.status;
  const reported = parserStatus(error);
  if (reported !== undefined) return reported;
  if (!isMerostoreError(error)) {
    const [sentence = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
    terminal.remark(sentence);
    return 3;
  }
  const { code, message } = error;
  const { status, showsCode, advice = "" } = REPORTS[code] ?? UNUSABLE;
  terminal.remark(`${showsCode ? `${code}: ` : ""}${message}${advice}`);
  // The parser adds its reading of the first word.
  if (error instanceof UnknownWord || error.cause instanceof UnknownWord) return 2;
  return isAboutTypedBytes(error) ? 2 : status;
}

/** Returns whether undecodable bytes were typed: otherwise the error names the row that has them. */
function isAboutTypedBytes(error: MerostoreError): boolean {
  return error.code === "DECODE_FAILED" && !("row" in error && error.row !== undefined);
}
