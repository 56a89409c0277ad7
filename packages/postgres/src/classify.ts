/**
 * Converts errors of the server, the network and the package into errors with a code. Messages contain no passwords.
 */

import { counted, MerostoreError } from "merostore/internal";
import type { PostgresLocation } from "./url.js";

/** An error of `pg`. Only errors from the server have a `severity`. */
interface Failure extends Error {
  readonly code?: string;
  readonly severity?: string;
}

function failureOf(error: unknown): Failure {
  return error instanceof Error ? error : new Error(String(error));
}

/** Returns whether the server sent the error. Otherwise the connection, or this side, failed. */
function isFromServer({ severity }: Failure): boolean {
  return severity !== undefined;
}

/** Returns whether the transaction was rolled back because of another transaction, so that it may be tried again. */
export function isConflict(error: unknown): boolean {
  const failure = failureOf(error);
  return isFromServer(failure) && (failure.code === "40001" || failure.code === "40P01");
}

/** Returns whether the connection is gone: the outcome of a running statement is unknown. */
export function isLost(error: unknown): boolean {
  const failure = failureOf(error);
  if (error instanceof MerostoreError) return false;
  if (!isFromServer(failure)) return true;
  return ["FATAL", "PANIC"].includes(failure.severity as string) || /^(?:08|57P)/.test(failure.code ?? "");
}

/** Returns whether the server rejected a COMMIT, so that nothing was written. Any other failure leaves it open. */
export function isRefusedCommit(error: unknown): boolean {
  return isFromServer(failureOf(error)) && !isLost(error) && failureOf(error).code !== "40003";
}

/** Returns whether a schema or table is missing. */
export function isMissing(error: unknown): boolean {
  return ["3F000", "42P01"].includes(failureOf(error).code ?? "");
}

/** Returns whether a schema or table is there already. */
export function isThere(error: unknown): boolean {
  return ["42P06", "42P07", "23505"].includes(failureOf(error).code ?? "");
}

/** The error for a connection that was not made. */
export function connectError(
  error: unknown,
  { shown, connectTimeout }: Pick<PostgresLocation, "shown" | "connectTimeout">,
): MerostoreError {
  if (error instanceof MerostoreError) return error;
  const failure = failureOf(error);
  const { code = "" } = failure;
  const said = saidBy(failure);
  const fail = (name: MerostoreError["code"], text: string) =>
    new MerostoreError(name, text, { cause: clean(failure) });
  if (isFromServer(failure)) {
    if (/^28/.test(code))
      return fail("ACCESS_DENIED", `${shown} refused the user or the password (${said})${tlsHint(said)}`);
    if (code === "3D000")
      return fail("DATABASE_NOT_FOUND", `the server of ${shown} has no such database (${said})`);
    if (code === "53300") return fail("SERVER_UNREACHABLE", `${shown} has no free connection (${said})`);
    return fail("SERVER_UNREACHABLE", `${shown} accepts no connection (${said})`);
  }
  if (/password must be a string|no password/i.test(said))
    return fail(
      "ACCESS_DENIED",
      `${shown} wants a password: give it in PGPASSWORD, in ~/.pgpass (readable by you only), or in the URL`,
    );
  if (isAboutTls(code, said)) return fail("TLS_FAILED", `the connection to ${shown} is not secure: ${said}`);
  if (said === "timeout expired")
    return fail(
      "SERVER_UNREACHABLE",
      `${shown} does not answer within ${counted(connectTimeout, "second")}: the connect_timeout of the URL, 15 unless given`,
    );
  return fail("SERVER_UNREACHABLE", `${shown} cannot be reached: ${said}`);
}

/** The error for a statement that failed. `doing` names the work: `reading Meta`. */
export function statementError(error: unknown, doing: string, shown: string): MerostoreError {
  if (error instanceof MerostoreError) return error;
  const failure = failureOf(error);
  const said = saidBy(failure);
  const fail = (name: MerostoreError["code"], text: string) =>
    new MerostoreError(name, text, { cause: clean(failure) });
  if (isLost(failure))
    return fail("CONNECTION_LOST", `${doing} failed: the connection to ${shown} was lost (${said})`);
  switch (failure.code) {
    case "25006":
      return fail("READ_ONLY", `${doing} failed: ${shown} only reads (${said})`);
    case "42501":
      return fail("ACCESS_DENIED", `${doing} failed: the user of ${shown} has no right to do this (${said})`);
    case "40001":
    case "40P01":
      return fail(
        "WRITE_CONFLICT",
        `${doing} failed: other programs write the same rows of ${shown} all the time; nothing was written`,
      );
    case "3F000":
    case "42P01":
      return fail("DATABASE_DAMAGED", `${doing} failed: a table of ${shown} is missing (${said})`);
    default:
      return fail("ENGINE_FAILED", `${doing} failed in ${shown}: ${said}`);
  }
}

/** The error for a batch that may or may not have been written. */
export function commitUnknown(error: unknown, shown: string): MerostoreError {
  const failure = failureOf(error);
  return new MerostoreError(
    "COMMIT_UNKNOWN",
    `the connection to ${shown} was lost while a batch was committed (${saidBy(failure)}): the whole batch was written, or nothing of it. Read a row of it to find out`,
    { cause: clean(failure) },
  );
}

/** The message of an error, in one line. Connecting to several addresses at once has several errors. */
function saidBy(error: Failure): string {
  const inner = error instanceof AggregateError ? (error.errors as unknown[]).map(failureOf) : [];
  const [first] = inner.filter(({ message }) => message !== "");
  const text = error.message || first?.message || error.code || error.name;
  return text.split("\n", 1)[0] as string;
}

/** The cause of an error: message and code only. Errors of `pg` contain more than a log should have. */
function clean(failure: Failure): Error {
  const cause: Error & { code?: string } = new Error(saidBy(failure));
  if (failure.code !== undefined) cause.code = failure.code;
  return cause;
}

function isAboutTls(code: string, said: string): boolean {
  return (
    /^(?:ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/.test(code) ||
    /SSL|TLS|certificate/i.test(said)
  );
}

function tlsHint(said: string): string {
  return /no encryption|SSL off/i.test(said)
    ? ": the server wants TLS, add sslmode=verify-full to the URL"
    : "";
}
