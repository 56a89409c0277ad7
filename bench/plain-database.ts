/** A database of plain rows for measuring engines: keys of 64 random bytes, values of 100 to 150, in blocks as a node writes them. */
import { type Engine, openRocksEngine } from "../src/engines/index.js";
import { keptDatabase } from "./kept-database.js";
import { keep } from "./measure.js";
import { Random } from "./random.js";

/** Increase it if the same seed produces other rows. */
const SHAPE = 1;
const SEED = 20_261_122;
const BATCH = 1000;

/** The column family that has the rows. */
export const COLUMN = "State";

/** Returns the folder of the database. `say` receives a sentence if the database had to be created. */
export async function makePlainDatabase(rows: number, say: (sentence: string) => void): Promise<string> {
  const name = `plain-${rows}-rows-seed-${SEED}-shape-${SHAPE}`;
  const kept = { name, columns: [COLUMN], fill: (path: string) => fill(path, rows) };
  return (await keptDatabase(kept, say)).path;
}

async function fill(path: string, rows: number): Promise<number> {
  await using engine = await openRocksEngine(path, { create: true, columns: [COLUMN] });
  const random = new Random(SEED);
  for (let written = 0; written < rows; written += BATCH) {
    const count = Math.min(BATCH, rows - written);
    await engine.write(
      Array.from({ length: count }, () => ({
        type: "put" as const,
        column: COLUMN,
        key: random.bytes(64),
        value: random.bytes(100 + random.below(51)),
      })),
    );
  }
  await engine.flush();
  return rows;
}

/** Reads all rows of such a database, and a byte of each key and value. Returns how many rows it has. */
export async function scan(engine: Engine): Promise<number> {
  let count = 0;
  for await (const chunk of engine.scan(COLUMN).chunks()) {
    for (const { key, value } of chunk) keep((key[40] ?? 0) + (value[0] ?? 0));
    count += chunk.length;
  }
  return count;
}
