/** Keys and values that a node reads. */
import { ReadFailure } from "../codec/index.js";
import { MerostoreError } from "../errors.js";
import type { AnyKey } from "../keys/index.js";
import type { AnyRow } from "./schema.js";

/** @throws MerostoreError `INVALID_KEY` for a key that the node does not read, although its layout is right */
export function checkAccepted(row: AnyRow, key: AnyKey): void {
  const expected = row.refused(key);
  if (expected !== undefined)
    throw new MerostoreError(
      "INVALID_KEY",
      `the node does not read this key of ${row.kind}: expected ${expected}`,
    );
}

/**
 * Encodes the value of a row.
 *
 * @throws EncodeError for a value with a missing, surplus or wrong field
 * @throws MerostoreError `INVALID_KEY` for a key that the node does not read, although its layout is right
 */
export function encodeAccepted(row: AnyRow, key: AnyKey, value: unknown): Uint8Array {
  checkAccepted(row, key);
  return row.valueAt(key).encode(value);
}

/** @throws MerostoreError `ENCODE_FAILED` for a value that the node does not read, although its layout is right */
export function checkAcceptedValue(row: AnyRow, key: AnyKey, value: unknown): void {
  const expected = row.refusedValue(key, value);
  if (expected !== undefined)
    throw new MerostoreError(
      "ENCODE_FAILED",
      `the node does not read this value of ${row.kind}: expected ${expected}`,
    );
}

/** Returns whether a value decodes at a key of its row. */
export function decodes(row: AnyRow, key: Uint8Array, value: Uint8Array): boolean {
  return !(row.valueAt(row.key.view(key)).readWhole(value) instanceof ReadFailure);
}
