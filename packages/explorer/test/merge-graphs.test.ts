/** Two histories as one: hand-made ones, and random ones under general rules. */
import { describe, expect, it } from "vitest";
import { type MergeableGraph, mergeGraphs } from "../src/worker/history/merge-graphs.js";

/** A history of rows by their names of one letter, newest first: `{ d: "bc" }` follows b and c. Times fall by 1. */
function graph(rows: Readonly<Record<string, string>>, newest = 100): MergeableGraph {
  const names = Object.keys(rows);
  const all = [...names];
  const parents: number[] = [];
  const parentsFrom = [0];
  for (const followed of Object.values(rows)) {
    for (const name of followed) {
      if (!all.includes(name)) all.push(name);
      parents.push(all.indexOf(name));
    }
    parentsFrom.push(parents.length);
  }
  const ids = new Uint8Array(32 * all.length);
  for (const [at, name] of all.entries()) ids.fill(name.charCodeAt(0), 32 * at, 32 * at + 32);
  const times = Float64Array.from(names, (_, at) => newest - at);
  return {
    size: names.length,
    ids,
    parentsFrom: Uint32Array.from(parentsFrom),
    parents: Uint32Array.from(parents),
    after: times,
    before: times,
  };
}

const nameAt = ({ ids }: MergeableGraph, row: number): string => String.fromCharCode(ids[32 * row] as number);

/** Each row as `name side > parents`. */
function told(a: MergeableGraph, b: MergeableGraph): readonly string[] {
  const merged = mergeGraphs(a, b);
  return Array.from({ length: merged.size }, (_, row) => {
    const [from, to] = [merged.parentsFrom[row], merged.parentsFrom[row + 1]];
    const parents = [...merged.parents.subarray(from, to)].map((parent) => nameAt(merged, parent)).sort();
    return `${nameAt(merged, row)} ${["", "A", "B", "both"][merged.sides[row] as number]} > ${parents.join("")}`;
  });
}

describe("two graphs as one", () => {
  it("joins what both have and keeps what one has", () => {
    expect(told(graph({ d: "c", c: "b", b: "a", a: "" }), graph({ e: "c", c: "b" }, 101))).toEqual([
      "e B > c",
      "d A > c",
      "c both > b",
      "b A > a",
      "a A > ",
    ]);
  });

  it("has the parents that either names: a checkpoint has none", () => {
    expect(told(graph({ b: "a", a: "" }), graph({ b: "" }))).toEqual(["b both > a", "a A > "]);
  });

  it("orders by descent before time", () => {
    // B's clock is far behind: its older row still comes before the rows that it follows.
    expect(told(graph({ b: "a", a: "" }, 500), graph({ x: "b", b: "a", a: "" }, 3))).toEqual([
      "x B > b",
      "b both > a",
      "a both > ",
    ]);
  });

  it("keeps parents that neither has behind all rows", () => {
    const merged = mergeGraphs(graph({ b: "a" }), graph({ c: "a" }));
    expect(merged.size).toBe(2);
    expect([...merged.parents]).toEqual([2, 2]);
    expect(nameAt(merged, 2)).toBe("a");
  });

  it("places the rows of a forged circle too", () => {
    const merged = mergeGraphs(graph({ b: "a" }), graph({ a: "b" }));
    expect([nameAt(merged, 0), nameAt(merged, 1)].sort()).toEqual(["a", "b"]);
  });

  it("is the same from either side, and empty of two empty ones", () => {
    const [one, other] = [graph({ d: "bc", c: "a", b: "a", a: "" }), graph({ f: "d", d: "bc", e: "b" }, 90)];
    const swap = (line: string) => line.replace(/ (A|B) /, (_, side) => (side === "A" ? " B " : " A "));
    const ids = (lines: readonly string[]) => [...lines].sort();
    expect(ids(told(other, one).map(swap))).toEqual(ids(told(one, other)));
    expect(mergeGraphs(graph({}), graph({})).size).toBe(0);
  });

  it("comes before its parents in random histories", () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return (seed >>> 8) % below;
    };
    for (let round = 0; round < 200; round++) {
      const names = [..."abcdefghijklmnopqrst"];
      const part = (): MergeableGraph =>
        graph(
          Object.fromEntries(
            names
              .map((name, at) => [name, at < 19 ? `${names[at + 1 + random(19 - at)]}` : ""] as const)
              .filter(() => random(4) > 0),
          ),
          random(1000),
        );
      const merged = mergeGraphs(part(), part());
      for (let row = 0; row < merged.size; row++)
        for (const parent of merged.parents.subarray(merged.parentsFrom[row], merged.parentsFrom[row + 1]))
          expect(parent).toBeGreaterThan(row);
    }
  });
});
