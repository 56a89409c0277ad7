/** The rest of a log that a killed writer leaves is accepted as such; everything else that is damaged is not. */
import { copyFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Engine, openFilesEngine, openRocksEngine } from "../../src/engines/index.js";
import { openLevelEngine } from "../../src/engines/level/index.js";
import { readLog } from "../../src/lsm/format/log-records.js";
import { isTornWrite, isUnfinished } from "../../src/lsm/format/log-tail.js";
import { rejection } from "../support/rejection.js";
import { physical } from "./files/fuzz/logs.js";
import { plainLevel } from "./level/helpers.js";
import { countRows } from "./rocksdb/helpers.js";
import { cleanUpAfterEach, temporaryCopy, temporaryFolder } from "./temporary.js";

cleanUpAfterEach();

type Open = (path: string) => Promise<Engine>;
type Lossy = { readonly writable: true; readonly acceptLogLoss: true | "unfinished" };

const createLevel: Open = (path) => openLevelEngine(path, { create: true });

const engines = (
  [
    ["leveldb", createLevel, openLevelEngine],
    ["rocksdb's files", (path) => openFilesEngine(path, { create: true, columns: [] }), openFilesEngine],
    ["rocksdb", (path) => openRocksEngine(path, { create: true, columns: [] }), openRocksEngine],
  ] satisfies readonly [string, Open, (path: string, options: Lossy) => Promise<Engine>][]
).map(([name, create, open]): [string, create: Open, openAgain: Open, openToDamage: Open] => [
  name,
  create,
  (path) => open(path, { writable: true, acceptLogLoss: "unfinished" }),
  (path) => open(path, { writable: true, acceptLogLoss: true }),
]);

/** Holds the lock of a database as another process does, without the knowledge of the files engine. */
async function lockedElsewhere(path: string): Promise<AsyncDisposable> {
  if (existsSync(join(path, "IDENTITY"))) {
    const engine = await openRocksEngine(path, { writable: true });
    return { [Symbol.asyncDispose]: () => engine.close() };
  }
  const level = plainLevel(path);
  await level.open();
  return { [Symbol.asyncDispose]: () => level.close() };
}

async function rowsShown(path: string): Promise<number> {
  await using reading = await openFilesEngine(path, { acceptLogLoss: true });
  return await countRows(reading);
}

const BATCHES = 20;

/** 20 batches in the log, the last one over several blocks. */
async function killed(create: (path: string) => Promise<Engine>): Promise<{ path: string; log: string }> {
  const path = join(temporaryFolder(), "db");
  const engine = await create(path);
  for (let at = 1; at <= BATCHES; at++) {
    const value = new Uint8Array(at === BATCHES ? 100_000 : 100).fill(at);
    await engine.write([{ type: "put", column: "default", key: Uint8Array.of(at), value }]);
  }
  const copy = temporaryCopy(path);
  await engine.close();
  const log = readdirSync(copy).find((name) => /^\d+\.log$/.test(name) && sizeOf(copy, name) > 0);
  return { path: copy, log: join(copy, log as string) };
}

/** Expects all batches but the last with one warning, and the same rows without one later. */
async function expectWithoutLast(path: string, open: Open, says = ""): Promise<void> {
  for (const warnings of [[{ message: expect.stringContaining(says) }], []]) {
    await using engine = await open(path);
    expect(engine.warnings).toMatchObject(warnings);
    expect(await countRows(engine)).toBe(BATCHES - 1);
  }
}

/** A whole record of this many bytes. */
const recordOf = (size: number) => physical(1, new Uint8Array(size - 7).fill(3));

function sizeOf(path: string, name: string): number {
  return readFileSync(join(path, name)).length;
}

function change(file: string, edit: (content: Buffer) => void): void {
  const content = readFileSync(file);
  edit(content);
  writeFileSync(file, content);
}

describe.each(engines)("a log of %s", (_name, create, openAgain, openToDamage) => {
  it.each([1, 8, 5000, 40_000, 100_000])(
    "is opened when %i bytes of its last batch are missing",
    async (cut) => {
      const { path, log } = await killed(create);
      truncateSync(log, readFileSync(log).length - cut);
      await expectWithoutLast(path, openAgain, `${log} is truncated at byte`);
    },
  );

  it.each([
    ["a sector in the middle", (size: number) => [size - (size % 512) - 40_960, 512]],
    ["the sector with the beginning of its second part", () => [32_768, 512]],
    ["all that is in the last sector", (size: number) => [size - (size % 512), size % 512]],
    ["all but the first sectors", (size: number) => [8192, size - 8192]],
  ])("is opened when the disk lacks of its last batch %s", async (_what, holeIn) => {
    const { path, log } = await killed(create);
    change(log, (content) => {
      const [start, length] = holeIn(content.length) as [number, number];
      content.fill(0, start, start + length);
    });
    await expectWithoutLast(path, openAgain);
  });

  it("is opened when a sector of its last batch has only the first piece that was written", async () => {
    const { path, log } = await killed(create);
    const start = readLog(readFileSync(log)).records[BATCHES - 1]?.offset as number;
    const piece = start + 8192;
    change(log, (content) => content.fill(0, piece, piece - (piece % 512) + 512));
    await expectWithoutLast(path, openAgain);
  });

  it("is opened when the MANIFEST lacks the first of two records that were not synced", async () => {
    const { path } = await killed(create);
    const { manifest, whole } = loseSector(path);
    const start = whole.length;
    expect(start % 512).toBeGreaterThan(0);
    const next = start - (start % 512) + 1024;
    const unsynced = Buffer.concat([recordOf(next - start), recordOf(20)]);
    unsynced.fill(0, 0, 512 - (start % 512));
    writeFileSync(manifest, Buffer.concat([whole, unsynced]));
    await using engine = await openAgain(path);
    expect(await countRows(engine)).toBe(BATCHES);
  });

  /** Appends a record of 2,000 bytes that lacks a sector to the MANIFEST of a folder. */
  function loseSector(path: string): { manifest: string; whole: Buffer; damaged: Buffer } {
    const manifest = join(path, readdirSync(path).find((name) => name.startsWith("MANIFEST-")) as string);
    const whole = readFileSync(manifest);
    const damaged = Buffer.concat([whole, recordOf(2007)]);
    const end = damaged.length - (damaged.length % 512);
    damaged.fill(0, end - 512, end);
    writeFileSync(manifest, damaged);
    return { manifest, whole, damaged };
  }

  it.each([3, 9, 1000, 2006])("is opened when the MANIFEST ends with %i bytes of a record", async (size) => {
    const { path } = await killed(create);
    const { manifest, whole } = loseSector(path);
    writeFileSync(manifest, Buffer.concat([whole, recordOf(2007).subarray(0, size)]));
    if (existsSync(join(path, "IDENTITY"))) {
      await using reader = await openFilesEngine(path);
      expect(await countRows(reader)).toBe(BATCHES);
    }
    const engine = await openAgain(path);
    expect(await countRows(engine)).toBe(BATCHES);
    await engine.close();
    await using again = await openAgain(path);
    expect(await countRows(again)).toBe(BATCHES);
  });

  it("is opened when the end of the MANIFEST never reached the disk, and that is cut off", async () => {
    const { path } = await killed(create);
    const { manifest } = loseSector(path);
    const engine = await openAgain(path);
    expect(engine.warnings).toEqual([
      {
        code: "MANIFEST_CUT",
        message: `the last 2007 bytes of ${manifest} never reached the disk, as after a power failure: they were removed`,
      },
    ]);
    expect(await countRows(engine)).toBe(BATCHES);
    await engine.close();
    await using again = await openAgain(path);
    expect(again.warnings).toEqual([]);
  });

  it("is opened when the end of the MANIFEST and that of the log never reached the disk", async () => {
    const { path, log } = await killed(create);
    const { manifest } = loseSector(path);
    truncateSync(log, readFileSync(log).length - 5000);
    await using engine = await openAgain(path);
    expect(engine.warnings).toHaveLength(2);
    expect(engine.warnings[0]?.message).toContain(`${log} is truncated at byte`);
    expect(engine.warnings[1]?.message).toContain(
      `the last 2007 bytes of ${manifest} never reached the disk`,
    );
    expect(await countRows(engine)).toBe(BATCHES - 1);
  });

  it("does not change a MANIFEST while the loss of a log is not accepted", async () => {
    const { path, log } = await killed(create);
    const { manifest, damaged } = loseSector(path);
    change(log, (content) => content.writeUInt8(content.readUInt8(700) ^ 1, 700));
    await rejection(openAgain(path), "LOG_DAMAGED");
    expect(readFileSync(manifest).equals(damaged)).toBe(true);
  });

  it("does not change the MANIFEST of a database that another one has open", async () => {
    const { path } = await killed(create);
    const { manifest, whole, damaged } = loseSector(path);
    writeFileSync(manifest, whole);
    await using _writer = await lockedElsewhere(path);
    const opened = join(path, readFileSync(join(path, "CURRENT"), "latin1").trim());
    const current = Buffer.concat([readFileSync(opened), damaged.subarray(whole.length)]);
    const end = current.length - (current.length % 512);
    writeFileSync(opened, current.fill(0, end - 512, end));
    await rejection(openAgain(path), "DATABASE_LOCKED");
    expect(readFileSync(opened).equals(current)).toBe(true);
  });

  it.each(["the same block", "the next block"])(
    "is damaged when a whole record is behind a lost sector of the MANIFEST, in %s",
    async (block) => {
      const { path } = await killed(create);
      const { manifest, damaged } = loseSector(path);
      const at = block === "the same block" ? damaged.length : 32_768;
      const all = Buffer.concat([damaged, Buffer.alloc(at - damaged.length), recordOf(20)]);
      writeFileSync(manifest, all);
      await rejection(openAgain(path), "DATABASE_DAMAGED", manifest);
      expect(readFileSync(manifest).equals(all)).toBe(true);
    },
  );

  const damages: [string, (log: string) => void][] = [
    [
      "zeros in the last batch that are not a sector",
      (log) => change(log, (content) => content.fill(0, 40_000, 40_500)),
    ],
    [
      "a bit of a batch changed",
      (log) => change(log, (content) => content.writeUInt8(content.readUInt8(700) ^ 1, 700)),
    ],
    [
      "a length that makes the rest of the log one batch",
      (log) => {
        truncateSync(log, readLog(readFileSync(log)).records[BATCHES - 1]?.offset);
        const { offset } = readLog(readFileSync(log)).records[5] as { offset: number };
        change(log, (content) => content.writeUInt16LE(30_000, offset + 4));
        expect(readLog(readFileSync(log)).end.kind).toBe("torn");
      },
    ],
    [
      "a cut in a log that another follows",
      (log) => {
        copyFileSync(log, join(log, "../000099.log"));
        truncateSync(log, readFileSync(log).length - 30);
      },
    ],
  ];

  it.each(damages)("loses the records behind damage if that is accepted: %s", async (_what, damage) => {
    const { path, log } = await killed(create);
    damage(log);
    const shown = existsSync(join(path, "IDENTITY")) ? await rowsShown(path) : undefined;
    const engine = await openToDamage(path);
    expect(engine.warnings.map(({ code }) => code)).toEqual(["LOG_DAMAGED"]);
    const rows = await countRows(engine);
    if (shown !== undefined) expect([rows, rows < BATCHES]).toEqual([shown, true]);
    await engine.write([
      { type: "put", column: "default", key: Uint8Array.of(BATCHES + 1), value: Uint8Array.of(1) },
    ]);
    await engine.close();
    await using again = await openAgain(path);
    expect(again.warnings).toEqual([]);
    expect(await countRows(again)).toBe(rows + 1);
  });

  it.each(damages)("is not opened and does not change: %s", async (_what, damage) => {
    const { path, log } = await killed(create);
    damage(log);
    const before = readFileSync(log);
    await rejection(openAgain(path), "LOG_DAMAGED", log);
    expect(readFileSync(log).equals(before)).toBe(true);
  });
});

describe("the end of a log", () => {
  /** A record up to `offset`, then another one. */
  function recordAt(offset: number): Uint8Array {
    const bytes = Buffer.concat([recordOf(offset), recordOf(107)]);
    expect(readLog(bytes).records).toHaveLength(2);
    return bytes;
  }

  it.each([509, 510, 511, 1021, 1023])(
    "shows a power failure if the beginning of a record at %i is zeros",
    (offset) => {
      const bytes = recordAt(offset);
      bytes.fill(0, offset, offset - (offset % 512) + 512);
      expect(readLog(bytes).end).toMatchObject({ kind: "damaged", offset });
      expect(isUnfinished(bytes, readLog(bytes).end)).toBe(true);
      (bytes as Buffer)[bytes.length - 1] = 1; // a second fault
      expect(isUnfinished(bytes, readLog(bytes).end)).toBe(false);
    },
  );

  it("shows an unfinished write if it is truncated anywhere within its last record", async () => {
    const { log } = await killed(createLevel);
    const content = readFileSync(log);
    const last = readLog(content).records.at(-1)?.offset as number;
    const cuts = [1, 3, 6, 7, 8, 50, 30_000, 30_300, 32_768, 65_536, 65_537, 65_540, 65_543];
    for (const cut of cuts) {
      const { end } = readLog(content.subarray(0, last + cut));
      expect(end).toMatchObject({ kind: "torn", offset: last });
      expect(isTornWrite(content.subarray(0, last + cut), last), `cut after ${cut} bytes`).toBe(true);
    }
  });
});
