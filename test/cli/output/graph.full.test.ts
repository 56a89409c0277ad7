/** The graph beside the lines of a history. The drawings were made by hand. */
import { describe, expect, it } from "vitest";
import { Graph } from "../../../src/cli/output/graph.js";
import { fixturePath } from "../../support/fixtures.js";
import { linesOf, played } from "../run.js";

/** Draws rows that are written as their id and the ids that they follow: `d bc`. A row in brackets is not shown. */
async function drawn(rows: readonly string[], width?: number, lines = 1): Promise<string[]> {
  const graph = new Graph(width);
  const all: string[] = [];
  for (const row of rows) {
    const [id = "", follows = ""] = row.replace(/[()]/g, "").split(" ");
    const linked = { id, parents: [...follows] };
    if (row.startsWith("(")) graph.skip(linked);
    else all.push(...(await graph.lines(linked, async () => Array<string>(lines).fill(id))));
  }
  return all;
}

describe("the graph", () => {
  it("is one lane for rows one after another, and goes on to what is not there", async () => {
    expect(await drawn(["c b", "b a"])).toEqual(["* c", "* b"]);
    expect(await drawn(["c b", "b a"], undefined, 2)).toEqual(["* c", "│ c", "* b", "│ b"]);
    expect(await drawn(["a "], undefined, 2)).toEqual(["* a", "  a"]);
  });

  it("parts at a merge, and joins where two rows follow one", async () => {
    expect(await drawn(["d bc", "c a", "b a", "a "])).toEqual([
      "*   d",
      "├─╮",
      "│ * c",
      "* │ b",
      "├─╯",
      "* a",
    ]);
    expect(await drawn(["e d", "c b", "d b", "b "])).toEqual(["* e", "│ * c", "* │ d", "├─╯", "* b"]);
  });

  it("puts the text of further lines beside it", async () => {
    expect(await drawn(["d bc", "c a", "b a", "a "], undefined, 2)).toEqual([
      "*   d",
      "├─╮ d",
      "│ * c",
      "│ │ c",
      "* │ b",
      "├─╯ b",
      "* a",
      "  a",
    ]);
  });

  it("crosses lanes that have nothing to do with it", async () => {
    expect(await drawn(["x bcd", "b e", "c f", "d e", "f e", "e "])).toEqual([
      "*     x",
      "├─┬─╮",
      "* │ │ b",
      "│ * │ c",
      "│ │ * d",
      "├─│─╯",
      "│ * f",
      "├─╯",
      "* e",
    ]);
  });

  it("goes through rows that are not shown", async () => {
    expect(await drawn(["d c", "(c b)", "b a", "a "])).toEqual(["* d", "* b", "* a"]);
    expect(await drawn(["d bc", "(c a)", "b a", "a "])).toEqual(["*   d", "├─╮", "* │ b", "├─╯", "* a"]);
    expect(await drawn(["d bc", "c a", "(b a)", "a "])).toEqual(["*   d", "├─╮", "│ * c", "├─╯", "* a"]);
  });

  it("shows lanes that have no room as one", async () => {
    expect(await drawn(["x bcd", "d a", "b a", "c a", "a "], 50)).toEqual([
      "*     x",
      "├─┬─╮",
      "│ │ * d",
      "* │ │ b",
      "├─│─╯",
      "│ * c",
      "├─╯",
      "* a",
    ]);
    expect(await drawn(["x bcd", "d a", "b a", "c a", "a "], 48)).toEqual([
      "*     x",
      "├─┬─…",
      "│ │ * d",
      "* │ … b",
      "├─│─…",
      "│ * c",
      "├─╯",
      "* a",
    ]);
  });

  it("draws a row that follows a hundred and fifty thousand", async () => {
    const graph = new Graph(80);
    const parents = Array.from({ length: 150_000 }, (_, at) => `parent ${at}`);
    const line = (id: string, parents: readonly string[] = []) =>
      graph.lines({ id, parents }, async () => [id]);
    expect(await line("x", parents)).toEqual([
      expect.stringMatching(/^\* +x$/),
      "├─┬─┬─┬─┬─┬─┬─┬─┬─┬─┬─┬─┬─┬─┬─┬─┬─┬─…",
    ]);
    expect(await line("parent 0")).toEqual([expect.stringMatching(/^\* │ │ .*… parent 0$/)]);
  });

  it("ends in a circle of forged rows", async () => {
    expect(await drawn(["a b", "b a"])).toEqual(["* a", "* b"]);
  });
});

describe("log --graph", () => {
  const db = fixturePath("core-0.11/node-a", "db");

  it("draws where deltas were made at the same time", async () => {
    const { stdout } = await played(100, "log", db, "lobby", "--graph", "--utc");
    const lines = linesOf(stdout);
    const at = lines.findIndex((line) => line.includes("9295d9fe"));
    expect(
      lines.slice(at, at + 7).map((line) => line.replace(/^(.*\d\d UTC {2}[0-9a-f]{8}).*/, "$1")),
    ).toEqual([
      "*   2026-11-21 05:51:29 UTC  9295d9fe",
      expect.stringMatching(/^├─╮/),
      "* │ 2026-11-21 05:51:29 UTC  c92111b2",
      "* │ 2026-11-21 05:51:29 UTC  16bfb6bb",
      "│ * 2026-11-21 05:51:29 UTC  1f94de85",
      "* │ 2026-11-21 05:51:29 UTC  67c20d08",
      expect.stringMatching(/^├─╯/),
    ]);
  });

  it("draws the operations of a namespace, and those of a group as one line", async () => {
    for (const group of ["office", "design6"]) {
      const { stdout, status } = await played(200, "log", db, group, "--graph", "--limit", "5");
      expect(status).toBe(0);
      expect(linesOf(stdout).filter((line) => line.startsWith("* "))).toHaveLength(5);
    }
  });

  it.each([60, 80, 120, 200])("fits a terminal of %i columns", async (columns) => {
    for (const thing of ["office", "lobby"])
      for (const patch of [[], ["--patch"]]) {
        const { stdout } = await played(columns, "log", db, thing, "--graph", ...patch);
        expect(linesOf(stdout).filter((line) => line.length > columns)).toEqual([]);
      }
  });

  it("is refused together with --json", async () => {
    expect(await played(0, "log", db, "office", "--graph", "--json")).toMatchObject({
      status: 2,
      stdout: "",
    });
  });
});
