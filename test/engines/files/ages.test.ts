/** Tables of level 0 whose order in time is unknown: after a repair, RocksDB itself shows keys twice. */
import { describe, expect, it } from "vitest";
import { checkAges } from "../../../src/engines/files/read/ages.js";
import type { Table } from "../../../src/engines/files/read/table.js";

interface Shape {
  readonly keys: readonly [from: string, to: string];
  readonly sequences?: readonly [least: number, most: number];
  readonly deletesRanges?: boolean;
}

function table({ keys, sequences, deletesRanges = false }: Shape): Table {
  const [smallest, largest] = keys.map((key) => ({ key: Buffer.from(key) }));
  const file = { smallest, largest, smallestSequence: sequences?.[0], largestSequence: sequences?.[1] };
  return { file, where: `${keys.join("-")}.sst`, deletesRanges } as unknown as Table;
}

const check = (...shapes: readonly Shape[]) => checkAges(shapes.map(table));
const refused = expect.objectContaining({ code: "FORMAT_UNSUPPORTED" });

describe("tables with entries that have no sequence numbers", () => {
  it.each([
    [
      "next to each other",
      [
        ["a", "c"],
        ["d", "f"],
      ],
    ],
    [
      "one of them newer",
      [
        ["a", "f"],
        ["b", "c", 1],
      ],
    ],
  ] as const)("%s: may be read", (_, tables) => {
    expect(() =>
      check(
        ...tables.map(([from, to, least = 0]) => ({
          keys: [from, to] as const,
          sequences: [least, 9] as const,
        })),
      ),
    ).not.toThrow();
  });

  it.each([
    [
      "the same keys",
      [
        ["a", "c"],
        ["a", "c"],
      ],
    ],
    [
      "a key in common",
      [
        ["a", "c"],
        ["c", "f"],
      ],
    ],
    [
      "one within a table before the last",
      [
        ["a", "z"],
        ["b", "c"],
        ["d", "e"],
      ],
    ],
    [
      "one within another, a third between",
      [
        ["a", "z"],
        ["y", "z"],
      ],
    ],
  ] as const)("%s: refused by name", (_, tables) => {
    const shapes = tables.map(([from, to]) => ({ keys: [from, to] as const, sequences: [0, 0] as const }));
    expect(() => check(...shapes)).toThrow(refused);
    expect(() => check(...shapes.toReversed())).toThrow(refused);
  });
});

it("a table that deletes ranges among others whose numbers interleave with its own: refused by name", () => {
  const deleting = { keys: ["a", "c"], sequences: [5, 9], deletesRanges: true } as const;
  expect(() => check(deleting, { keys: ["b", "d"], sequences: [1, 4] })).not.toThrow();
  expect(() => check(deleting, { keys: ["b", "d"], sequences: [1, 6] })).toThrow(refused);
  expect(() => check(deleting, { keys: ["b", "d"] })).not.toThrow();
});
