/** Errors of commands: what a person reads of them, and the exit status. */
import { CommanderError } from "commander";
import { type ErrorCode, isMerostoreError, type MerostoreError } from "../errors.js";
import { Stopped, type Terminal } from "./terminal.js";

/** Errors of whoever typed the command; all others are the database's. */
const WRONG_USE: readonly ErrorCode[] = [
  "INVALID_ARGUMENT",
  "INVALID_KEY",
  "ENCODE_FAILED",
  "UNKNOWN_NAME",
  "UNKNOWN_COLUMN_FAMILY",
];

/** The answer is no. */
const NO: readonly ErrorCode[] = ["KEY_NOT_FOUND", "PAGE_NOT_FOUND", "NEEDS_FETCH"];

/** The statuses of Ledger: programs that run its commands look for them. */
const NAMED: readonly ErrorCode[] = [
  ...NO,
  "NETWORK_ERROR",
  "ILLEGAL_STATE",
  "DATA_INTEGRITY_ERROR",
  "COMMIT_NOT_FOUND",
];

/** What to type: the messages themselves are for programs too. */
const ADVICE: { readonly [code in ErrorCode]?: string } = {
  LOG_DAMAGED: "; on the command line: --accept-log-loss",
  REVISION_UNKNOWN: " (--revision NAME)",
  REVISION_AMBIGUOUS: " (--revision NAME)",
};

/** Writes to stderr why a command failed, and returns the exit status. */
export function reportFailure(terminal: Terminal, error: unknown): number {
  if (error instanceof Stopped) return error.status;
  // Commander has said it already; help and version are no failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!isMerostoreError(error)) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
    terminal.remark(`merostore: ${sentence}`);
    return 3;
  }
  const { code, message } = error;
  terminal.remark(`merostore: ${NAMED.includes(code) ? `${code}: ` : ""}${message}${ADVICE[code] ?? ""}`);
  if (NO.includes(code)) return 1;
  return wrongUse(error) ? 2 : 3;
}

/** What decoding refuses was given on the command line, unless it names the row that it is in. */
function wrongUse(error: MerostoreError): boolean {
  return (
    WRONG_USE.includes(error.code) ||
    (error.code === "DECODE_FAILED" && !("row" in error && error.row !== undefined))
  );
}
