import { expect, it } from "vitest";
import { NumberLists } from "../../src/collections/number-lists.js";

it("keeps lists of any lengths, however many", () => {
  const lists = new NumberLists();
  const long = Array.from({ length: 5000 }, (_, at) => at);
  const kept = [[7], [], long, [2 ** 32 - 1, 0], ...Array.from({ length: 3000 }, (_, at) => [at, at + 1])];
  const places = kept.map((list) => lists.add(list));
  expect(places.map((place) => [...lists.at(place)])).toEqual(kept);
});
