/** Damage that reads leave out: every other row is there, forward, backward and by its key. */

import { describe, expect, it } from "vitest";
import { type FilesEngine, openFiles } from "../../../src/engines/files/index.js";
import { contentsOf, tablesOf } from "../../support/files.js";
import { fixturePath } from "../../support/fixtures.js";
import { rowText } from "../../support/transfer.js";
import { MemoryFiles } from "./memory-files.js";

const folder = fixturePath("core-0.11/node-a/db");

/** The files, with a byte of each table flipped. `at`: its place, as a part of the file. */
function damaged(at: number): ReadonlyMap<string, Uint8Array> {
  const files = contentsOf(folder);
  for (const name of tablesOf(folder)) {
    const bytes = files.get(name) as Uint8Array;
    const place = Math.min(bytes.length - 1, Math.floor(at * bytes.length));
    bytes[place] = (bytes[place] as number) ^ 0x10;
  }
  return files;
}

/** The keys of all rows with their values, by column family; `known`: keys to look up. */
async function rowsOf(engine: FilesEngine, known: ReadonlyMap<string, readonly Uint8Array[]> = new Map()) {
  const rows = new Map<string, { forward: string[]; backward: string[]; found: number }>();
  const keys = new Map<string, Uint8Array[]>();
  for (const column of engine.columns) {
    const read = (reverse: boolean) => engine.scan(column, {}, { reverse }).toArray();
    const found = await read(false);
    keys.set(
      column,
      Array.from(found, ({ key }) => key),
    );
    const [forward, backward] = [found, (await read(true)).reverse()].map((all) =>
      all.map((row) => rowText(column, row)),
    ) as [string[], string[]];
    const values = await engine.getMany(column, known.get(column) ?? []);
    rows.set(column, { forward, backward, found: values.filter((value) => value !== undefined).length });
  }
  return { rows, keys };
}

const whole = await (async () => {
  await using engine = await openFiles(new MemoryFiles(contentsOf(folder), true));
  return await rowsOf(engine);
})();

describe.each([
  ["that can be read without waiting", true],
  ["that must be waited for", false],
])("damaged tables %s", (_, now) => {
  it.each([0.01, 0.3, 0.6, 1])("leave all other rows: a byte at %d of each table", async (at) => {
    const said = new Map<string, string>();
    const files = new MemoryFiles(damaged(at), now);
    await using engine = await openFiles(files, {
      onDamage: (column, error) => void said.set(column, `${error.code} ${error.message}`),
    });
    const { rows } = await rowsOf(engine, whole.keys);
    let [missing, left] = [0, 0];
    for (const [column, { forward, backward, found }] of rows) {
      const all = whole.rows.get(column)?.forward ?? [];
      expect(backward).toEqual(forward);
      expect(found).toBe(forward.length);
      expect(all).toEqual(expect.arrayContaining([...forward]));
      if (forward.length < all.length) expect(said.get(column)).toContain("DATABASE_DAMAGED reading");
      missing += all.length - forward.length;
      left += forward.length;
    }
    expect(missing).toBeGreaterThan(0);
    // Without the end of a table, nothing of it is known.
    if (at < 1) expect(left).toBeGreaterThan(0);
  });
});

it("damage is an error without onDamage", async () => {
  await using engine = await openFiles(new MemoryFiles(damaged(0.01), true));
  await expect(rowsOf(engine)).rejects.toMatchObject({ code: "DATABASE_DAMAGED" });
});
