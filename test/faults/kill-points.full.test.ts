/**
 * Kills of a writer without RocksDB, one by one: after each change to a file, and within each write. Afterwards all
 * acknowledged batches are there completely, and the next writer goes on with them and is killed too.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Engine, WriteOperation } from "../../src/engines/index.js";
import { openEngine, openFilesEngine, openRocksEngine } from "../../src/engines/index.js";
import { temporaryFolder } from "../support/fixtures.js";
import { type Files, recordPoints, restoreFiles } from "./kill-points/recorder.js";

const FAMILIES = ["a", "b"];
const KEYS = 9;

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const keyOf = (index: number) => bytes(`row ${index % KEYS}`);

/** The changes of a batch: puts, deletions, and a range deletion in every fourth one. */
function batchOf(number: number): WriteOperation[] {
  const value = new Uint8Array((number * 977) % 3_000).fill(number);
  const operations = FAMILIES.flatMap((column): WriteOperation[] => [
    { type: "put", column, key: keyOf(number), value },
    { type: "delete", column, key: keyOf(number + 4) },
  ]);
  if (number % 4 === 0)
    operations.push({ type: "deleteRange", column: "b", gte: keyOf(2), lt: keyOf(number % KEYS) });
  return [...operations, { type: "put", column: "default", key: bytes("count"), value: bytes(`${number}`) }];
}

/** The rows after each number of batches, as text. */
const rowsAfter: readonly string[] = (() => {
  const rows = new Map<string, string>();
  const states = [""];
  for (let number = 1; number < 64; number++) {
    for (const operation of batchOf(number)) {
      const at = (key: Uint8Array) => `${operation.column} ${Buffer.from(key)}`;
      if (operation.type === "put") rows.set(at(operation.key), textOf(operation.value));
      else if (operation.type === "delete") rows.delete(at(operation.key));
      else
        for (const key of [...rows.keys()])
          if (key >= at(operation.gte) && key < at(operation.lt)) rows.delete(key);
    }
    states.push(
      [...rows]
        .map(([key, value]) => `${key}: ${value}`)
        .sort()
        .join("\n"),
    );
  }
  return states;
})();

function textOf(value: Uint8Array): string {
  return value.length > 4 ? `${value.length} of ${value[0]}` : Buffer.from(value).toString("latin1");
}

/** Counts the batches that an engine shows, and checks that it shows exactly these. */
async function shownBy(engine: Engine): Promise<number> {
  const rows: string[] = [];
  for (const column of engine.columns)
    for await (const { key, value } of engine.scan(column))
      rows.push(`${column} ${Buffer.from(key)}: ${textOf(value)}`);
  const count = await engine.get("default", bytes("count"));
  const number = count === undefined ? 0 : Number(Buffer.from(count).toString());
  expect(rows.sort().join("\n")).toBe(rowsAfter[number]);
  return number;
}

/** A moment of a kill. */
interface Point {
  readonly files: Files;
  /** The last acknowledged batch; undefined before the database was open. */
  readonly acknowledged: number | undefined;
  /** The last batch that was begun. */
  readonly begun: number;
}

type Life = Pick<Point, "acknowledged" | "begun">;

/** A life of a writer: it writes batches from a number on, flushes after some, and notes its progress. */
async function live(
  open: () => Promise<Engine>,
  first: number,
  steps: string,
  life: { -readonly [name in keyof Life]: Life[name] } = { acknowledged: undefined, begun: 0 },
): Promise<void> {
  life.begun = first - 1;
  const engine = await open();
  life.acknowledged = first - 1;
  for (const step of steps) {
    if (step === "f") await engine.flush();
    else {
      await engine.write(batchOf(++life.begun), { sync: step === "s" });
      life.acknowledged = life.begun;
    }
  }
  await engine.close();
}

/** Records a life of a writer and the moments in it at which a kill could come. */
async function recorded(
  open: () => Promise<Engine>,
  path: string,
  first: number,
  steps: string,
): Promise<Point[]> {
  const points: Point[] = [];
  const life = { acknowledged: undefined, begun: 0 };
  await recordPoints(
    path,
    () => live(open, first, steps, life),
    (files) => points.push({ files, ...life }),
  );
  return points;
}

async function shownAt(path: string): Promise<number> {
  await using reader = await openFilesEngine(path);
  return await shownBy(reader);
}

/** Checks that the files hold all acknowledged batches, and no batch that was not begun. Returns their number. */
async function checkPoint(path: string, { files, acknowledged, begun }: Point): Promise<number> {
  restoreFiles(path, files);
  const shown = await shownAt(path);
  expect(shown).toBeGreaterThanOrEqual(acknowledged ?? 0);
  expect(shown).toBeLessThanOrEqual(begun);
  return shown;
}

const openAgain = (path: string) => openFilesEngine(path, { writable: true, acceptLogLoss: "unfinished" });
const openNative = (path: string) => openRocksEngine(path, { writable: true, acceptLogLoss: true });

describe("A writer that is killed at any moment", () => {
  it("loses nothing that it acknowledged, nor does the next one, killed at any moment too", async () => {
    using folder = temporaryFolder();
    const [first, second, third] = ["1", "2", "3"].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    const create = () => openEngine(first, { create: true, columns: FAMILIES, engine: "files" });
    const points = await recorded(create, first, 1, "wswwfwwswfwww");
    points.push(...(await recorded(() => openAgain(first), first, 12, "wwfwf")));
    const created = points.filter(({ files }) => files.has("CURRENT"));
    const before = points.slice(0, -created.length);
    expect(before.length).toBeGreaterThan(20);
    for (const { files, acknowledged } of before) {
      expect(acknowledged).toBeUndefined();
      restoreFiles(second, files);
      await using engine = await openEngine(second, { create: true, columns: FAMILIES, engine: "files" });
      expect(await shownBy(engine)).toBe(0);
      expect(readdirSync(second).filter((name) => name.endsWith("tmp"))).toEqual([]);
    }
    let count = 0;
    for (const [at, point] of created.entries()) {
      count++;
      const shown = await checkPoint(second, point);
      if (at % 5 === 0) {
        await using rocks = await openNative(second);
        expect(await shownBy(rocks)).toBe(shown);
      }
      const steps = at % 2 === 0 ? "wfws" : "wwf";
      const goOn = () => openAgain(second);
      const later = await (at % 12 === 0
        ? recorded(goOn, second, shown + 1, steps)
        : live(goOn, shown + 1, steps));
      expect(await shownAt(second)).toBe(shown + (at % 2 === 0 ? 3 : 2));
      for (const [next, again] of (later ?? []).entries()) {
        count++;
        const left = await checkPoint(third, { ...again, acknowledged: again.acknowledged ?? shown });
        if (next % 16 !== 0) continue;
        await using engine = await (next % 32 === 0 ? openNative : openAgain)(third);
        expect(await shownBy(engine)).toBe(left);
        await engine.write(batchOf(left + 1));
        expect(await shownBy(engine)).toBe(left + 1);
      }
    }
    expect(count).toBeGreaterThan(1_000);
  });

  it("loses nothing while tables become a run", async () => {
    using folder = temporaryFolder();
    const [first, second] = [join(folder.path, "1"), join(folder.path, "2")];
    const create = () => openEngine(first, { create: true, columns: FAMILIES, engine: "files" });
    const points = await recorded(create, first, 1, "wwfwfwfwf");
    const later = await recorded(() => openAgain(first), first, 6, "wfwfwfwfwwf");
    // A writer removes tables that an earlier writer could not remove.
    const runs = later.filter(({ files }) => [...files.keys()].some((name) => name.endsWith(".sst")));
    expect(runs.length).toBeGreaterThan(200);
    for (const [at, point] of [...points.slice(-20), ...runs].entries()) {
      const shown = await checkPoint(second, point);
      if (at % 5 === 0) {
        await using rocks = await openNative(second);
        expect(await shownBy(rocks)).toBe(shown);
      }
      if (at % 3 !== 0) continue;
      await live(() => openAgain(second), shown + 1, "wfwfwfwfwf");
      expect(await shownAt(second)).toBe(shown + 5);
    }
  });
});
