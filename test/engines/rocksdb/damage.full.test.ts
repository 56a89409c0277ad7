import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Engine, openRocksEngine } from "../../../src/engines/index.js";
import { isMerostoreError } from "../../../src/errors.js";
import { readLog } from "../../../src/lsm/format/log-records.js";
import { flipBit, logsOf, manifestOf, tablesOf } from "../../support/files.js";
import { rejection } from "../../support/rejection.js";
import {
  cleanUpAfterEach,
  fixture,
  plainFixtureNames,
  temporaryCopy,
  temporaryFolder,
} from "../temporary.js";
import { bytes, countRows } from "./helpers.js";

cleanUpAfterEach();

/** The newest write-ahead log that has records. */
function logOf(path: string): string {
  const last = logsOf(path).findLast((name) => readFileSync(join(path, name)).length > 0);
  return join(path, last as string);
}

async function rowsAt(path: string): Promise<{ rows: number; warnings: Engine["warnings"] }> {
  await using engine = await openRocksEngine(path);
  return { rows: await countRows(engine), warnings: engine.warnings };
}

/** A database with a log, a flushed part and two column families; closed. */
async function makeDatabase(): Promise<string> {
  const path = join(temporaryFolder(), "db");
  const engine = await openRocksEngine(path, { create: true, columns: ["a", "b"] });
  for (const column of ["a", "b"]) await fill(engine, column, 0, 200);
  await engine.flush();
  await fill(engine, "a", 200, 300);
  await engine.close();
  return path;
}

async function fill(engine: Engine, column: string, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at++) {
    const key = bytes(at >> 8, at & 0xff);
    await engine.write([{ type: "put", column, key, value: new Uint8Array(100).fill(at) }]);
  }
}

describe("a truncated MANIFEST", () => {
  it.each(plainFixtureNames())("never means fewer rows: %s", async (name) => {
    const path = temporaryCopy(fixture(name));
    const whole = (await rowsAt(path)).rows;
    const manifest = manifestOf(path);
    const content = readFileSync(manifest);
    const { records, end } = readLog(content);
    expect(end.kind).toBe("whole");
    const starts = records.map(({ offset }) => offset);
    const step = Math.ceil(starts.length / 30); // at most 30 of its records, and the last 10
    const some = starts.filter((_, at) => at % step === 0 || at >= starts.length - 10);
    const inRecords = starts.filter((_, at) => at % 20 === 0).flatMap((start) => [start + 3, start + 9]);
    for (const cut of [...some, ...inRecords, content.length - 1]) {
      writeFileSync(manifest, content.subarray(0, cut));
      const found = await rowsAt(path).catch((error: unknown) => {
        if (!isMerostoreError(error, "DATABASE_DAMAGED") && !isMerostoreError(error, "LOG_MISSING"))
          throw error;
        return error;
      });
      if (found instanceof Error) expect(found.message).toMatch(/copy/i);
      else expect(found.rows, `cut at ${cut} of ${content.length}`).toBe(whole);
    }
  });

  it("is named, with the remedy, and opening for writing is refused too", async () => {
    const path = temporaryCopy(fixture("core-0.10/tables"));
    const manifest = manifestOf(path);
    truncateSync(manifest, readFileSync(manifest).length - 5);
    for (const writable of [false, true]) {
      const error = await rejection(
        openRocksEngine(path, { writable }),
        "DATABASE_DAMAGED",
        basename(manifest),
      );
      expect(error.message).toMatch(/is truncated.*(?:Restore|restore)/);
    }
  });

  it("is detected by the tables that it no longer names", async () => {
    const path = temporaryCopy(fixture("documented/tables"));
    const manifest = manifestOf(path);
    const content = readFileSync(manifest);
    writeFileSync(manifest, content.subarray(0, readLog(content).records.at(-2)?.offset));
    await rejection(
      openRocksEngine(path),
      "DATABASE_DAMAGED",
      /MANIFEST-\d+ is truncated: it does not name the table file \d+\.sst/,
    );
  });

  it("is detected by the column families that the OPTIONS file lists", async () => {
    const path = join(temporaryFolder(), "db");
    await (await openRocksEngine(path, { create: true, columns: ["a", "b"] })).close();
    const manifest = manifestOf(path);
    const content = readFileSync(manifest);
    const { records } = readLog(content);
    writeFileSync(manifest, content.subarray(0, records.at(-2)?.offset));
    await rejection(
      openRocksEngine(path, { writable: true }),
      "DATABASE_DAMAGED",
      /does not mention the column families a, b, which OPTIONS-\d+ lists/,
    );
  });
});

describe("other damage to the files that describe the database", () => {
  it("is named: a flipped bit in the MANIFEST", async () => {
    const path = temporaryCopy(fixture("core-0.10/tables"));
    const manifest = manifestOf(path);
    flipBit(manifest, 3000);
    await rejection(
      openRocksEngine(path),
      "DATABASE_DAMAGED",
      new RegExp(`${manifest} is damaged at byte \\d+: the checksum`),
    );
  });

  it("is named: a missing MANIFEST, an empty one, a CURRENT that names none", async () => {
    const path = temporaryCopy(fixture("core-0.10/tables"));
    const manifest = manifestOf(path);
    const expectNamed = (name: string) =>
      rejection(openRocksEngine(path, { writable: true }), "DATABASE_DAMAGED", name);
    writeFileSync(manifest, "");
    await expectNamed(manifest);
    renameSync(manifest, `${manifest}.old`);
    await expectNamed(manifest);
    for (const content of ["", "MANIFEST-000001", "../elsewhere\n"]) {
      writeFileSync(join(path, "CURRENT"), content);
      await expectNamed("CURRENT");
    }
  });

  it("is named: a table file that is missing or has another size", async () => {
    const path = temporaryCopy(fixture("core-0.10/tables"));
    const table = join(path, "000011.sst");
    truncateSync(table, 10_000);
    let error = await rejection(openRocksEngine(path), "DATABASE_DAMAGED");
    expect(error.message).toMatch(/000011\.sst with rows of \w+ has 10000 bytes and should have 27737/);
    rmSync(table);
    error = await rejection(openRocksEngine(path), "DATABASE_DAMAGED");
    expect(error.message).toMatch(/000011\.sst with rows of \w+ is missing/);
  });
});

describe("a damaged table file", () => {
  it("is named with the place when its rows are read; other rows are read, and closing works", async () => {
    const path = await makeDatabase();
    const table = join(path, tablesOf(path)[0] as string);
    flipBit(table, 1000);
    for (const writable of [false, true]) {
      await using engine = await openRocksEngine(path, { writable });
      const outcomes = new Set<string>();
      for (const column of ["a", "b"]) {
        const get = await engine.get(column, bytes(0, 9)).then(
          () => undefined,
          (error: unknown) => error,
        );
        const readings = [
          async () => (await engine.scan(column).toArray()).length,
          () => engine.getMany(column, [bytes(0, 9), bytes(0, 10)]).then(() => 1),
        ];
        for (const reading of readings) {
          const found = await reading().catch((error: unknown) => error);
          outcomes.add(typeof found);
          expect(typeof found === "number").toBe(get === undefined);
          if (typeof found === "number") continue;
          expect(isMerostoreError(found, "DATABASE_DAMAGED")).toBe(true);
          expect((found as Error).message).toContain(`${table} at byte `);
          expect((found as Error).message).toContain(`reading ${column}`);
        }
      }
      expect([...outcomes].sort()).toEqual(["number", "object"]);
    }
  });
});

describe("a truncated or damaged write-ahead log", () => {
  const damages: [string, (log: string) => void][] = [
    ["truncated", (log) => truncateSync(log, readFileSync(log).length - 30)],
    ["damaged", (log) => flipBit(log, readFileSync(log).length >> 1)],
    ["damaged or truncated", (log) => appendFileSync(log, bytes(1, 2, 3))],
  ];

  it.each(damages)("is reported, and not opened for writing: %s", async (kind, damage) => {
    for (const make of [async () => temporaryCopy(fixture("documented/log-and-tables")), killedDatabase]) {
      const path = await make();
      const whole = (await rowsAt(path)).rows;
      const log = logOf(path);
      damage(log);
      const files = readdirSync(path).filter((name) => !name.startsWith("LOG"));

      const refused = await rejection(openRocksEngine(path, { writable: true }), "LOG_DAMAGED", log);
      expect(refused.message).toMatch(/at byte \d+ of \d+.*acceptLogLoss/);
      expect(readdirSync(path).filter((name) => !name.startsWith("LOG"))).toEqual(files);

      const { rows, warnings } = await rowsAt(path);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]?.code).toBe("LOG_DAMAGED");
      expect(warnings[0]?.message).toMatch(
        new RegExp(`${log} is (${kind.replace(" or ", "|")}) at byte \\d+ of \\d+`),
      );
      expect(rows <= whole).toBe(true);

      const engine = await openRocksEngine(path, { writable: true, acceptLogLoss: true });
      expect(engine.warnings).toEqual(warnings);
      expect(await countRows(engine)).toBe(rows);
      await engine.close();
      expect(await rowsAt(path)).toEqual({ rows, warnings: [] }); // the rest is gone for good
    }
  });

  it("is not detected if it was truncated between two records", async () => {
    const path = await killedDatabase();
    const log = logOf(path);
    const content = readFileSync(log);
    writeFileSync(log, content.subarray(0, readLog(content).records.at(-1)?.offset));
    expect(await rowsAt(path)).toEqual({ rows: 99, warnings: [] });
  });
});

/** The database of a killed writer: a copy of the files of an open database. 100 rows are in the log. */
async function killedDatabase(): Promise<string> {
  const path = join(temporaryFolder(), "db");
  const engine = await openRocksEngine(path, { create: true, columns: ["a"] });
  await fill(engine, "a", 0, 100);
  const copy = temporaryCopy(path);
  await engine.close();
  return copy;
}
