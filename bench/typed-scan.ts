/** Reading all rows of one kind through the store, in chunks, touching a field of each value. */

import type { Store } from "../src/index.js";
import { ContextDagDelta, ContextState011 } from "../src/keys/index.js";
import type { Core010 } from "../src/schemas/index.js";
import { keep } from "./measure.js";

/** The kinds of rows that are scanned: nearly all rows of a database are of these. */
export const scans = {
  Delta: async (store: Store<Core010>): Promise<number> => {
    let count = 0;
    for await (const chunk of store.table(ContextDagDelta).scan().chunks()) {
      for (const { key, value } of chunk) {
        keep((key.bytes[40] ?? 0) + (value?.parents.length ?? 0));
        count++;
      }
    }
    return count;
  },
  State: async (store: Store<Core010>): Promise<number> => {
    let count = 0;
    for await (const chunk of store.table(ContextState011).scan().chunks()) {
      for (const { key, value } of chunk) {
        keep((key.bytes[40] ?? 0) + (value?.[0] ?? 0));
        count++;
      }
    }
    return count;
  },
} as const;

/** Delta and State. */
export const scanned = Object.keys(scans) as (keyof typeof scans)[];

/** Scans in one run: several in a small database, so that a run is long enough to be measured. */
export function passesOver(rows: number): number {
  return Math.max(1, Math.round(300_000 / rows));
}

/** Does something several times and adds up what it gives. */
export async function repeat(times: number, work: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let count = 0; count < times; count++) sum += await work();
  return sum;
}
