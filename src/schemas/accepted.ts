/** Keys that a node reads. */
import { MerostoreError } from "../errors.js";
import type { AnyKey } from "../keys/index.js";
import type { AnyRow } from "./schema.js";

/** @throws MerostoreError `INVALID_KEY` for a key that the node does not read, though its layout is right */
export function checkAccepted(row: AnyRow, key: AnyKey): void {
  const expected = row.refused(key);
  if (expected !== undefined)
    throw new MerostoreError(
      "INVALID_KEY",
      `the node does not read this key of ${row.kind}: expected ${expected}`,
    );
}
