/** Answers of SQL as pictures and as CSV. */
import { describe, expect, it } from "vitest";
import { axesOf, chartOf, coloured, MOST_GROUPS, MOST_STACKS } from "../src/views/ask/chart-data.js";
import { csvOf } from "../src/views/ask/csv.js";

const answerOf = (names: readonly string[], rows: readonly (readonly unknown[])[]) => ({
  columns: names.map((name) => ({ name, type: "VARCHAR" })),
  rows,
  ...{ isCut: false, read: 0, undecoded: 0, took: 0 },
});

describe("the picture of an answer", () => {
  const answer = answerOf(
    ["hour", "author", "deltas"],
    [
      ["05:00", "Ann", 3],
      ["05:00", "Bob", "4"],
      ["06:00", null, 1],
    ],
  );

  it("has the first column across, the first numbers up, and a text by colour", () => {
    expect(axesOf(answer, {})).toEqual({ across: 0, up: 2, colour: 1 });
    expect(axesOf(answer, { across: "author", colour: "" })).toEqual({ across: 1, up: 2, colour: undefined });
    expect(axesOf(answerOf(["a", "b"], [["x", "y"]]), {})).toBeUndefined();
  });

  it("has a column with several values across, where the first has one", () => {
    const oneHour = answerOf(
      answer.columns.map(({ name }) => name),
      answer.rows.slice(0, 2),
    );
    expect(axesOf(oneHour, {})).toEqual({ across: 1, up: 2, colour: undefined });
  });

  it("gives people the colours that they have in all views, and other groups one after another", () => {
    const data = chartOf(answer, { across: 0, up: 2, colour: 1 });
    expect(coloured(data, { Bob: 1, Zoe: 3 }).colours).toEqual([MOST_GROUPS, 1, MOST_GROUPS]);
    expect(coloured(data, {}).colours).toEqual([1, 2, 3]);
    expect(coloured(chartOf(answer, { across: 0, up: 2, colour: undefined }), {}).colours).toEqual([1]);
  });

  it("stacks what is at the same place", () => {
    const axes = { across: 0, up: 2, colour: 1 };
    expect(chartOf(answer, axes)).toEqual({
      stacks: [
        {
          label: "05:00",
          total: 7,
          parts: [
            { group: 0, value: 3 },
            { group: 1, value: 4 },
          ],
        },
        { label: "06:00", total: 1, parts: [{ group: 2, value: 1 }] },
      ],
      groups: ["Ann", "Bob", "none"],
      highest: 7,
      left: 0,
    });
  });

  it("says what it leaves out", () => {
    const rows = Array.from({ length: 100 }, (_, at) => [`${at}`, `group ${at % 9}`, at]);
    const { stacks, groups, left } = chartOf(answerOf(["a", "b", "c"], rows), {
      across: 0,
      up: 2,
      colour: 1,
    });
    expect([stacks.length, left]).toEqual([MOST_STACKS, 100 - MOST_STACKS]);
    expect([groups.length, groups.at(-1)]).toEqual([MOST_GROUPS, "others"]);
  });
});

it("CSV quotes what needs it, and null is an empty cell", () => {
  const rows = [
    ['a "b", c', null],
    ["line\nbreak", { x: [1] }],
    ["", 2],
  ];
  expect(csvOf(answerOf(["one", "two"], rows))).toBe(
    'one,two\n"a ""b"", c",\n"line\nbreak","{""x"":[1]}"\n"",2\n',
  );
});
