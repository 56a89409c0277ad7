/** The changes of a database in its write-ahead logs, compared with its rows. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFiles } from "../../../src/engines/files/index.js";
import { type Engine, openEngine, openFilesEngine, openRocksEngine } from "../../../src/engines/index.js";
import { isMerostoreError, orUndefined } from "../../../src/errors.js";
import { crc32c, maskCrc } from "../../../src/lsm/format/crc32c.js";
import { HEADER, type LogRecord, readLog } from "../../../src/lsm/format/log-records.js";
import { contentsOf, logsOf } from "../../support/files.js";
import { rejection, thrown } from "../../support/rejection.js";
import { cleanUpAfterEach, fixture, temporaryFolder } from "../temporary.js";
import { apply, changesOf, rowsOf, textOf } from "./changed-rows.js";
import { GrowingFiles } from "./growing-files.js";
import { live, Random } from "./history.js";
import { MemoryFiles } from "./memory-files.js";
import { toRecyclable } from "./recyclable.js";
import { openTuned } from "./tuned.js";

cleanUpAfterEach();

const text = (value: string) => new TextEncoder().encode(value);
const put = (column: string, key: string, value = key) =>
  ({ type: "put", column, key: text(key), value: text(value) }) as const;

const newDatabase = (path: string) => openRocksEngine(path, { create: true, columns: ["a", "b"] });

/** Waits until RocksDB has deleted the logs that it no longer needs; it does so after the flush. */
async function logsDeletedBut(path: string, left: number): Promise<void> {
  while (logsOf(path).length > left) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Counts the deleted logs that this process has open. */
function deletedLogsInUse(path: string): number {
  return readdirSync("/proc/self/fd").filter((fd) => {
    const target = orUndefined(() => readlinkSync(`/proc/self/fd/${fd}`)) ?? "";
    return target.startsWith(path) && target.endsWith(".log (deleted)");
  }).length;
}

describe("changes(since)", () => {
  it("returns what was written since, batch by batch, and the end of it again and again", async () => {
    const path = join(temporaryFolder(), "db");
    await using writer = await newDatabase(path);
    await using engine = await openFilesEngine(path);
    expect(engine.capabilities.changes).toBe(true);
    expect(engine.sequence).toBe(0);
    expect(await changesOf(engine, 0)).toEqual([]);
    await writer.write([
      put("a", "k1"),
      put("b", "k2", "x"),
      { type: "delete", column: "a", key: text("k0") },
    ]);
    await writer.write([{ type: "deleteRange", column: "b", gte: text("k"), lt: text("l") }]);
    expect((await changesOf(engine, 0)).map(textOf)).toEqual([
      "3: a 6b31 = 6b31, b 6b32 = 78, a 6b30 -",
      "4: b 6b..6c",
    ]);
    expect(await changesOf(engine, 4)).toEqual([]);
    expect((await changesOf(engine, 1)).map(textOf)).toEqual(["3: b 6b32 = 78, a 6b30 -", "4: b 6b..6c"]);
    expect((await changesOf(engine, 3)).map(textOf)).toEqual(["4: b 6b..6c"]);
    expect(await engine.get("a", text("k1"))).toBeUndefined();
    await engine.refresh();
    expect(engine.sequence).toBe(4);
    expect(await engine.get("a", text("k1"))).toEqual(text("k1"));
  });

  it("goes on over flushes, new column families and reopening, and says when a log has gone unseen", async () => {
    const path = join(temporaryFolder(), "db");
    let writer: Engine = await newDatabase(path);
    await using engine = await openFilesEngine(path);
    const seen = async (since: number) => (await changesOf(engine, since)).map(textOf);
    await writer.write([put("a", "1")]);
    expect(await seen(0)).toEqual(["1: a 31 = 31"]);
    await writer.write([put("a", "2")]);
    await writer.flush();
    await writer.write([put("a", "3")]);
    expect(await seen(1)).toEqual(["2: a 32 = 32", "3: a 33 = 33"]);
    await writer.close();
    writer = (
      await openTuned(path, {
        tableBlockSize: 4096,
        tableFormatVersion: 6,
        writeBufferSize: 65_536,
        columns: ["a", "b", "later"],
      })
    ).engine;
    await writer.write([put("later", "4"), put("a", "5")]);
    expect(await seen(3)).toEqual(["5: later 34 = 34, a 35 = 35"]);
    await writer.flush();
    await writer.write([put("a", "6")]);
    await writer.flush();
    await logsDeletedBut(path, 1);
    await rejection(
      changesOf(engine, 5),
      "CHANGES_LOST",
      /sequence number 5 is no longer in the write-ahead log: read the rows again/,
    );
    await engine.refresh();
    expect(engine.sequence).toBe(6);
    expect(await seen(6)).toEqual([]);
    await rejection(changesOf(engine, 2), "CHANGES_LOST");
    await writer.close();
    expect(await seen(6)).toEqual([]);
  });

  it("keeps no more files open than it needs, and none after close", async () => {
    const path = join(temporaryFolder(), "db");
    await using writer = await newDatabase(path);
    const engine = await openFilesEngine(path);
    expect(await changesOf(engine, 0)).toEqual([]); // the log is open from now on
    for (let since = 0; since < 40; since++) {
      await writer.write([put("a", `${since}`)]);
      if (since % 3 === 0) await writer.flush();
      expect((await changesOf(engine, since)).length).toBe(1);
      expect(deletedLogsInUse(path)).toBeLessThanOrEqual(2);
    }
    await engine.refresh();
    await engine.close();
    expect(deletedLogsInUse(path)).toBe(0);
    expect(() => engine.changes(40)).toThrow(expect.objectContaining({ code: "CLOSED" }));
  });

  it("is for engines and files that can", async () => {
    const path = join(temporaryFolder(), "db");
    await using writer = await newDatabase(path);
    expect([writer.capabilities.changes, writer.changes]).toEqual([undefined, undefined]);
    await using picked = await openFiles(new MemoryFiles(contentsOf(fixture("core-0.11/node-a")), false));
    expect(picked.capabilities.changes).toBeUndefined();
    expect(() => picked.changes(0)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    await using engine = await openEngine(path);
    for (const wrong of [-1, 0.5, Number.NaN, "1", undefined])
      thrown(() => engine.changes?.(wrong as number), "INVALID_ARGUMENT");
  });

  it("tells when another database is in the place of the one that it follows", async () => {
    const path = join(temporaryFolder(), "db");
    await using writer = await newDatabase(path);
    await writer.write([put("a", "1")]);
    const files = new GrowingFiles(contentsOf(path));
    await using engine = await openFiles(files);
    expect(await changesOf(engine, 1)).toEqual([]);
    for (const name of logsOf(path)) files.remove(name);
    await rejection(changesOf(engine, 1), "CHANGES_LOST", "was replaced");
  });

  it("tells so before the first write to an older one, whose log has a higher number", async () => {
    const [path, other] = [join(temporaryFolder(), "db"), join(temporaryFolder(), "older")];
    {
      await using writer = await newDatabase(other);
      await writer.write([put("a", "1")]);
    }
    for (let opening = 0; opening < 3; opening++)
      await (await openRocksEngine(other, { writable: true })).close();
    await using writer = await newDatabase(path);
    for (const key of ["1", "2", "3"]) await writer.write([put("a", key)]);
    const files = new GrowingFiles(contentsOf(path));
    await using engine = await openFiles(files);
    expect(await changesOf(engine, 3)).toEqual([]);
    for (const name of contentsOf(path).keys()) files.remove(name);
    for (const [name, bytes] of contentsOf(other)) files.set(name, bytes);
    await rejection(changesOf(engine, 3), "CHANGES_LOST", "was replaced");
  });
});

describe("a log that is being written", () => {
  /** The log of a database with some batches; one is longer than a read. */
  async function written() {
    const path = join(temporaryFolder(), "db");
    await using writer = await newDatabase(path);
    await writer.write([put("a", "1"), put("b", "2")]);
    const start = contentsOf(path);
    for (let at = 0; at < 200; at++) await writer.write([put("a", `${at}`, "x".repeat((at * 37) % 900))]);
    await writer.write([put("b", "long", "y".repeat(300_000)), put("a", "3")]);
    await writer.write([put("b", "4")]);
    const [name] = logsOf(path) as [string];
    const rows = await rowsOf(writer);
    return { start, name, log: readFileSync(join(path, name)), rows };
  }

  it("shows each batch once, whole, wherever the file ends at the moment", async () => {
    const { start, name, log, rows } = await written();
    for (const step of [1, 7, 1000, 32_768, 100_000]) {
      const files = new GrowingFiles(start);
      await using engine = await openFiles(files);
      const found = await rowsOf(engine);
      let since = engine.sequence;
      const first = step < 1000 ? log.length - 400 * step : (start.get(name) as Uint8Array).length;
      for (let length = first; length < log.length + step; length += step) {
        files.set(name, log.subarray(0, Math.min(length, log.length)));
        for (const batch of await changesOf(engine, since)) {
          expect(batch.sequence).toBe(since + batch.operations.length);
          since = batch.sequence;
          apply(found, batch.operations);
        }
      }
      expect(since).toBe(205);
      expect(found).toEqual(rows);
    }
  });

  it("is not read again while nothing is added, nor from its beginning when something is", async () => {
    const { start, name, log } = await written();
    const files = new GrowingFiles(start);
    await using engine = await openFiles(files);
    files.set(name, log.subarray(0, log.length - 10));
    const since = (await changesOf(engine, engine.sequence)).at(-1)?.sequence as number;
    files.bytesRead = 0;
    for (let poll = 0; poll < 100; poll++) expect(await changesOf(engine, since)).toEqual([]);
    expect(files.bytesRead).toBe(0);
    files.set(name, log);
    expect(await changesOf(engine, since)).toHaveLength(1);
    expect(files.bytesRead).toBeLessThanOrEqual(2 * 32_768);
    await engine.close();
    expect(files.inUse).toBe(0);
  });

  it("may have space reserved after it", async () => {
    const { start, name, log } = await written();
    const files = new GrowingFiles(start);
    await using engine = await openFiles(files);
    let since = engine.sequence;
    let batches = 0;
    for (let length = 60; length < log.length + 5000; length += 5000) {
      const reserved = new Uint8Array(1_000_000);
      reserved.set(log.subarray(0, length));
      // A record whose beginning alone is there looks damaged for a moment.
      files.set(name, reserved);
      for (const batch of await changesOf(engine, since)) {
        expect(batch.sequence).toBe(since + batch.operations.length);
        since = batch.sequence;
        batches++;
      }
    }
    expect([since, batches]).toEqual([205, 202]);
  });

  it("may be a file that was used before, with old records after the new ones", async () => {
    const { start, name, log } = await written();
    const number = Number.parseInt(name, 10);
    const recycled = toRecyclable(log, number);
    const old = toRecyclable(log, number - 3);
    const files = new GrowingFiles(start);
    await using engine = await openFiles(files);
    let since = engine.sequence;
    let batches = 0;
    for (let length = 70; length < recycled.length + 3000; length += 3000) {
      const bytes = new Uint8Array(old.length + 50_000).fill(7);
      bytes.set(old, 20); // a place where no old record begins
      bytes.set(recycled.subarray(0, length));
      files.set(name, bytes);
      for (const batch of await changesOf(engine, since)) {
        since = batch.sequence;
        batches++;
      }
    }
    expect([since, batches]).toEqual([205, 202]);
  });

  it("is damaged when what is no record stays", async () => {
    const { start, name, log } = await written();
    const files = new GrowingFiles(start);
    await using engine = await openFiles(files);
    const bytes = log.slice();
    bytes[5000] = (bytes[5000] as number) ^ 1;
    files.set(name, bytes);
    const since = (await changesOf(engine, engine.sequence)).at(-1)?.sequence as number;
    expect(since).toBeLessThan(100);
    expect(await changesOf(engine, since)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 2100));
    await rejection(
      changesOf(engine, since),
      "DATABASE_DAMAGED",
      new RegExp(`${name} is damaged at byte \\d+: the checksum of a record is wrong`),
    );
  });

  it("holds nothing that only RocksDB could read", async () => {
    const { start, name, log } = await written();
    const [first] = readLog(log.subarray(0, 60)).records as [LogRecord];
    const merge = first.payload.slice();
    merge[0] = 3; // the sequence number
    merge[8] = 1;
    const batch = Uint8Array.of(...merge.subarray(0, 12), 2, 1, 65, 1, 66);
    const record = new Uint8Array(HEADER + batch.length);
    record.set([0, 0, 0, 0, batch.length, 0, 1]);
    record.set(batch, HEADER);
    new DataView(record.buffer).setUint32(0, maskCrc(crc32c(record, 6)), true);
    const files = new GrowingFiles(start);
    await using engine = await openFiles(files);
    files.set(name, Uint8Array.of(...(start.get(name) as Uint8Array), ...record));
    await rejection(changesOf(engine, 2), "FORMAT_UNSUPPORTED", "the log has a merge");
  });
});

describe("histories", () => {
  it.each(Array.from({ length: 15 }, (_, seed) => seed + 1))(
    "changes lead from one state to the next: history %i",
    async (seed) => {
      const random = new Random(seed);
      const path = join(temporaryFolder(), "db");
      const { database, keys, close } = await live(path, random);
      const { engine: writer } = database;
      await using engine = await openFilesEngine(path);
      let rows = await rowsOf(engine);
      let since = engine.sequence;
      let lost = 0;
      const middle: number[] = [];
      for (let step = 0; step < 20; step++) {
        const operations = Array.from({ length: 1 + random.below(30) }, () => {
          const [column, key] = [random.pick(["a", "b"]), random.pick(keys)];
          const kind = random.next();
          if (kind < 0.6)
            return { type: "put", column, key, value: random.bytes(random.below(500)) } as const;
          if (kind < 0.9) return { type: "delete", column, key } as const;
          return { type: "deleteRange", column, gte: key, lt: random.pick(keys) } as const;
        });
        await writer.write(operations);
        // The changes are always read after a flush, so that nothing is lost.
        const isFlushed = random.chance(0.2);
        if (isFlushed) await writer.flush();
        if (!isFlushed && random.chance(0.5)) continue;
        try {
          for (const batch of await changesOf(engine, since)) {
            expect(batch.sequence).toBeGreaterThan(since);
            since = batch.sequence;
            middle.push(since);
            apply(rows, batch.operations);
          }
        } catch (error) {
          // A full write buffer was flushed by itself, then all of them: a log came and went.
          if (!isMerostoreError(error, "CHANGES_LOST")) throw error;
          await engine.refresh();
          since = engine.sequence;
          rows = await rowsOf(engine);
          lost++;
        }
        expect(rows).toEqual(await rowsOf(writer));
      }
      expect(lost).toBeLessThan(4);
      // The rest is the same from any place in the last log.
      const all = (await changesOf(engine, random.pick([...middle, since])).catch(() => [])).map(textOf);
      if (all.length > 1) {
        const from = Number.parseInt(all[0] as string, 10);
        expect((await changesOf(engine, from)).map(textOf)).toEqual(all.slice(1));
      }
      await close();
    },
  );
});
