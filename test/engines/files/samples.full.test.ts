/** Databases with a node's options of today: every row as RocksDB reads it. */
import { describe, expect, it } from "vitest";
import { openFilesEngine } from "../../../src/engines/index.js";
import { samplePath, sampleRows, samples } from "../../support/samples.mjs";
import { rowText, rowTexts } from "../../support/transfer.js";

describe.each(samples)("$name", ({ name, rows }) => {
  const truth = sampleRows(name);
  const lines = truth.map((row) => rowText(row.column, row)).sort();

  it("has every row, forward, backward and key by key", async () => {
    await using engine = await openFilesEngine(samplePath(name));
    expect(engine.warnings).toEqual([]);
    expect(truth).toHaveLength(rows);
    for (const reverse of [false, true]) expect((await rowTexts(engine, reverse)).sort()).toEqual(lines);
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
    expect((await rowTexts(engine)).sort()).toEqual(lines);
  });
});
