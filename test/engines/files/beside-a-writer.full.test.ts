import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openFilesEngine } from "../../../src/engines/index.js";
import { tablesOf } from "../../support/files.js";
import { removeTemporary, temporaryFolder } from "../temporary.js";
import { batchesIn, Writer } from "./beside.js";

const OPENINGS = 300;

let path: string;
let writer: Writer;

beforeAll(async () => {
  path = join(temporaryFolder(), "db");
  writer = await Writer.start(path);
});

afterAll(async () => {
  await writer.stop();
  removeTemporary();
});

afterEach(() => writer.expectWell());

/** Opens the database. On a busy machine the writer may overtake an opening, which then says to try again. */
async function opened(): ReturnType<typeof openFilesEngine> {
  for (;;) {
    try {
      return await openFilesEngine(path);
    } catch (error) {
      if (!/changed the files of .*: try again$/.test(String(error))) throw error;
    }
  }
}

describe("beside a writer that flushes and compacts", () => {
  it(`${OPENINGS} openings each show a prefix of its batches, all acknowledged ones at least`, async () => {
    let before = 0;
    const seen = new Set<string>();
    // The writer flushes and compacts meanwhile.
    for (let opening = 0; opening < OPENINGS || seen.size <= 20; opening++) {
      await new Promise(setImmediate); // lets the writer's numbers come in
      const least = writer.acknowledged;
      await using engine = await opened();
      const number = await batchesIn(engine);
      expect(number).toBeGreaterThanOrEqual(Math.max(least, before));
      before = number;
      for (const name of tablesOf(path)) seen.add(name);
    }
  });

  it("a reader keeps its state when its files are deleted, and refreshes on request", async () => {
    for (let round = 0; round < 4; round++) {
      await using engine = await opened();
      const number = await batchesIn(engine);
      const had = tablesOf(path);
      const scan = engine.scan("b").chunks();
      await using snapshot = await engine.snapshot();
      await writer.until(() => !had.some((name) => tablesOf(path).includes(name)));
      expect(await batchesIn(engine)).toBe(number);
      await engine.refresh();
      expect(await batchesIn(engine)).toBeGreaterThan(number);
      expect(await batchesIn(snapshot)).toBe(number);
      await scan.return?.();
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
