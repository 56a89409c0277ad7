import { describe, expect, it } from "vitest";
import { SortedTable } from "../../../src/engines/memory/sorted-table.js";
import { Random } from "../files/history.js";

const key = (number: number) => Uint8Array.of(number >> 16, (number >> 8) & 0xff, number & 0xff);
const numberOf = (bytes: Uint8Array) =>
  ((bytes[0] as number) << 16) | ((bytes[1] as number) << 8) | (bytes[2] as number);
const contents = (table: SortedTable) =>
  Array.from(table.rows(undefined, undefined, false), (row) => numberOf(row.key));

describe("a sorted table", () => {
  it("matches a plain set over thousands of edits, and does not change earlier tables", () => {
    const random = new Random(7);
    let table = SortedTable.EMPTY;
    const model = new Set<number>();
    const kept: [SortedTable, number[]][] = [];
    for (let round = 0; round < 60; round++) {
      table = table.edit((edit) => {
        for (let count = 0; count < 100; count++) {
          const at = random.below(20_000);
          const end = at + random.below(round % 5 === 0 ? 3000 : 5);
          const what = random.below(10);
          if (what < 7) {
            edit.put(key(at), key(at));
            model.add(at);
          } else if (what < 9) {
            edit.delete(key(at));
            model.delete(at);
          } else {
            edit.deleteRange(key(at), key(end));
            for (let gone = at; gone < end; gone++) model.delete(gone);
          }
        }
      });
      kept.push([table, [...model].sort((a, b) => a - b)]);
    }
    for (const [earlier, expected] of kept) expect(contents(earlier)).toEqual(expected);
  });

  it("takes many single writes and large batches", () => {
    let table = SortedTable.EMPTY.edit((edit) => {
      for (let at = 0; at < 100_000; at++) edit.put(key((at * 7919) % 100_000), key(at));
    });
    for (let at = 0; at < 20_000; at++) table = table.edit((edit) => edit.put(key(100_000 + at), key(at)));
    expect(contents(table)).toEqual(Array.from({ length: 120_000 }, (_, at) => at));
    expect(table.get(key(100_007))).toEqual(key(7));
  });
});
