/** Kills of a creation by sorted tables: only a complete database has its name, and the next attempt succeeds. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createDatabase, openFilesEngine, openRocksEngine, type RawRow } from "../../src/engines/index.js";
import { loadRows } from "../../src/transfer/load-rows.js";
import { temporaryFolder } from "../support/fixtures.js";
import { type Files, recordPoints, restoreFiles } from "./kill-points/recorder.js";

const FAMILIES = ["a", "b"];

/** Rows of two families: one in order, the other in none. */
const rows = FAMILIES.flatMap((column) =>
  Array.from({ length: 60 }, (_, at): RawRow & { readonly column: string } => {
    const number = column === "a" ? at : (at * 37) % 60;
    return {
      column,
      key: Buffer.from(`row ${String(number).padStart(2, "0")}`),
      value: Buffer.alloc(200, at),
    };
  }),
);

function create(path: string): Promise<unknown> {
  const pieces = async function* () {
    for (let at = 0; at < rows.length; at += 20) yield rows.slice(at, at + 20);
  };
  return createDatabase(path, { columns: FAMILIES, newEngine: "files", purpose: "copying" }, (engine) =>
    loadRows(engine, pieces()),
  );
}

async function expectAll(path: string, open: typeof openFilesEngine | typeof openRocksEngine): Promise<void> {
  await using engine = await open(path);
  for (const column of FAMILIES) {
    const expected = rows.filter((row) => row.column === column).sort((a, b) => Buffer.compare(a.key, b.key));
    const found: RawRow[] = [];
    for await (const row of engine.scan(column)) found.push(row);
    expect(found.map(({ key, value }) => [Buffer.from(key), Buffer.from(value)])).toEqual(
      expected.map(({ key, value }) => [key, value]),
    );
  }
}

it("a creation that is killed at any moment leaves nothing or everything, and nothing that is in the way", async () => {
  using folder = temporaryFolder();
  const [first, second] = [join(folder.path, "1"), join(folder.path, "2")];
  const points: Files[] = [];
  restoreFiles(first, new Map());
  await recordPoints(
    first,
    async () => void (await create(join(first, "db"))),
    (files) => points.push(files),
  );
  let complete = 0;
  for (const [at, files] of points.entries()) {
    restoreFiles(second, files);
    const path = join(second, "db");
    if (files.has(join("db", "CURRENT"))) complete++;
    else {
      expect([...files.keys()].filter((name) => name.startsWith("db"))).toEqual([]);
      await create(path);
    }
    expect(readdirSync(second)).toEqual(["db"]);
    await expectAll(path, at % 8 === 0 ? openRocksEngine : openFilesEngine);
  }
  expect(complete).toBeGreaterThan(0);
  expect(points.length - complete).toBeGreaterThan(80);
});
