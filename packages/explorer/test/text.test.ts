/** Texts that answers cut: an emoji stays whole. */
import { expect, it } from "vitest";
import { cut } from "../src/worker/database/text.js";

it("is cut before a character that does not fit as a whole", () => {
  expect(cut("ab\u{1f468}\u200d\u{1f469}", 4)).toBe("ab…");
  expect(cut("abcde", 4)).toBe("abcd…");
  expect(cut("abcd", 4)).toBe("abcd");
});
