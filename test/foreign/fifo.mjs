/**
 * First in, first out: a compaction drops the oldest tables of a column family, and nothing else, until the others fit into
 * `max_table_files_size`. RocksDB does so with every table, whoever wrote it.
 */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runHere } from "./programs.mjs";

/**
 * Has RocksDB drop tables in a copy of the database of a seed, of which rows.bin has the rows. Returns the problem.
 *
 * @param columns the column families of its plan, by name
 */
export function fifoProblem(python, seed, folder, columns) {
  const limits = Object.entries(columns).flatMap(([name, { fixed }]) => {
    const limit = /max_table_files_size=(\d+)/.exec(fixed.compaction_options_fifo)?.[1];
    return limit === undefined ? [] : [[name, Number(limit)]];
  });
  if (limits.length === 0) return undefined;
  const copy = join(folder, "fifo");
  cpSync(join(folder, "db"), join(copy, "db"), { recursive: true });
  const compact = (what) => runHere(python, "compact.py", String(seed), copy, what);
  const tables = () => JSON.parse(runHere(process.execPath, "tables.mjs", join(copy, "db")));
  compact("flush");
  runHere(python, "read.py", String(seed), copy);
  if (!readFileSync(join(copy, "rows.bin")).equals(readFileSync(join(folder, "rows.bin"))))
    return "RocksDB reads other rows after a flush of all";
  const before = tables();
  compact("limit");
  const after = tables();
  for (const [name, limit] of limits) {
    const [kept, wanted] = [after[name] ?? [], fitting(before[name] ?? [], limit)].map(numbers);
    if (kept !== wanted)
      return `RocksDB keeps the tables ${kept} of ${name} instead of the newest, ${wanted}`;
  }
  return undefined;
}

/** The newest tables whose bytes fit the limit. */
function fitting(tables, limit) {
  let bytes = 0;
  return tables.filter(({ size }) => {
    bytes += size;
    return bytes <= limit;
  });
}

const numbers = (tables) => tables.map(({ number }) => number).join(", ");
