/** The cost of one put of 1 KB as a page grows. */

import { median } from "../../../bench/measure.js";
import { Random } from "../../../bench/random.js";
import { temporaryFolder } from "../../../bench/temporary-folder.js";
import { openLedger } from "../src/index.js";
import { type Batch, recordingPlace } from "./ledger-place.js";
import { cpuSince, keyOf, VALUE_SIZE } from "./ledger-values.js";

/** Puts of which the median is taken, at each size of a page. */
const PUTS = 40;

/** The growth of a page. */
export interface Growth {
  /** Entries of the smallest and of the largest page; each has ten times as many as the one before. */
  readonly from: number;
  readonly upTo: number;
  /** True if the other values are kept inline, as short ones are; otherwise they have 1 KB. */
  readonly inline: boolean;
  /** `keep` if all commits are kept: nothing is collected then. */
  readonly history: "keep" | undefined;
}

/** Puts values of 1 KB into a page of each size. */
export async function* growing({
  from,
  upTo,
  inline,
  history,
}: Growth): AsyncGenerator<string, void, undefined> {
  const random = new Random(12);
  const batches: Batch[] = [];
  const place = recordingPlace(temporaryFolder(), batches);
  await using ledger = await openLedger(place, { name: "bench", history });
  await using page = await ledger.rootPage();
  let entries = 0;
  for (let size = from; size <= upTo; size *= 10) {
    for (; entries < size; ) {
      const end = Math.min(size, entries + 5000);
      await page.transaction(async (transaction) => {
        for (; entries < end; entries++)
          await transaction.put(keyOf(entries), inline ? "small" : random.bytes(VALUE_SIZE));
      });
    }
    const times: number[] = [];
    batches.length = 0;
    const start = process.cpuUsage();
    for (let put = 0; put < PUTS; put++) {
      const value = random.bytes(VALUE_SIZE);
      const begin = performance.now();
      await page.put(keyOf(random.below(entries)), value);
      times.push(performance.now() - begin);
    }
    const cpu = cpuSince(start) / PUTS;
    const rows = batches.reduce((sum, { operations }) => sum + operations.length, 0) / PUTS;
    const beside = inline ? "inline values" : "values of 1 KB";
    const collection = history === "keep" ? "off" : "on";
    yield `one put into a page of ${size} ${beside}, collection ${collection}: ${median(times).toFixed(2)} ms (median of ${PUTS}), ${cpu.toFixed(2)} ms of CPU, ${rows.toFixed(0)} rows written and removed`;
  }
}
