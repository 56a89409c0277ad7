/** The order in which people count. */
import { expect, it } from "vitest";
import { compareNamed, compareTexts } from "../src/worker/database/order.js";

it("texts with numbers are in the order of the numbers", () => {
  expect(["a10", "b1", "a2", "A1", "a02"].toSorted(compareTexts)).toEqual(["A1", "a02", "a2", "a10", "b1"]);
});

it("things without a name come last, by their ids", () => {
  const things = [["3"], ["2", "a10"], ["1"], ["4", "a2"]].map(([id = "", name]) => ({
    kind: "group" as const,
    id,
    name,
  }));
  expect(things.toSorted(compareNamed).map(({ id }) => id)).toEqual(["4", "2", "1", "3"]);
});
