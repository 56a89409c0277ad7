/** A database of one context, whose application keeps one large map. */

import { concat } from "../src/bytes/concat.js";
import { slices } from "../src/collections/lists.js";
import { openRocksEngine } from "../src/engines/index.js";
import { openStore, type Store } from "../src/index.js";
import { type Core011, core011 } from "../src/schemas/index.js";
import { keptDatabase } from "./kept-database.js";
import { Random } from "./random.js";
import { mapRows, type StateRow } from "./rows/map.js";

/** Increase it if the same seed produces other rows. */
const SHAPE = 1;
const SEED = 20_261_122;
const BATCH = 1000;

/** The context's id. */
export const CONTEXT = new Uint8Array(32).fill(0xc0);

/** Opens the database whose map has `size` entries. `say` receives a sentence if the database had to be created. */
export async function openMapDatabase(
  size: number,
  say: (sentence: string) => void,
): Promise<Store<Core011>> {
  const name = `core-0.11-map-${size}-seed-${SEED}-shape-${SHAPE}`;
  const kept = { name, columns: core011.columns, fill: (path: string) => fill(path, size) };
  const { path } = await keptDatabase(kept, say);
  return openStore(path, { schema: core011 });
}

async function fill(path: string, size: number): Promise<number> {
  let written = 0;
  await using engine = await openRocksEngine(path, { create: true, columns: core011.columns });
  const write = (rows: readonly StateRow[]): Promise<void> =>
    engine.write(
      rows.map(([key, value]) => ({ type: "put", column: "State", key: concat(CONTEXT, key), value })),
    );
  for (const rows of slices(mapRows(new Random(SEED), CONTEXT, size), BATCH)) {
    await write(rows);
    written += rows.length;
  }
  await engine.flush();
  return written;
}
