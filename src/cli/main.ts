#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { CommanderError } from "commander";
import { type ErrorCode, isMerostoreError, type MerostoreError } from "../errors.js";
import { program } from "./program.js";
import { Stopped, Terminal } from "./terminal.js";

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

const terminal = new Terminal(process.stdout, process.stderr);
process.once("SIGINT", () => terminal.stop(130));
process.once("SIGTERM", () => terminal.stop(143));
// Node would print the message and its stack as they are.
process.once("uncaughtException", (error) => process.exit(failure(error)));

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

process.exitCode = await main();

async function main(): Promise<number> {
  let status = 0;
  try {
    await program(terminal, version, (result) => {
      status = result;
    }).parseAsync();
    await terminal.flush();
    return status;
  } catch (error) {
    // What was found before it failed is printed all the same.
    if (!(error instanceof Stopped)) await terminal.flush().catch(() => undefined);
    return failure(error);
  }
}

function failure(error: unknown): number {
  // What a reader has not taken yet would keep the process alive: the database is closed, nothing is waited for.
  if (error instanceof Stopped) process.exit(error.status);
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
