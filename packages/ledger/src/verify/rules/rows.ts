/** Rows by themselves. */

import type { ByteRange } from "merostore/engine";
import { isMerostoreError, toHex } from "merostore/internal";
import { commitRow, objectRow, pageRows } from "../../rows/page-rows.js";
import type { AnyRow } from "../../rows/row.js";
import type { PageRule } from "../finding.js";

export const rows: PageRule = {
  name: "rows",
  severity: "error",
  says: "Every row is of a known kind, and its value one of that kind.",
  means: "A row cannot be read, or another program wrote it.",
  advice: "Nothing for an info. For an error, restore a copy of the page.",
  async *check(page) {
    const objects = objectRow.range();
    const parts: readonly (readonly [ByteRange, boolean])[] = [
      [{ lt: objects.gte }, false],
      [objects, true],
      [{ gte: objects.lt }, false],
    ];
    for (const [range, keysOnly] of parts)
      for await (const batch of page.batches(range, keysOnly)) {
        page.count(batch.length);
        for (const stored of batch) {
          const row = kindOf(stored.key);
          if (row === undefined) {
            const message = "a row of no known kind: nothing reads it";
            yield { severity: "info", kind: null, key: toHex(stored.key), message };
            continue;
          }
          const message =
            keysOnly || row.kind === commitRow.kind ? undefined : whyNot(() => row.decode(stored));
          if (message !== undefined)
            yield { severity: "error", kind: row.kind, key: toHex(stored.key), message };
        }
      }
  },
};

function kindOf(key: Uint8Array): AnyRow | undefined {
  return pageRows.find((row) => row.key.parse(key) !== undefined);
}

function whyNot(decode: () => void): string | undefined {
  try {
    decode();
    return undefined;
  } catch (error) {
    if (isMerostoreError(error, "DATA_INTEGRITY_ERROR")) return error.message;
    throw error;
  }
}
