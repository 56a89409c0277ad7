/** The database of the benchmarks: made once for each number of rows, then used again. */
import { core010, openStore, type Store } from "../src/index.js";
import type { Core010 } from "../src/schemas/index.js";
import { keptDatabase } from "./kept-database.js";
import { Random } from "./random.js";
import { fillContext } from "./rows/context.js";
import type { Put } from "./rows/put.js";

/** Changes whenever other rows come out of the same seed. */
const SHAPE = 4;
const SEED = 20_261_121;
const ROWS_OF_CONTEXT = 25_000;
const BATCH = 1000;

export interface Database {
  readonly path: string;
  /** How many rows it holds, nearly the number asked for. */
  readonly rows: number;
  /** Opens it read-only through the store. */
  open(): Promise<Store<Core010>>;
}

/** The database with about `rows` rows. `say` gets a sentence when one had to be made. */
export async function makeDatabase(rows: number, say: (sentence: string) => void): Promise<Database> {
  const name = `core-0.10-${rows}-rows-seed-${SEED}-shape-${SHAPE}`;
  const kept = { name, columns: core010.columns, fill: (path: string) => fill(path, rows) };
  const made = await keptDatabase(kept, say);
  return { ...made, open: () => openStore(made.path, { schema: core010 }) };
}

/** Writes the rows through the store and flushes them. */
async function fill(path: string, rows: number): Promise<number> {
  await using store = await openStore(path, { create: true, schema: core010 });
  const random = new Random(SEED);
  const contexts = Math.max(1, Math.round(rows / ROWS_OF_CONTEXT));
  let written = 0;
  let batch = store.batch();
  const put: Put = (key, value) => void batch.put(key, value);
  for (let count = 0; count < contexts; count++) {
    for (const _ of fillContext(put, random, Math.round(rows / contexts))) {
      if (batch.length < BATCH) continue;
      written += batch.length;
      await batch.write();
      batch = store.batch();
    }
  }
  written += batch.length;
  await batch.write();
  await store.flush();
  return written;
}
