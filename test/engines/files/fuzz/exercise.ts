/** Reads a database in every possible way, and checks what must hold for any bytes. */

import { compareBytes } from "../../../../src/bytes/order.js";
import { openFiles } from "../../../../src/engines/files/index.js";
import type { ByteRange, Engine, RawRow } from "../../../../src/engines/index.js";
import { isMerostoreError, type MerostoreError } from "../../../../src/errors.js";
import { MemoryFiles } from "../memory-files.js";
import type { Files } from "./databases.js";

/** Errors that the bytes of a database may end in. */
const CODES: readonly string[] = ["DATABASE_DAMAGED", "FORMAT_UNSUPPORTED", "LOG_MISSING", "NOT_A_DATABASE"];

export interface Exercise {
  /** True if files can be read without waiting. */
  readonly now: boolean;
  readonly checksums: boolean;
}

const key = (text: string) => new TextEncoder().encode(text);
const KEYS = ["", "key", "key100", "key112", "key121", "key135", "key300", "zzz"].map(key);
const RANGES: readonly ByteRange[] = [
  { gte: key("key105"), lt: key("key135") },
  { lt: key("key12") },
  { gte: key("key150") },
];

/** The number of rows that were read, and the errors on the way. @throws Error if a rule is broken */
export async function exercise(
  files: Files,
  { now, checksums }: Exercise,
): Promise<{ rows: number; errors: MerostoreError[] }> {
  const errors: MerostoreError[] = [];
  let rows = 0;
  const attempt = async (work: () => Promise<number>): Promise<void> => {
    try {
      rows += await work();
    } catch (error) {
      if (!isMerostoreError(error) || !CODES.includes(error.code)) throw error;
      errors.push(error);
    }
  };
  const source = new MemoryFiles(files, now);
  let engine: Engine | undefined;
  await attempt(async () => {
    engine = await openFiles(source, { checksums, cacheBytes: 256 * 1024 });
    return 0;
  });
  if (engine !== undefined) {
    await readEverything(engine, attempt);
    await engine.close();
  }
  if (source.inUse > 0) throw new Error(`${source.inUse} files stay open`);
  return { rows, errors };
}

async function readEverything(
  reader: Engine,
  attempt: (work: () => Promise<number>) => Promise<void>,
): Promise<void> {
  let backward = false;
  for (const column of reader.columns) {
    await attempt(async () => (await reader.getMany(column, KEYS)).length);
    await attempt(() => scan(reader, column, {}, false));
    await attempt(() => scan(reader, column, {}, true));
    // The second time most of it is in the cache.
    await attempt(async () => (await reader.getMany(column, KEYS)).length);
    for (const range of RANGES) {
      await attempt(() => scan(reader, column, range, backward));
      backward = !backward;
      await attempt(async () => {
        const size = await reader.approximateSize(column, range);
        if (!(size >= 0 && Number.isFinite(size))) throw new Error(`the size of a range is ${size}`);
        return 0;
      });
    }
  }
}

async function scan(engine: Engine, column: string, range: ByteRange, reverse: boolean): Promise<number> {
  let count = 0;
  let before: RawRow | undefined;
  for await (const rows of engine.scan(column, range, { reverse }).chunks()) {
    for (const row of rows) {
      const order = before === undefined ? -1 : compareBytes(before.key, row.key);
      if (reverse && before !== undefined ? order <= 0 : order >= 0) throw new Error("keys are out of order");
      const { gte: from, lt: to } = range;
      if ((from && compareBytes(row.key, from) < 0) || (to && compareBytes(row.key, to) >= 0))
        throw new Error("a key is beyond the bounds of its scan");
      before = row;
    }
    count += rows.length;
  }
  return count;
}
