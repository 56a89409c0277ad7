/** The order of characters whose neighbour to the left is gone. */
import { describe, expect, it } from "vitest";
import { ordered010, ordered011, type Placed } from "../../src/state/collections/character-order.js";

const at = (time: number, clock = 1, sequence = 0) => ({
  time: BigInt(time),
  clock: BigInt(clock),
  sequence,
});
const placed = (character: string, id: Placed["id"], left: Placed["left"]): Placed => ({
  id,
  left,
  character,
});

function textOf(order: typeof ordered011, given: readonly Placed[]): string {
  return order(given)
    .map(({ character }) => character)
    .join("");
}

/** `a` has its place; the texts behind 30, 20 and two characters of the time 10 have lost their neighbour. */
const characters = [
  placed("d", at(32), at(30)),
  placed("D", at(33), at(30)),
  placed("c", at(21), at(20)),
  placed("e", at(22), at(21)),
  placed("b", at(11), at(10, 2)),
  placed("B", at(12), at(10, 1, 5)),
  placed("a", at(5), at(0)),
];

describe("the text of core-0.11", () => {
  it.each([
    ["as stored", characters],
    ["in another order", characters.toReversed()],
  ])("has orphans in the order of the ids of what is missing, %s", (_, given) => {
    expect(textOf(ordered011, given)).toBe("aBbceDd");
  });

  it("has characters whose neighbour is there behind it, the newest first", () => {
    expect(textOf(ordered011, [...characters, placed("x", at(40), at(5)), placed("y", at(41), at(5))])).toBe(
      "ayxBbceDd",
    );
  });
});

describe("the text of core-0.10", () => {
  it("has orphans in stored order", () => {
    expect(textOf(ordered010, characters)).toBe("adDcebB");
  });
});
