/** Warnings that reach whoever looks after the program, since nobody awaits what they are about. */
import { describeValue } from "merostore/internal";

interface Process {
  emitWarning?(message: string, options: { type: string; code: string; detail?: string }): void;
}

/** Emits a process warning in Node, and writes to the console elsewhere. */
export function warn(message: string, code: string, error?: unknown): void {
  const { process } = globalThis as { process?: Process };
  if (process?.emitWarning === undefined) {
    console.warn(`${code}: ${message}`, ...(error === undefined ? [] : [error]));
    return;
  }
  const detail = error === undefined ? {} : { detail: detailOf(error) };
  process.emitWarning(message, { type: "MerostoreWarning", code, ...detail });
}

/** The stack of an error and of its causes. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return describeValue(error);
  const { stack, message, cause } = error;
  return `${stack ?? message}${cause === undefined ? "" : `\ncaused by: ${detailOf(cause)}`}`;
}
