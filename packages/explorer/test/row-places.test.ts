/** The drawn rows of a long list, and their places. */
import { describe, expect, it } from "vitest";
import { MOST_PIXELS, rowPlaces } from "../src/parts/row-places.js";

const list = { rowHeight: 28, room: 280, scrolled: 0 };

describe("rowPlaces", () => {
  it("draws nothing of an empty list", () => {
    expect(rowPlaces({ ...list, length: 0 })).toMatchObject({ first: 0, count: 0, above: 0, below: 0 });
  });

  it("draws all of a short list, without space", () => {
    expect(rowPlaces({ ...list, length: 5 })).toMatchObject({
      first: 0,
      count: 5,
      above: 0,
      below: 0,
      top: 0,
    });
  });

  it("draws the rows in sight and four at each end at least, each at its place", () => {
    const { first, count, top, visible, above, below, scale } = rowPlaces({
      ...list,
      length: 1_000,
      scrolled: 100 * 28 + 5,
    });
    expect({ first, count, top, visible, scale }).toEqual({
      first: 96,
      count: 20,
      top: 100,
      visible: 10,
      scale: 1,
    });
    expect(above).toBe(96 * 28);
    expect(above + count * 28 + below).toBe(1_000 * 28);
  });

  it("draws the same rows while some are scrolled", () => {
    const of = (top: number) => {
      const { first, count } = rowPlaces({ ...list, length: 1_000, scrolled: top * 28 });
      return [first, count];
    };
    expect(of(103)).toEqual(of(102));
    expect(of(105)).not.toEqual(of(101));
  });

  it("never draws an element higher than browsers allow, and reaches the last row", () => {
    const length = 1_000_000;
    const end = MOST_PIXELS - list.room;
    for (const scrolled of [0, 1, 5_999_860, end]) {
      const { above, below, count } = rowPlaces({ ...list, length, scrolled });
      expect(above + below + count * 28).toBe(MOST_PIXELS);
    }
    expect(rowPlaces({ ...list, length, scrolled: end }).top).toBe(length - 10);
    expect(rowPlaces({ ...list, length, scrolled: end / 2 }).top).toBe(499_995);
  });

  it("puts the first row in sight at the top of the sight where the list scrolls in proportion", () => {
    const scrolled = 5_000_000;
    const { above, top, first } = rowPlaces({ ...list, length: 1_000_000, scrolled });
    expect(above + (top - first) * 28).toBe(scrolled);
  });

  it("takes the row that is known to be the first in sight: a pixel may stand for many rows", () => {
    const places = rowPlaces({ ...list, length: 1_000_000_000, scrolled: 6_000_000, exactTop: 500_000_003 });
    expect(places.top).toBe(500_000_003);
  });
});
