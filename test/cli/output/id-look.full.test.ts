/** The form of ids in output: whole in a pipe, short on a terminal and with --short, in base58 with --base58. */
import { describe, expect, it } from "vitest";
import { printing, wordsOf } from "../printing.js";
import { played } from "../run.js";

/** An id with all its digits; not one within a name, a text or a longer list of digits. */
const WHOLE = /(?<![\w"])[0-9a-f]{64}(?![\w"])/;
/** The first digits of an id. */
const SHORT = /(?<![\w"])(?=\d*[a-f])[0-9a-f]{8}(?:…(?! \()|(?![\w"…-]))/;

/** Pages of one thing have its id with all digits, also where others are short. */
const isPage = (words: readonly string[]): boolean =>
  ["show", "contexts", "groups", "blobs"].includes(words[0] as string) &&
  words.length > 2 &&
  words[2] !== "--at" &&
  words[1] !== "list";

/** Sentences that the library makes have the first digits of an id, wherever they are shown. */
const hasSentences = (words: readonly string[]): boolean => words[0] === "why-not";

describe.each(printing.map((one) => [one.join(" "), wordsOf(one)] as const))("%s", (_, words) => {
  if (!hasSentences(words))
    it("whole ids in a pipe, and with --full", async () => {
      expect((await played(0, ...words)).stdout).not.toMatch(SHORT);
      expect((await played(4_000, ...words, "--full")).stdout).not.toMatch(SHORT);
    });

  if (!isPage(words))
    it("short ids with --short", async () => {
      expect((await played(0, ...words, "--short")).stdout).not.toMatch(WHOLE);
    });

  it("base58", async () => {
    expect((await played(0, ...words, "--base58")).stdout).not.toMatch(WHOLE);
  });
});
