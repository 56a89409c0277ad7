/** Tables of level 0 whose order in time is unknown: after a repair, RocksDB itself shows keys twice. */
import { describe, expect, it } from "vitest";
import { checkAges } from "../../../src/engines/files/read/ages.js";
import type { Table } from "../../../src/engines/files/read/table.js";

interface Shape {
  /** The first and the last key: a letter each. */
  readonly keys: string;
  readonly sequences?: readonly [least: number, most: number];
  readonly deletesRanges?: boolean;
}

function table({ keys, sequences, deletesRanges = false }: Shape): Table {
  const [smallest, largest] = [...keys].map((key) => ({ key: Buffer.from(key) }));
  const file = { smallest, largest, smallestSequence: sequences?.[0], largestSequence: sequences?.[1] };
  return { file, where: `${keys}.sst`, deletesRanges } as unknown as Table;
}

const check = (...shapes: readonly Shape[]) => checkAges(shapes.map(table));
const refused = expect.objectContaining({ code: "FORMAT_UNSUPPORTED" });

describe("tables with entries that have no sequence numbers", () => {
  it.each([
    ["next to each other", { ac: 0, df: 0 }],
    ["one of them newer", { af: 0, bc: 1 }],
  ])("%s: may be read", (_, tables) => {
    const shapes = Object.entries(tables).map(([keys, least]): Shape => ({ keys, sequences: [least, 9] }));
    expect(() => check(...shapes)).not.toThrow();
  });

  it.each([
    ["the same keys", ["ac", "ac"]],
    ["a key in common", ["ac", "cf"]],
    ["one within a table before the last", ["az", "bc", "de"]],
    ["one within another, a third between", ["az", "yz"]],
  ])("%s: refused by name", (_, tables) => {
    const shapes = tables.map((keys): Shape => ({ keys, sequences: [0, 0] }));
    expect(() => check(...shapes)).toThrow(refused);
    expect(() => check(...shapes.toReversed())).toThrow(refused);
  });
});

it("a table that deletes ranges among others whose numbers interleave with its own: refused by name", () => {
  const deleting: Shape = { keys: "ac", sequences: [5, 9], deletesRanges: true };
  expect(() => check(deleting, { keys: "bd", sequences: [1, 4] })).not.toThrow();
  expect(() => check(deleting, { keys: "bd", sequences: [1, 6] })).toThrow(refused);
  expect(() => check(deleting, { keys: "bd" })).not.toThrow();
});
