import { expect } from "vitest";
import type { EngineReader } from "../../../src/engines/index.js";
import { type ErrorCode, MerostoreError } from "../../../src/errors.js";

export function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}

/** The rows of all column families. */
export async function countRows(engine: EngineReader): Promise<number> {
  let count = 0;
  for (const column of engine.columns) {
    for await (const rows of engine.scan(column).chunks()) count += rows.length;
  }
  return count;
}

/** The error of a call that must fail with a code. */
export async function rejection(call: Promise<unknown>, code: ErrorCode): Promise<MerostoreError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error, `a ${code}`).toBeInstanceOf(MerostoreError);
  expect(`${(error as MerostoreError).code}: ${(error as MerostoreError).message}`).toContain(`${code}: `);
  return error as MerostoreError;
}
