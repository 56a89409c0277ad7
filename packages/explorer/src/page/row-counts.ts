/** The counts of all rows, which come after a scan of everything. */
import { signal } from "@preact/signals";
import type { Choice } from "../worker/history/histories.js";
import { messageOf } from "./message-of.js";
import { type Answer, ask, type RowCounts } from "./worker-client.js";

/** The counts of rows, or their progress. */
export type CountedRows =
  | { readonly state: "counting"; readonly rows: number; readonly counts: undefined }
  | { readonly state: "counted"; readonly rows: number; readonly counts: RowCounts }
  | { readonly state: "failed"; readonly rows: number; readonly counts: undefined; readonly message: string };

const NOTHING: CountedRows = { state: "counting", rows: 0, counts: undefined };

/** The counts of the rows of the shown database. */
export const countedRows = signal<CountedRows>(NOTHING);

/** Forgets the counts. */
export function forgetRowCounts(): void {
  countedRows.value = NOTHING;
}

/** Counts the rows. The previous counts stay until the end. */
export async function countRows(isCurrent: () => boolean): Promise<void> {
  try {
    const counts: Answer<"rowCounts"> = await ask("a", "rowCounts", (rows) => {
      if (isCurrent() && countedRows.value.state === "counting")
        countedRows.value = { state: "counting", rows, counts: undefined };
    });
    if (!isCurrent()) return;
    const rows = counts.families.reduce((sum, family) => sum + family.rows, 0);
    countedRows.value = { state: "counted", rows, counts };
  } catch (error) {
    const message = messageOf(error);
    if (isCurrent()) countedRows.value = { state: "failed", rows: 0, counts: undefined, message };
  }
}

/** The number of deltas or operations of a history; undefined until all rows are counted. */
export function lengthOf({ of, thing, length, isEmpty }: Choice): number | undefined {
  if (of !== "context") return length;
  const { counts } = countedRows.value;
  return isEmpty ? 0 : counts?.contexts.find(({ id }) => id === thing.id)?.deltas;
}
