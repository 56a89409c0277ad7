/** Databases that a benchmark makes once and uses again. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { compactAsNode } from "./raw.js";

/** Where everything is made: beside the benchmarks, ignored by git. Commands run in the package's folder. */
export const DATA = "bench/data";

/** A database that is made unless it was made before. */
export interface Kept {
  /** Its name, from which everything about its rows follows. */
  readonly name: string;
  /** The column families of its revision. */
  readonly columns: readonly string[];
  /** Writes the rows. Returns their number. */
  fill(path: string): Promise<number>;
}

/** Returns the folder of a database and the number of its rows. `say` gets a sentence if it was made. */
export async function keptDatabase(
  { name, columns, fill }: Kept,
  say: (sentence: string) => void,
): Promise<{ readonly path: string; readonly rows: number }> {
  const folder = `${DATA}/${name}`;
  const path = `${folder}/db`;
  const done = `${folder}/made.json`; // written last: a folder without it was interrupted
  const made = await readFile(done, "utf8").catch(() => undefined);
  if (made !== undefined) return { path, rows: (JSON.parse(made) as { rows: number }).rows };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const start = performance.now();
  const rows = await fill(path);
  const filled = performance.now();
  await compactAsNode(path, columns);
  await writeFile(done, JSON.stringify({ rows }));
  const seconds = (from: number, to: number): string => `${((to - from) / 1000).toFixed(1)} s`;
  say(
    `made ${path}: ${rows} rows in ${seconds(start, filled)}, compacted in ${seconds(filled, performance.now())}`,
  );
  return { path, rows };
}
