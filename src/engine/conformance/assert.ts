/** The few assertions of the suite, so that it needs no test framework. */

import { equalBytes } from "../../bytes/order.js";
import { type ErrorCode, MerostoreError } from "../../errors.js";
import type { RawRow } from "../engine.js";

/** Fails with a message. */
export function fail(message: string): never {
  throw new Error(message);
}

/** Fails unless both values are the same primitive value. */
export function same(found: unknown, expected: unknown, what: string): void {
  if (!Object.is(found, expected)) fail(`${what}: expected ${String(expected)}, found ${String(found)}`);
}

/** Fails unless `found` is a Uint8Array with the expected bytes, or both are undefined. */
export function sameBytes(
  found: Uint8Array | undefined,
  expected: Uint8Array | undefined,
  what: string,
): void {
  if (found !== undefined && !(found instanceof Uint8Array)) fail(`${what}: not a Uint8Array`);
  const equal =
    found === undefined || expected === undefined ? found === expected : equalBytes(found, expected);
  if (!equal) fail(`${what}: expected ${show(expected)}, found ${show(found)}`);
}

/** Fails unless the rows are the expected ones, in this order. */
export function sameRows(found: readonly RawRow[], expected: readonly RawRow[], what: string): void {
  same(found.length, expected.length, `${what}: number of rows`);
  for (const [at, { key, value }] of found.entries()) {
    sameBytes(key, expected[at]?.key, `${what}: key of row ${at}`);
    sameBytes(value, expected[at]?.value, `${what}: value of row ${at}`);
  }
}

/** Fails unless the call throws or rejects with a MerostoreError of this code. Returns its message. */
export async function rejects(call: () => unknown, code: ErrorCode, what: string): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof MerostoreError)) fail(`${what}: expected ${code}, found ${String(error)}`);
    same(error.code, code, `${what}: code of the error (${error.message})`);
    return error.message;
  }
  return fail(`${what}: expected ${code}, and nothing was thrown`);
}

function show(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return "nothing";
  const hex = Array.from(bytes.subarray(0, 40), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${bytes.length} bytes ${hex}${bytes.length > 40 ? "…" : ""}`;
}
