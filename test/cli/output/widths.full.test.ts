/** Every command fits terminals of 60 to 240 columns. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { nodeA, printing, wordsOf } from "../printing.js";
import { played } from "../run.js";

const damaged = fixturePath("formats/log-damaged", "db");

describe.each([60, 80, 240])("%d columns", (columns) => {
  it.each(printing.map((one) => [one.join(" "), wordsOf(one)] as const))("%s", async (_, words) => {
    const lines = (await played(columns, ...words)).stdout.split("\n");
    // Commands to type next are never broken, nor are words that are longer than the terminal is wide.
    const broken = lines.filter((line) => !line.startsWith("  merostore ") && line.trim().includes(" "));
    expect(broken.filter(({ length }) => length > columns)).toEqual([]);
  });

  it.each([
    ["db copy", nodeA],
    ["recover", damaged],
  ])("%s", async (command, db) => {
    using folder = temporaryFolder();
    const words = [...command.split(" "), db, join(folder.path, "new")];
    const lines = (await played(columns, ...words)).stdout.split("\n");
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.filter(({ length }) => length > columns)).toEqual([]);
  });

  it.each([
    ["schema", ["schema"], /\n\n.*\n\n(.*)$/s],
    ["verify --list", ["verify", nodeA, "--list"], /\nnot checked\n(.*)$/s],
  ] as const)("a table without heads loses nothing: %s", async (_, words, pattern) => {
    const tableOf = async (width: number): Promise<string> =>
      pattern.exec((await played(width, ...words)).stdout)?.[1] ?? "";
    const [whole, shown] = [await tableOf(0), await tableOf(columns)];
    expect(whole.length).toBeGreaterThan(1_000);
    expect(shown.split("\n").filter(({ length }) => length > columns)).toEqual([]);
    expect(shown.replaceAll(/\s/g, "")).toBe(whole.replaceAll(/\s/g, ""));
  });
});
