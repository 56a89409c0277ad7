/** Errors with which calls must fail. */
import { expect } from "vitest";
import { type ErrorCode, MerostoreError } from "../../src/errors.js";

/** The error of a call that must fail with a code, and with a message that has these words. */
export async function rejection(
  call: PromiseLike<unknown>,
  code: ErrorCode,
  says: string | RegExp = "",
): Promise<MerostoreError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return checked(error, code, says);
}

/** The error that a call must throw, as {@link rejection}. */
export function thrown(call: () => unknown, code: ErrorCode, says: string | RegExp = ""): MerostoreError {
  let error: unknown;
  try {
    call();
  } catch (caught) {
    error = caught;
  }
  return checked(error, code, says);
}

function checked(error: unknown, code: ErrorCode, says: string | RegExp): MerostoreError {
  expect(error, `a ${code}`).toBeInstanceOf(MerostoreError);
  const { code: found, message } = error as MerostoreError;
  expect(`${found}: ${message}`).toContain(`${code}: `);
  if (typeof says === "string") expect(message).toContain(says);
  else expect(message).toMatch(says);
  return error as MerostoreError;
}
