import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type EngineReader, openFilesEngine, type RawRow } from "../../../src/engine/index.js";
import { removeTemporary, temporaryFolder } from "../temporary.js";
import { COUNT, FAMILIES, rowsAfter } from "./batches.mjs";

const OPENINGS = 1000;

let path: string;
let writer: ChildProcessByStdio<Writable, Readable, Readable>;
/** The number of the last batch that the writer said it had written. */
let acknowledged = 0;
let complaints = "";

beforeAll(async () => {
  path = join(temporaryFolder(), "db");
  writer = spawn(process.execPath, [join(import.meta.dirname, "writer.mjs"), path], { stdio: "pipe" });
  writer.stdout.setEncoding("utf8").on("data", (lines: string) => {
    acknowledged = Number(lines.trimEnd().split("\n").at(-1));
  });
  writer.stderr.setEncoding("utf8").on("data", (said: string) => {
    complaints += said;
  });
  await until(() => acknowledged > 200);
});

afterAll(async () => {
  const ended = once(writer, "exit");
  writer.stdin.end();
  await ended;
  removeTemporary();
});

afterEach(() => {
  expect(complaints).toBe("");
  expect(writer.exitCode).toBeNull();
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    if (writer.exitCode !== null) throw new Error(`the writer ended: ${complaints}`);
    await sleep(2);
  }
}

async function rowsOf(reader: EngineReader, column: string): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  for await (const chunk of reader.scan(column).chunks()) rows.push(...chunk);
  return rows;
}

/** The number of batches that a reader shows, after checking that it shows exactly these. */
async function batchesIn(reader: EngineReader): Promise<number> {
  const count = await reader.get(FAMILIES[0] as string, COUNT);
  const number = count === undefined ? 0 : Buffer.from(count).readUInt32BE();
  for (const column of FAMILIES) {
    const hex = ({ key, value }: RawRow) =>
      `${Buffer.from(key)} ${Buffer.from(value).toString("hex", 0, 8)} ${value.length}`;
    expect((await rowsOf(reader, column)).map(hex), `${column} after batch ${number}`).toEqual(
      rowsAfter(number, column).map(hex),
    );
  }
  return number;
}

function tables(): string[] {
  return readdirSync(path).filter((name) => name.endsWith(".sst"));
}

describe("beside a writer that flushes and compacts", () => {
  it(`${OPENINGS} openings each show a prefix of its batches, all acknowledged ones at least`, {
    timeout: 300_000,
  }, async () => {
    let before = 0;
    const seen = new Set<string>();
    for (let opening = 0; opening < OPENINGS; opening++) {
      await new Promise(setImmediate); // the writer's numbers come in
      const least = acknowledged;
      await using engine = await openFilesEngine(path);
      const number = await batchesIn(engine);
      expect(number).toBeGreaterThanOrEqual(Math.max(least, before));
      before = number;
      for (const name of tables()) seen.add(name);
    }
    expect(seen.size).toBeGreaterThan(20); // it did flush and compact meanwhile
  });

  it("a reader keeps its state when its files are deleted, and goes on when it is asked to", {
    timeout: 120_000,
  }, async () => {
    for (let round = 0; round < 10; round++) {
      await using engine = await openFilesEngine(path);
      const number = await batchesIn(engine);
      const had = tables();
      const scan = engine.scan("b").chunks();
      const snapshot = await engine.snapshot();
      await until(() => !had.some((name) => tables().includes(name)));
      expect(await batchesIn(engine)).toBe(number);
      await engine.refresh();
      expect(await batchesIn(engine)).toBeGreaterThan(number);
      expect(await batchesIn(snapshot)).toBe(number);
      await scan.return?.();
      await snapshot.close();
    }
  });

  it("takes no lock and leaves nothing behind", async () => {
    const names = readdirSync(path).filter(
      (name) => !/^(\d+\.(sst|log)|MANIFEST-\d+|OPTIONS-\d+|LOG.*)$/.test(name),
    );
    expect(names.sort()).toEqual(
      ["CURRENT", "IDENTITY", "LOCK", "SESSION_ID"].filter((name) => names.includes(name)),
    );
  });
});
