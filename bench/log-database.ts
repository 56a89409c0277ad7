/** A database that was never flushed: all its rows are in the write-ahead log, in no order or context by context. */
import { mkdir, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toHex } from "../src/bytes/hex.js";
import { ID_BYTES } from "../src/bytes/id-table.js";
import { folderFiles } from "../src/disk/folder.js";
import { openEngine, openRocksEngine } from "../src/engines/index.js";
import { core010 } from "../src/index.js";
import { readCatalog } from "../src/lsm/catalog/catalog.js";
import type { Database } from "./database.js";
import { DATA } from "./kept-database.js";
import { LogWriter } from "./log-writer.js";
import { Random } from "./random.js";

/** Increase it if the same seed produces another log. */
const SHAPE = 2;
const SEED = 20_261_122;
/** Changes in one batch at most. */
const MOST_CHANGES = 5;

/** The database and the size of its log. */
export interface LogDatabase {
  readonly path: string;
  readonly order: LogOrder;
  readonly rows: number;
  /** Bytes of the log. */
  readonly bytes: number;
}

/** All rows in no order, or those of State, one context after another and each in the order of its keys. */
export type LogOrder = "none" | "contexts";

/** Writes the rows of a database into a log. `say` receives a sentence if the database had to be created. */
export async function makeLogDatabase(
  from: Database,
  order: LogOrder,
  say: (sentence: string) => void,
): Promise<LogDatabase> {
  const folder = `${DATA}/log-${from.rows}-rows-order-${order}-seed-${SEED}-shape-${SHAPE}`;
  const path = `${folder}/db`;
  const done = `${folder}/made.json`; // written last: a folder without it was interrupted
  const made = await readFile(done, "utf8").catch(() => undefined);
  if (made !== undefined) return { path, order, ...(JSON.parse(made) as { rows: number; bytes: number }) };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await using empty = await openRocksEngine(path, { create: true, columns: core010.columns });
  await empty.close();
  const rows = await rowsOf(from, order);
  const bytes = await write(rows, path);
  await writeFile(done, JSON.stringify({ rows: rows.length, bytes, seed: SEED }));
  say(`made ${path}: ${rows.length} rows in a log of ${bytes} bytes`);
  return { path, order, rows: rows.length, bytes };
}

interface ColumnRow {
  readonly column: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

async function rowsOf(from: Database, order: LogOrder): Promise<readonly ColumnRow[]> {
  const groups = new Map<string, ColumnRow[]>();
  await using engine = await openEngine(from.path);
  for (const column of order === "none" ? engine.columns : ["State"])
    for await (const chunk of engine.scan(column).chunks())
      for (const row of chunk) {
        const group = order === "none" ? `${groups.size}` : toHex(row.key.subarray(0, ID_BYTES));
        const rows = groups.get(group);
        if (rows === undefined) groups.set(group, [{ column, ...row }]);
        else rows.push({ column, ...row });
      }
  const shuffled = [...groups.values()];
  const random = new Random(SEED);
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [shuffled[at], shuffled[other]] = [shuffled[other] as ColumnRow[], shuffled[at] as ColumnRow[]];
  }
  return shuffled.flat();
}

/** Writes the rows in batches. Returns the bytes of the log. */
async function write(rows: readonly ColumnRow[], path: string): Promise<number> {
  const { manifest } = await readCatalog(folderFiles(path));
  const ids = new Map(manifest.columns.map(({ name, id }) => [name, id]));
  const names = (await readdir(path)).filter((name) => name.endsWith(".log")).sort();
  const file = await open(join(path, names.at(-1) as string), "a");
  try {
    const log = new LogWriter(file, manifest.lastSequence + 1);
    const random = new Random(SEED);
    for (let at = 0; at < rows.length; ) {
      const count = 1 + random.below(MOST_CHANGES);
      const batch = rows.slice(at, at + count);
      await log.add(batch.map(({ column, key, value }) => ({ id: ids.get(column) ?? 0, key, value })));
      at += count;
    }
    return await log.end();
  } finally {
    await file.close();
  }
}
