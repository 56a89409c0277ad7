/** Shared parts of the tests of merging. */
import {
  type Conflict,
  type ConflictingEntry,
  type Ledger,
  type Mutations,
  type Page,
  type PageId,
  ROOT_PAGE_ID,
} from "../../src/index.js";
import { begin, text, twoOf } from "../support.js";

/** Changes of a transaction: a text is put, null deletes. */
export type Edits = Readonly<Record<string, string | null>>;

export async function apply(page: Mutations, edits: Edits): Promise<void> {
  for (const [key, value] of Object.entries(edits))
    if (value === null) await page.delete(key);
    else await page.put(key, value);
}

/** Two connections that change a page at the same time: the first is older. Their transactions are committed. */
export async function diverge(
  ledger: Ledger,
  older: Edits,
  newer: Edits,
  id: PageId = ROOT_PAGE_ID,
): Promise<[Page, Page]> {
  const pages = await twoOf(ledger, id);
  await divergeOn(pages, older, newer);
  return pages;
}

export async function divergeOn(
  [page1, page2]: readonly [Page, Page],
  older: Edits,
  newer: Edits,
): Promise<void> {
  const tx1 = await begin(page1);
  const tx2 = await begin(page2);
  await apply(tx1, older);
  await apply(tx2, newer);
  await tx1.commit();
  await tx2.commit();
}

/** Waits until a page has one head, however often its resolver fails before. */
export async function untilResolved(page: Page): Promise<void> {
  for (;;)
    try {
      await page.waitForConflictResolution();
      return;
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
}

/** An entry of a conflict as texts: the ancestor's, the newer and the older one. */
export interface TextConflict {
  readonly key: string;
  readonly ancestor: string | undefined;
  readonly newer: string | undefined;
  readonly older: string | undefined;
}

export async function textsOf(entries: AsyncIterable<ConflictingEntry>): Promise<TextConflict[]> {
  const found: TextConflict[] = [];
  for await (const { key, ancestor, newer, older } of entries)
    found.push({
      key: text(key),
      ancestor: ancestor?.value && text(ancestor.value),
      newer: newer?.value && text(newer.value),
      older: older?.value && text(older.value),
    });
  return found;
}

/** A resolver that keeps its questions. */
export class Asked {
  readonly differences: TextConflict[][] = [];
  readonly conflicts: TextConflict[][] = [];

  async note(conflict: Conflict): Promise<void> {
    this.differences.push(await textsOf(conflict.differences()));
    this.conflicts.push(await textsOf(conflict.conflicts()));
  }
}

/** Keys of differences with the side that has them. */
export function sides(entries: readonly TextConflict[]): [string, string][] {
  return entries.map(({ key, newer, older }) => {
    const found = [newer && `newer ${newer}`, older && `older ${older}`];
    return [key, found.filter((side) => side !== undefined).join(", ")];
  });
}
