/** A database that was never flushed: all its rows are in the write-ahead log, in an order that is not that of keys. */
import { mkdir, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folderFiles } from "../src/disk/folder.js";
import { openEngine, openRocksEngine } from "../src/engines/index.js";
import { core010 } from "../src/index.js";
import { readCatalog } from "../src/lsm/catalog/catalog.js";
import type { Database } from "./database.js";
import { DATA } from "./kept-database.js";
import { LogWriter } from "./log-writer.js";
import { Random } from "./random.js";

/** Increase it if the same seed produces another log. */
const SHAPE = 1;
const SEED = 20_261_122;
/** Changes in one batch at most. */
const MOST_CHANGES = 5;

/** The database and the size of its log. */
export interface LogDatabase {
  readonly path: string;
  readonly rows: number;
  /** Bytes of the log. */
  readonly bytes: number;
}

/** Writes the rows of a database into a log. `say` receives a sentence if the database had to be created. */
export async function makeLogDatabase(from: Database, say: (sentence: string) => void): Promise<LogDatabase> {
  const folder = `${DATA}/log-${from.rows}-rows-seed-${SEED}-shape-${SHAPE}`;
  const path = `${folder}/db`;
  const done = `${folder}/made.json`; // written last: a folder without it was interrupted
  const made = await readFile(done, "utf8").catch(() => undefined);
  if (made !== undefined)
    return { path, rows: from.rows, bytes: (JSON.parse(made) as { bytes: number }).bytes };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await using empty = await openRocksEngine(path, { create: { columns: core010.columns } });
  await empty.close();
  const bytes = await fill(from, path);
  await writeFile(done, JSON.stringify({ bytes, seed: SEED }));
  say(`made ${path}: ${from.rows} rows in a log of ${bytes} bytes`);
  return { path, rows: from.rows, bytes };
}

async function fill(from: Database, path: string): Promise<number> {
  const { manifest } = await readCatalog(folderFiles(path));
  const ids = new Map(manifest.columns.map(({ name, id }) => [name, id]));
  const rows: { readonly id: number; readonly key: Uint8Array; readonly value: Uint8Array }[] = [];
  await using engine = await openEngine(from.path);
  for (const column of engine.columns) {
    for await (const chunk of engine.scan(column).chunks())
      for (const row of chunk) rows.push({ id: ids.get(column) ?? 0, ...row });
  }
  const random = new Random(SEED);
  for (let at = rows.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [rows[at], rows[other]] = [rows[other] as (typeof rows)[0], rows[at] as (typeof rows)[0]];
  }
  const names = (await readdir(path)).filter((name) => name.endsWith(".log")).sort();
  const file = await open(join(path, names.at(-1) as string), "a");
  try {
    const log = new LogWriter(file, manifest.lastSequence + 1);
    for (let at = 0; at < rows.length; ) {
      const count = 1 + random.below(MOST_CHANGES);
      await log.add(rows.slice(at, at + count));
      at += count;
    }
    return await log.end();
  } finally {
    await file.close();
  }
}
