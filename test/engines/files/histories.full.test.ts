import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type ByteRange,
  type Engine,
  openFilesEngine,
  openRocksEngine,
  type RawRow,
} from "../../../src/engines/index.js";
import { temporaryFolder } from "../../support/fixtures.js";
import { listOf } from "../../support/lists.js";
import { live, Random } from "./history.js";

/** Seeds of one file; both files together are the suite. */
const FIRST = Number(process.env.MEROSTORE_FIRST_SEED ?? 1);
/** `npm run test:faults` runs more. */
const HISTORIES = Number(process.env.MEROSTORE_HISTORIES ?? 100);
const GROUPS = 4;

async function rowsOf(
  engine: Engine,
  column: string,
  range: ByteRange = {},
  options: { readonly reverse?: boolean; readonly limit?: number; readonly keysOnly?: boolean } = {},
): Promise<RawRow[]> {
  return (await listOf(engine.scan(column, range, options).chunks())).flat();
}

function same(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Buffer.compare(a, b) === 0;
}

function expectSameRows(found: readonly RawRow[], expected: readonly RawRow[], what: string): void {
  const at = found.findIndex(
    ({ key, value }, index) => !same(key, expected[index]?.key) || !same(value, expected[index]?.value),
  );
  const differs = at >= 0 || found.length !== expected.length;
  const place =
    at >= 0 ? `row ${at} (${Buffer.from(found[at]?.key ?? []).toString("hex")})` : "number of rows";
  expect(differs ? `${what}: ${place}, ${found.length} rows instead of ${expected.length}` : "equal").toBe(
    "equal",
  );
}

/** Expects the same of both engines in many ways of reading. Returns the number of rows. */
async function compare(
  files: Engine,
  rocks: Engine,
  keys: readonly Uint8Array[],
  random: Random,
): Promise<number> {
  let rows = 0;
  expect(files.columns).toEqual(rocks.columns);
  for (const column of rocks.columns) {
    const all = await rowsOf(rocks, column);
    rows += all.length;
    expectSameRows(await rowsOf(files, column), all, `${column} forward`);
    expectSameRows(
      await rowsOf(files, column, {}, { reverse: true }),
      all.toReversed(),
      `${column} backward`,
    );
    for (let count = 0; count < 6; count++) {
      const range = {
        gte: random.chance(0.8) ? random.pick(keys) : undefined,
        lt: random.chance(0.8) ? random.pick(keys) : undefined,
      };
      const options = {
        reverse: random.chance(0.5),
        keysOnly: random.chance(0.2),
        ...(random.chance(0.5) ? { limit: random.below(30) } : {}),
      };
      const what = `${column} in a range, ${JSON.stringify(options)}`;
      expectSameRows(
        await rowsOf(files, column, range, options),
        await rowsOf(rocks, column, range, options),
        what,
      );
    }
    const asked = [...keys, random.bytes(5), random.bytes(70)];
    const [found, expected] = [await files.getMany(column, asked), await rocks.getMany(column, asked)];
    expect(found.findIndex((value, at) => !same(value, expected[at]))).toBe(-1);
    const one = random.pick(keys);
    expect(same(await files.get(column, one), await rocks.get(column, one))).toBe(true);
  }
  return rows;
}

/** Expects that both engines find the same in the log alone. */
async function compareLogs(files: Engine, rocks: Engine): Promise<void> {
  for (const column of rocks.columns) {
    const [found, expected] = [await files.unflushed?.(column), await rocks.unflushed?.(column)];
    expect(found?.entries, column).toBe(expected?.entries);
  }
}

/** Lives one history, and reads it with both engines while its writer is open or closed. Returns the number of rows. */
async function check(seed: number): Promise<number> {
  const random = new Random(seed);
  using folder = temporaryFolder();
  const path = join(folder.path, "db");
  const history = await live(path, random);
  const whileOpen = random.chance(0.3);
  if (!whileOpen) await history.close();
  try {
    await using files = await openFilesEngine(
      path,
      random.chance(0.3) ? { cacheBytes: random.below(300_000) } : {},
    );
    await using rocks = await openRocksEngine(path);
    expect(files.warnings).toEqual([]);
    // A writer may flush its log between the two openings.
    if (!whileOpen) await compareLogs(files, rocks);
    return await compare(files, rocks, history.keys, random);
  } finally {
    if (whileOpen) await history.close();
  }
}

// Most of the time they wait for the disk.
describe.concurrent(`${HISTORIES} random histories, read by both engines`, () => {
  for (let group = 0; group < GROUPS; group++) {
    const first = FIRST + (group * HISTORIES) / GROUPS;
    it(`seeds from ${first} on`, async () => {
      let rows = 0;
      for (let seed = first; seed < first + HISTORIES / GROUPS; seed++) {
        rows += await check(seed).catch((error: unknown) => {
          throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
            cause: error,
          });
        });
      }
      expect(rows).toBeGreaterThan(1000);
    });
  }
});
