/** Writes with `sync`: which files are synced, at which moments, and what a failure does. */
import fs, { readdirSync, readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Engine, WriteOperation } from "../../src/engine/engine.js";
import { openRocksEngine } from "../../src/engines/index.js";
import { openLevelEngine } from "../../src/engines/level/index.js";
import { logsOf } from "../support/files.js";
import { rejection } from "../support/rejection.js";
import { cleanUpAfterEach, temporaryFolder } from "./temporary.js";

cleanUpAfterEach();
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const engines = {
  rocksdb: {
    create: (path: string) => openRocksEngine(path, { create: true, columns: ["a", "b"] }),
    open: (path: string) => openRocksEngine(path, { writable: true }),
    columns: ["a", "b"],
  },
  leveldb: {
    create: (path: string) => openLevelEngine(path, { create: true }),
    open: (path: string) => openLevelEngine(path, { writable: true }),
    columns: ["default", "default"],
  },
};

function put(column: string, number: number, size = 4): WriteOperation {
  return { type: "put", column, key: Uint8Array.of(number), value: new Uint8Array(size).fill(number) };
}

/** Notes the syncs of files: the name of the log, and its size at the call. */
function watchSyncs(path: string, fail?: () => Error | null): { log: string; size: number }[] {
  const syncs: { log: string; size: number }[] = [];
  const name = process.platform === "linux" ? "fdatasync" : "fsync";
  vi.spyOn(fs, name).mockImplementation((descriptor, done) => {
    const { ino, size } = fs.fstatSync(descriptor);
    const log = readdirSync(path).find((file) => fs.statSync(join(path, file)).ino === ino) as string;
    const error = fail?.() ?? null;
    if (error === null) syncs.push({ log, size });
    setTimeout(() => done(error as never), 1);
  });
  syncBuiltinESMExports();
  return syncs;
}

const logs = (path: string) =>
  logsOf(path).map((log) => ({ log, size: readFileSync(join(path, log)).length }));

for (const [name, { create, open, columns }] of Object.entries(engines)) {
  const [a, b] = columns as [string, string];
  describe(`synced writes of ${name}`, () => {
    async function fresh(): Promise<{ engine: Engine; path: string }> {
      const path = join(temporaryFolder(), "db");
      return { engine: await create(path), path };
    }

    it("are declared, and leave the log synced to its end", async () => {
      const { engine, path } = await fresh();
      const syncs = watchSyncs(path);
      expect(engine.capabilities.syncedWrites).toBe(true);
      await engine.write([put(a, 1)]);
      expect(syncs).toEqual([]);
      await engine.write([put(a, 2)], { sync: true });
      expect(syncs).toEqual(logs(path));
      await engine.close();
      expect(syncs).toHaveLength(1); // nothing is left for close
    });

    it("sync what was written before without it when the engine is closed", async () => {
      const { engine, path } = await fresh();
      const syncs = watchSyncs(path);
      await engine.write([put(a, 1)]);
      await engine.close();
      expect(syncs).toEqual(logs(path));
      expect(syncs).toHaveLength(1);
    });

    it("of callers that wait at the same time share a sync", async () => {
      const { engine, path } = await fresh();
      const syncs = watchSyncs(path);
      await Promise.all(Array.from({ length: 64 }, (_, at) => engine.write([put(a, at)], { sync: true })));
      expect(syncs.length).toBeLessThan(64);
      expect(syncs.at(-1)).toEqual(logs(path).at(-1));
      await engine.close();
    });

    it("settle only after a sync that covers them", async () => {
      const { engine, path } = await fresh();
      const syncs = watchSyncs(path);
      const sizes: [number, number][] = [];
      for (let round = 0; round < 8; round++) {
        await Promise.all(
          Array.from({ length: 8 }, async (_, at) => {
            await engine.write([put(a, at)], { sync: true });
            const size = syncs.at(-1)?.size as number;
            sizes.push([sizes.length + 1, size]);
          }),
        );
        expect(syncs.at(-1)?.size).toBe(logs(path).at(-1)?.size);
      }
      // Each batch is one record of the same size: at least the records of settled batches are synced.
      const record = (logs(path).at(-1)?.size as number) / 64;
      for (const [settled, size] of sizes) expect(size).toBeGreaterThanOrEqual(settled * record);
      await engine.close();
    });

    it("go on with writes without it after a failed sync, and are refused", async () => {
      const { engine, path } = await fresh();
      let broken = true;
      watchSyncs(path, () =>
        broken ? Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" }) : null,
      );
      await engine.write([put(b, 9)]);
      await rejection(
        engine.write([put(a, 1)], { sync: true }),
        "ENGINE_FAILED",
        /the rows were written, .*\d\.log cannot be synced: EIO/,
      );
      broken = false;
      await rejection(
        engine.write([put(a, 2)], { sync: true }),
        "ENGINE_FAILED",
        /^the batch was not written, because an earlier sync failed: .*cannot be synced: EIO.*\. Check the disk, then close the database and open it again$/,
      );
      await engine.write([put(a, 3)]);
      await engine.close();
      await using again = await open(path);
      const found = await again.getMany(a, [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)]);
      expect(found).toEqual([new Uint8Array(4).fill(1), undefined, new Uint8Array(4).fill(3)]);
      await again.write([put(a, 2)], { sync: true });
    });

    it("of a lone caller are shown although the sync failed, and writes without it go on", async () => {
      const { engine, path } = await fresh();
      watchSyncs(path, () => new Error("EIO: i/o error, fdatasync"));
      await rejection(
        engine.write([put(a, 1)], { sync: true }),
        "ENGINE_FAILED",
        /^the rows were written, and it is not known whether they are on disk: /,
      );
      expect(await engine.get(a, Uint8Array.of(1))).toEqual(new Uint8Array(4).fill(1));
      await engine.write([put(a, 2)]);
      await engine.close();
    });

    it.each(["readdirSync", "openSync", "fstatSync"] as const)(
      "are written although %s fails before the sync, and the next one syncs them",
      async (call) => {
        const { engine, path } = await fresh();
        const syncs = watchSyncs(path);
        const works = fs[call] as (...words: unknown[]) => unknown;
        const failing = vi.spyOn(fs, call).mockImplementation(((...words: unknown[]) => {
          if (new Error().stack?.includes("log-sync") !== true) return works(...words);
          throw new Error("EMFILE: too many open files");
        }) as never);
        syncBuiltinESMExports();
        await rejection(
          engine.write([put(a, 1)], { sync: true }),
          "ENGINE_FAILED",
          /^the rows were written, and it is not known whether they are on disk: .*EMFILE.*\. The next synced write syncs them too$/,
        );
        expect(syncs).toEqual([]);
        failing.mockRestore();
        syncBuiltinESMExports();
        await engine.write([put(a, 2)], { sync: true });
        expect(await engine.get(a, Uint8Array.of(1))).toEqual(new Uint8Array(4).fill(1));
        expect(syncs).toEqual(logs(path));
        await engine.close();
      },
    );

    it("write all rows into tables when a log cannot be synced at closing", async () => {
      const { engine, path } = await fresh();
      watchSyncs(path, () => new Error("EIO: i/o error, fdatasync"));
      await engine.write([put(a, 1), put(b, 2)]);
      await engine.close();
      expect(readdirSync(path).some((file) => /\.(sst|ldb)$/.test(file))).toBe(true);
      expect(logs(path).map(({ size }) => size)).toEqual([0]);
    });
  });
}

describe("synced writes of rocksdb", () => {
  it("sync an older log that another column family keeps, before the newer one", async () => {
    const path = join(temporaryFolder(), "db");
    await using engine = await openRocksEngine(path, { create: true, columns: ["a", "b"] });
    await engine.write([put("a", 1)]);
    // RocksDB begins a new log when the memtable of a family is full: 64 MiB.
    for (let at = 0; at < 68; at++) await engine.write([put("b", at, 1 << 20)]);
    const before = logs(path);
    expect(before).toHaveLength(2);
    const syncs = watchSyncs(path);
    await engine.write([put("b", 99)], { sync: true });
    expect(syncs.map(({ log }) => log)).toEqual(before.map(({ log }) => log));
    expect(syncs[0]).toEqual(before[0]);
  }, 60_000);
});
