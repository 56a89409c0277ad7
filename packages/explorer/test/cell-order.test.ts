/** The order and the filter of cells as people write them. */
import { expect, it } from "vitest";
import { compareCells } from "../src/worker/rows/cell-order.js";
import { rowTest } from "../src/worker/rows/filter.js";

const time = (clock: string) => `2026-11-21 ${clock} UTC`;

it("sizes are ordered by their bytes, numbers as people count, times by the clock", () => {
  const sizes = ["900 bytes", "1,024 bytes", "72 kB", "1.5 MB", "2.0 GB"];
  expect(sizes.toReversed().sort(compareCells)).toEqual(sizes);
  expect(["a10", "a9", "10", "9"].sort(compareCells)).toEqual(["9", "10", "a9", "a10"]);
  expect(compareCells(time("05:51:00.000"), time("05:52:00.000"))).toBeLessThan(0);
});

it.each([
  ["hlc.time > 05:52", [time("05:52:09.000"), time("06:00:00.000")], [time("05:51:59.999")]],
  ["hlc.time > 2026-11-21 05:52", [time("05:52:09.000")], [time("05:51:59.999")]],
  ["hlc.time > 900", ["1,024 bytes", "72 kB"], ["900 bytes", "12 bytes"]],
  ["hlc.time = 72 kb", ["72 kB"], ["73 kB"]],
  ["hlc.time != x and 5", ["y5"], ["x", "y6"]],
  ["yz", ["xyz", "YZ"], ["xz"]],
])("%s", (where, passing, others) => {
  const passes = rowTest(where);
  const row = (text: string) => ({ "hlc.time": { text } });
  expect(passing.filter((text) => !passes(row(text)))).toEqual([]);
  expect(others.filter((text) => passes(row(text)))).toEqual([]);
});

it("a secret is found by nothing, and the first digits of an id mean it", () => {
  const id = "38ec7407".padEnd(64, "0");
  const cells = {
    key: { text: "redacted", look: "secret" as const },
    author: { text: id, id, thing: { kind: "member", name: "Zoë" } },
  };
  expect(rowTest("redacted")(cells)).toBe(false);
  expect(
    ["author = 38ec7407", "author = zoë", "author = ZOË and 38ec"].map((where) => rowTest(where)(cells)),
  ).toEqual([true, true, true]);
  expect(rowTest("author = 38ed")(cells)).toBe(false);
});
