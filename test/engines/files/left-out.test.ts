/** Damage that reads leave out: every other row is there, forward, backward and by its key. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { type FilesEngine, openFiles } from "../../../src/engines/files/index.js";
import { fixturePath } from "../../support/fixtures.js";
import { MemoryFiles } from "./memory-files.js";

const folder = fixturePath("core-0.11/node-a/db");
const names = readdirSync(folder);
const tables = names.filter((name) => name.endsWith(".sst"));

/** The files, with a byte of some of them flipped. `at`: its place, as a part of the file. */
function filesWith(damaged: readonly string[], at: number): ReadonlyMap<string, Uint8Array> {
  return new Map(
    names.map((name) => {
      const bytes = new Uint8Array(readFileSync(join(folder, name)));
      const place = Math.min(bytes.length - 1, Math.floor(at * bytes.length));
      if (damaged.includes(name)) bytes[place] = (bytes[place] as number) ^ 0x10;
      return [name, bytes];
    }),
  );
}

interface Rows {
  readonly forward: readonly string[];
  readonly backward: readonly string[];
  readonly found: number;
}

/** The keys of all rows with their values, by column family; `known`: keys to look up. */
async function rowsOf(engine: FilesEngine, known: ReadonlyMap<string, readonly Uint8Array[]> = new Map()) {
  const rows = new Map<string, Rows>();
  const keys = new Map<string, Uint8Array[]>();
  for (const column of engine.columns) {
    const read = async (reverse: boolean): Promise<string[]> => {
      const all: string[] = [];
      for await (const chunk of engine.scan(column, {}, { reverse }).chunks())
        for (const { key, value } of chunk) {
          if (!reverse) keys.set(column, [...(keys.get(column) ?? []), key.slice()]);
          all.push(`${toHex(key)} ${toHex(value)}`);
        }
      return all;
    };
    const [forward, backward] = [await read(false), (await read(true)).reverse()];
    const values = await engine.getMany(column, known.get(column) ?? []);
    rows.set(column, { forward, backward, found: values.filter((value) => value !== undefined).length });
  }
  return { rows, keys };
}

const whole = await (async () => {
  await using engine = await openFiles(new MemoryFiles(filesWith([], 0), true));
  return await rowsOf(engine);
})();

describe.each([
  ["that can be read without waiting", true],
  ["that must be waited for", false],
])("damaged tables %s", (_, now) => {
  it.each([0.01, 0.3, 0.6, 1])("leave all other rows: a byte at %d of each table", async (at) => {
    const said = new Map<string, string>();
    const files = new MemoryFiles(filesWith(tables, at), now);
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
  const files = filesWith(tables, 0.01);
  await using engine = await openFiles(new MemoryFiles(files, true));
  await expect(rowsOf(engine)).rejects.toMatchObject({ code: "DATABASE_DAMAGED" });
});
