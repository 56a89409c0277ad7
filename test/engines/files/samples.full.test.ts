/** Databases with a node's options of today: every row as RocksDB reads it. */
import { describe, expect, it } from "vitest";
import { type EngineReader, openFilesEngine } from "../../../src/engines/index.js";
import { samplePath, sampleRows, samples } from "../../support/samples.mjs";

async function linesOf(engine: EngineReader, reverse = false): Promise<string[]> {
  const lines: string[] = [];
  for (const column of engine.columns) {
    const found: string[] = [];
    for await (const { key, value } of engine.scan(column, {}, { reverse }))
      found.push(line(column, key, value));
    lines.push(...(reverse ? found.reverse() : found));
  }
  return lines.sort();
}

const line = (column: string, key: Uint8Array, value: Uint8Array): string =>
  `${column} ${Buffer.from(key).toString("hex")} ${Buffer.from(value).toString("hex")}`;

describe.each(samples)("$name", ({ name, rows }) => {
  const truth = sampleRows(name);
  const lines = truth.map(({ column, key, value }) => line(column, key, value)).sort();

  it("has every row, forward, backward and key by key", async () => {
    await using engine = await openFilesEngine(samplePath(name));
    expect(engine.warnings).toEqual([]);
    expect(truth).toHaveLength(rows);
    expect(await linesOf(engine)).toEqual(lines);
    expect(await linesOf(engine, true)).toEqual(lines);
    for (const column of engine.columns) {
      const wanted = truth.filter((row) => row.column === column);
      const values = await engine.getMany(
        column,
        wanted.map(({ key }) => key),
      );
      expect(values.map((value) => value && Buffer.from(value))).toEqual(wanted.map(({ value }) => value));
    }
  });

  it("has every row without checksums and without a cache", async () => {
    await using engine = await openFilesEngine(samplePath(name), { checksums: false, cacheBytes: 0 });
    expect(await linesOf(engine)).toEqual(lines);
  });
});
