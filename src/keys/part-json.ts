/** The JSON form of a part of a key, and the errors that a part of another program throws. */
import type { JsonOptions } from "../codec/index.js";
import { isMerostoreError, MerostoreError } from "../errors.js";
import type { AnyPart } from "./key-class.js";

/**
 * Returns the JSON form of a part of a key.
 * @param kind the name of the key class, for errors
 * @throws MerostoreError `INVALID_KEY` for an error that the part throws, which is the cause
 * @internal
 */
export function partToJson(
  kind: string,
  part: AnyPart,
  value: unknown,
  options?: JsonOptions,
): string | number {
  try {
    return part.toJson(value, options);
  } catch (error) {
    throw thrownByPart(error, kind, part);
  }
}

/** Returns an error that a part threw as one that names the part. */
export function thrownByPart(cause: unknown, kind: string, part: AnyPart | undefined): MerostoreError {
  if (isMerostoreError(cause)) return cause;
  const message = `${kind}.${part?.name}: the part threw an error, which is the cause`;
  return new MerostoreError("INVALID_KEY", message, { cause });
}
