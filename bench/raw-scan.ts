/** The ways to read all rows of a column family with the native binding's iterator. */
import { core010 } from "../src/index.js";
import { fastest as fastestOf, interleave, keep } from "./measure.js";
import type { RawDatabase, RawEntry, RawIterator } from "./raw.js";

/** Rows of one native read, as in the store's engine. */
const CAPACITY = 1024;

/** Reads an iterator to its end and returns the number of rows. */
type Drain = (rows: RawIterator) => Promise<number>;

const ways: Readonly<Record<string, Drain>> = {
  "'data' events": (rows) =>
    new Promise((resolve, reject) => {
      let count = 0;
      rows.on("data", (row) => {
        touch(row);
        count++;
      });
      rows.on("error", reject);
      rows.on("close", () => resolve(count));
    }),
  "'readable' events": (rows) =>
    new Promise((resolve, reject) => {
      let count = 0;
      rows.on("readable", () => {
        for (let row = rows.read(); row !== null; row = rows.read()) {
          touch(row);
          count++;
        }
      });
      rows.on("error", reject);
      rows.on("close", () => resolve(count));
    }),
  "for await": async (rows) => {
    let count = 0;
    for await (const row of rows) {
      touch(row);
      count++;
    }
    return count;
  },
};

function touch({ key, value }: RawEntry): void {
  keep((key[40] ?? 0) + (value[0] ?? 0));
}

export interface RawScan {
  /** The way of draining the iterator. */
  readonly way: string;
  /** Scans the whole column family. */
  run(): Promise<number>;
}

/** Finds the fastest way for a column family by trying all. */
export async function fastestRawScan(raw: RawDatabase, columnFamily: string): Promise<RawScan> {
  const session = raw.session({ columnFamily });
  const scans = Object.entries(ways).map(([way, drain]) => ({
    name: way,
    run: () => drain(session.iterator({}, { capacity: CAPACITY })),
  }));
  const { name } = fastestOf(await interleave(scans, { runs: 3, warmUps: 1 }));
  const best = scans.find((scan) => scan.name === name) as (typeof scans)[number];
  return { way: name, run: best.run };
}

/** Reads all rows of all column families by 'data' events. */
export async function scanAll(raw: RawDatabase): Promise<number> {
  let count = 0;
  for (const columnFamily of core010.columns)
    count += await (ways["'data' events"] as Drain)(
      raw.session({ columnFamily }).iterator({}, { capacity: CAPACITY }),
    );
  return count;
}
