/** Text from a database: which characters are escaped, and which stay. */
import { describe, expect, it } from "vitest";
import { beginning, visible, visibleParts } from "../../src/bytes/visible.js";

describe("visible", () => {
  it.each([
    "\u{1f469}\u200d\u{1f4bb}",
    "\u{1f469}\u{1f3fd}\u200d\u{1f4bb} at work",
    "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}",
    "\u2764\ufe0f\u200d\u{1f525}",
    "\u260e\ufe0f",
    "1\ufe0f\u20e3 #\ufe0f\u20e3",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u0915\u094d\u200d\u0937 \u0915\u094d\u200c\u0937",
    "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    "\u09b0\u200d\u09cd\u09af\u09be\u09ac",
  ])(
    "leaves an emoji whole that is made of several signs, and a word that is spelled with joiners: %s",
    (text) => {
      expect(visible(text)).toBe(text);
      expect(visibleParts(text)).toEqual([{ text, isEscape: false }]);
    },
  );

  it.each([
    ["a\u200db", "a\\u200db"],
    ["\u{1f469}\u200d", "\u{1f469}\\u200d"],
    ["\u200d\u{1f4bb}", "\\u200d\u{1f4bb}"],
    ["\u{1f600}\ufe0f", "\u{1f600}\\ufe0f"],
    ["a\ufe0f", "a\\ufe0f"],
    ["1\ufe0f", "1\\ufe0f"],
    ["a\ufe0f\u20e3", "a\\ufe0f\u20e3"],
    ["\u0645\u06cc\u200c", "\u0645\u06cc\\u200c"],
    ["\u06cc\u200c\u200c\u062e", "\u06cc\\u200c\\u200c\u062e"],
    ["\u06cc\u200d\u062e", "\u06cc\\u200d\u062e"],
    ["\u062f\u200c\u062e", "\u062f\\u200c\u062e"],
    ["\u06cc\u200ca", "\u06cc\\u200ca"],
    ["\u0915\u200d\u0937", "\u0915\\u200d\u0937"],
    ["\u0915\u094d\u200da", "\u0915\u094d\\u200da"],
    ["\u0915\u094d\u200d\u200d\u0937", "\u0915\u094d\\u200d\\u200d\u0937"],
    ["\u202e\u{1f469}\u200d\u{1f4bb}\n", "\\u202e\u{1f469}\u200d\u{1f4bb}\\n"],
    ["\ud83d", "\\ud83d"],
  ])("escapes what is hidden elsewhere: %j", (text, shown) => {
    expect(visible(text)).toBe(shown);
    expect(visible(shown)).toBe(shown);
    expect(
      visibleParts(text)
        .map((part) => part.text)
        .join(""),
    ).toBe(shown);
  });
});

it("the beginning of a text has no part of a character that is made of several", () => {
  const family = "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}";
  for (let most = 1; most < 9; most++) expect(beginning(`a${family}b`, most)).toBe("a");
  expect(beginning(`a${family}b`, 9)).toBe(`a${family}`);
  expect(beginning(`a${family}b`, 10)).toBe(`a${family}b`);
});
