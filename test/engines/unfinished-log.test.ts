/** What a killed writer leaves at the end of a log is accepted as that; everything else that is damaged is not. */
import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Engine, openRocksEngine } from "../../src/engines/index.js";
import { openLevelEngine } from "../../src/engines/level/index.js";
import { readLog } from "../../src/lsm/format/log-records.js";
import { isTornWrite } from "../../src/lsm/format/log-tail.js";
import { countRows, rejection } from "./rocksdb/helpers.js";
import { cleanUpAfterEach, temporaryCopy, temporaryFolder } from "./temporary.js";

cleanUpAfterEach();

const engines: [string, (path: string) => Promise<Engine>, (path: string) => Promise<Engine>][] = [
  [
    "leveldb",
    (path) => openLevelEngine(path, { create: true }),
    (path) => openLevelEngine(path, { writable: true, acceptLogLoss: "unfinished" }),
  ],
  [
    "rocksdb",
    (path) => openRocksEngine(path, { create: { columns: [] } }),
    (path) => openRocksEngine(path, { writable: true, acceptLogLoss: "unfinished" }),
  ],
];

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

function sizeOf(path: string, name: string): number {
  return readFileSync(join(path, name)).length;
}

function change(file: string, edit: (content: Buffer) => void): void {
  const content = readFileSync(file);
  edit(content);
  writeFileSync(file, content);
}

describe.each(engines)("a log of %s", (_name, create, openAgain) => {
  it.each([1, 8, 5000, 40_000, 100_000])(
    "is opened when %i bytes of its last batch are missing",
    async (cut) => {
      const { path, log } = await killed(create);
      truncateSync(log, readFileSync(log).length - cut);
      const engine = await openAgain(path);
      expect(engine.warnings).toHaveLength(1);
      expect(engine.warnings[0]).toContain(`${log} is truncated at byte`);
      expect(await countRows(engine)).toBe(BATCHES - 1);
      await engine.close();
      const again = await openAgain(path);
      expect(again.warnings).toEqual([]);
      expect(await countRows(again)).toBe(BATCHES - 1);
      await again.close();
    },
  );

  const damages: [string, (log: string) => void][] = [
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

  it.each(damages)("is not opened and does not change: %s", async (_what, damage) => {
    const { path, log } = await killed(create);
    damage(log);
    const before = readFileSync(log);
    const error = await rejection(openAgain(path), "LOG_DAMAGED");
    expect(error.message).toContain(log);
    expect(readFileSync(log).equals(before)).toBe(true);
  });
});

describe("the end of a log", () => {
  it("is that of an unfinished write if it is truncated anywhere within its last record", async () => {
    const { log } = await killed((path) => openLevelEngine(path, { create: true }));
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
