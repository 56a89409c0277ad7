/** Counts of the uses of an id. */
import { describe, expect, it } from "vitest";
import { Holds } from "../../src/storage/holds.js";
import { digest } from "../inputs.js";

describe("Holds", () => {
  it("has an id until everyone has released it, each once", () => {
    const holds = new Holds();
    const one = holds.hold(digest(1));
    const two = holds.hold(digest(1));
    expect([...holds]).toEqual([digest(1)]);
    one();
    one();
    expect(holds.has(digest(1))).toBe(true);
    two();
    expect(holds.has(digest(1))).toBe(false);
    const three = holds.hold(digest(1));
    two();
    expect(holds.has(digest(1))).toBe(true);
    three();
    expect([...holds]).toEqual([]);
  });
});
