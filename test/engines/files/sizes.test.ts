/** Estimated sizes count rows of the log and of tables, each in its own part of the keys. */
import { expect, it } from "vitest";
import { fromHex } from "../../../src/bytes/hex.js";
import { openFilesEngine } from "../../../src/engines/index.js";
import { fixturePath, fixtureRows } from "../../support/fixtures.js";

it.each(["log", "tables", "log-and-tables"])(
  "of the parts of %s add up to those of the whole",
  async (of) => {
    const name = `core-0.11/${of}`;
    await using engine = await openFilesEngine(fixturePath(name, "db"));
    for (const column of engine.columns) {
      const keys = fixtureRows(name)
        .filter((row) => row.column === column)
        .map(({ key }) => fromHex(key))
        .sort(Buffer.compare);
      const whole = await engine.approximateSize(column);
      const log = (await engine.unflushed(column)).bytes;
      if (of === "log") expect(whole).toBe(log);
      else if (keys.length > 0) expect(whole).toBeGreaterThan(of === "tables" ? 0 : log - 1);
      for (const at of [keys[0], keys[Math.trunc(keys.length / 2)], keys.at(-1)]) {
        if (at === undefined) continue;
        const before = await engine.approximateSize(column, { lt: at });
        const after = await engine.approximateSize(column, { gte: at });
        expect(Math.abs(before + after - whole), column).toBeLessThanOrEqual(1);
        if (of === "log") expect(after, column).toBeGreaterThan(0);
      }
      const beyond = new Uint8Array(300).fill(0xff);
      expect(await engine.approximateSize(column, { gte: beyond }), column).toBe(0);
      expect(await engine.approximateSize(column, { lt: beyond }), column).toBe(whole);
    }
  },
);
