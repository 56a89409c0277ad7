/** The lanes of histories: hand-made ones as a person would draw them, and random ones under general rules. */
import { describe, expect, it } from "vitest";
import { LaneLines } from "../src/parts/graph/lane-lines.js";
import { assignLanes, MOST_LANES, type Parentage } from "../src/worker/history/lanes.js";

/** A history of rows by name, newest first: `{ d: "b c" }` follows b, then c. A name without a row is missing. */
function historyOf(rows: Readonly<Record<string, string>>): Parentage {
  const names = Object.keys(rows);
  const missing: string[] = [];
  const lists = Object.values(rows).map((text) =>
    text
      .split(" ")
      .filter(Boolean)
      .map((name) => {
        if (names.includes(name)) return names.indexOf(name);
        return names.length + missing.push(name) - 1;
      }),
  );
  return followed(lists);
}

function followed(lists: readonly (readonly number[])[]): Parentage {
  const parentsFrom = Uint32Array.from([0, ...lists.map(({ length }) => length)]);
  for (let row = 0; row < lists.length; row++)
    parentsFrom[row + 1] = (parentsFrom[row + 1] as number) + (parentsFrom[row] as number);
  return { size: lists.length, parentsFrom, parents: Uint32Array.from(lists.flat()) };
}

/** The lanes of the rows, and the lines below each as `from-to`. */
function drawn(graph: Parentage): { lanes: readonly number[]; below: readonly string[]; width: number } {
  const lanes = assignLanes(graph);
  const lines = new LaneLines(graph, lanes);
  const below = Array.from({ length: graph.size }, (_, row) =>
    lines
      .below(row)
      .map(({ from, to }) => `${from}-${to}`)
      .sort()
      .join(" "),
  );
  return { lanes: [...lanes.ofRow], below, width: lanes.width };
}

describe("lanes", () => {
  it("keeps one line in one lane", () => {
    expect(drawn(historyOf({ c: "b", b: "a", a: "" }))).toEqual({
      lanes: [0, 0, 0],
      below: ["0-0", "0-0", ""],
      width: 1,
    });
  });

  it("has nothing for an empty history", () => {
    expect(drawn(historyOf({}))).toEqual({ lanes: [], below: [], width: 0 });
  });

  it("bends all lanes that wait for a row to it, in the gap above", () => {
    expect(drawn(historyOf({ c: "a", b: "a", a: "" }))).toEqual({
      lanes: [0, 1, 0],
      below: ["0-0", "0-0 1-0", ""],
      width: 2,
    });
  });

  it("leads further parents of a merge to free lanes at the right", () => {
    expect(drawn(historyOf({ d: "c b", c: "a", b: "a", a: "" }))).toEqual({
      lanes: [0, 0, 1, 0],
      below: ["0-0 0-1", "0-0 1-1", "0-0 1-0", ""],
      width: 2,
    });
  });

  it("lets the lines of a criss-cross join lanes that already wait", () => {
    // f and e both merge d and c; e comes second and finds lanes that wait for both.
    expect(drawn(historyOf({ f: "d c", e: "d c", d: "b", c: "b", b: "" }))).toEqual({
      lanes: [0, 2, 0, 1, 0],
      below: ["0-0 0-1", "0-0 1-1 2-0 2-1", "0-0 1-1", "0-0 1-0", ""],
      width: 3,
    });
  });

  it("gives two heads a lane each", () => {
    expect(drawn(historyOf({ d: "b", c: "a", b: "a", a: "" }))).toEqual({
      lanes: [0, 1, 0, 0],
      below: ["0-0", "0-0 1-1", "0-0 1-0", ""],
      width: 2,
    });
  });

  it("draws no lane to rows that the database lacks", () => {
    const graph = historyOf({ c: "gone b", b: "lost", a: "" });
    expect(drawn(graph)).toEqual({ lanes: [0, 0, 0], below: ["0-0", "", ""], width: 1 });
    const lines = new LaneLines(graph, assignLanes(graph));
    expect([0, 1, 2].map((row) => lines.stubs(row))).toEqual([1, 1, 0]);
  });

  it("spreads the parents of an octopus", () => {
    expect(drawn(historyOf({ e: "d c b", d: "a", c: "a", b: "a", a: "" }))).toEqual({
      lanes: [0, 0, 1, 2, 0],
      below: ["0-0 0-1 0-2", "0-0 1-1 2-2", "0-0 1-1 2-2", "0-0 1-0 2-0", ""],
      width: 3,
    });
  });

  it("does not lead to rows above, which only forged ones follow", () => {
    const graph = followed([[1], [0], []]);
    expect(drawn(graph).below).toEqual(["0-0", "", ""]);
  });

  it("costs a forged star no more lanes than there are", () => {
    const size = 5000;
    const star = followed(Array.from({ length: size }, (_, row) => (row === size - 1 ? [] : [size - 1])));
    const lanes = assignLanes(star);
    expect(lanes.width).toBe(MOST_LANES);
    expect(Math.max(...lanes.ofRow)).toBe(MOST_LANES - 1);
    const lines = new LaneLines(star, lanes);
    // The line of this row runs in the shared lane, too.
    expect(lines.below(size - 2)).toHaveLength(MOST_LANES + 1);
    expect(lines.below(size - 2).every(({ to }) => to === 0)).toBe(true);
  });
});

describe("lanes of random histories", () => {
  for (const seed of [1, 2, 3, 4, 5, 6])
    it(`draws every edge once, and no two lines in one lane unless they lead to the same row (${seed})`, () => {
      const graph = randomHistory(seed, 700);
      const lanes = assignLanes(graph);
      const lines = new LaneLines(graph, lanes);
      // Read out of order, as scrolling does.
      const rows = Array.from({ length: graph.size }, (_, row) => row).sort(
        (a, b) => ((a * 7) % 5) - ((b * 7) % 5),
      );
      const below = new Map(rows.map((row) => [row, lines.below(row)]));
      for (let row = 0; row < graph.size; row++) {
        // Every line that arrives at a row has left the row above or has gone straight on.
        const arriving = new Set((below.get(row - 1) ?? []).map(({ to }) => to));
        const own = lanes.ofRow[row] as number;
        for (const { from } of below.get(row) ?? []) expect(from === own || arriving.has(from)).toBe(true);
      }
      for (let row = 0; row < graph.size; row++)
        for (
          let edge = graph.parentsFrom[row] as number;
          edge < (graph.parentsFrom[row + 1] as number);
          edge++
        )
          expect(follow(graph, lanes.ofRow, below, row, edge)).toBe(graph.parents[edge]);
      for (let row = 0; row + 1 < graph.size; row++) {
        const vertical = (below.get(row) ?? []).filter(({ from }) => from !== lanes.ofRow[row]);
        expect(new Set(vertical.map(({ from }) => from)).size).toBe(vertical.length);
        // A lane has one line to a row that is not its own.
        const passing = (below.get(row) ?? []).filter(({ to }) => to !== lanes.ofRow[row + 1]);
        const joined = new Map<number, number>();
        for (const { to } of passing) joined.set(to, (joined.get(to) ?? 0) + 1);
        for (const [lane, count] of joined)
          if (count > 1) expect(targets(graph, lanes, row, lane)).toHaveLength(1);
      }
    });
});

/** The row that the line of an edge reaches when it is followed down from its row. */
function follow(
  graph: Parentage,
  ofRow: Uint8Array,
  below: ReadonlyMap<number, ReturnType<LaneLines["below"]>>,
  row: number,
  edge: number,
): number {
  const parent = graph.parents[edge] as number;
  const lanes = assignLanes(graph);
  let lane = lanes.ofEdge[edge] as number;
  const first = (below.get(row) ?? []).filter(({ child, from }) => child === row && from === ofRow[row]);
  const end = parent === row + 1 ? (ofRow[parent] as number) : lane;
  expect(first.filter(({ to }) => to === end).length).toBeGreaterThan(0);
  for (let at = row + 1; at < parent; at++) {
    const on = (below.get(at) ?? []).find(({ from, child }) => from === lane && child < at);
    if (on === undefined) return -1;
    lane = on.to;
  }
  return lane === ofRow[parent] || parent === row + 1 ? parent : -1;
}

/** The rows that the lines in a lane reach below a row. */
function targets(
  graph: Parentage,
  lanes: ReturnType<typeof assignLanes>,
  row: number,
  lane: number,
): readonly number[] {
  const found = new Set<number>();
  for (let child = 0; child <= row; child++)
    for (
      let edge = graph.parentsFrom[child] as number;
      edge < (graph.parentsFrom[child + 1] as number);
      edge++
    )
      if (lanes.ofEdge[edge] === lane && (graph.parents[edge] as number) > row + 1)
        found.add(graph.parents[edge] as number);
  return [...found];
}

/** A history whose rows follow one to three of the next ones. */
function randomHistory(seed: number, size: number): Parentage {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return followed(
    Array.from({ length: size }, (_, row) => {
      const parents = new Set<number>();
      const wanted = random(5) === 0 ? 2 + random(2) : 1;
      for (let at = 0; at < wanted; at++) {
        const parent = row + 1 + random(1 + random(9));
        if (parent < size) parents.add(parent);
      }
      return [...parents];
    }),
  );
}
