/** Words of commands reach the program as they were, and run nothing else. */
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shellQuoted } from "../../src/bytes/shell-word.js";

/** The text that a shell passes to a program for a quoted word. */
function passed(word: string): string {
  const script = `printf %s ${shellQuoted(word)}`;
  return execFileSync("bash", ["-c", script], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
}

describe("shellQuoted", () => {
  it("leaves plain words as they are", () => {
    expect(shellQuoted("node-a/db")).toBe("node-a/db");
  });

  it.each([
    "two words",
    "it's",
    "$(id)",
    "`id`",
    "back\\slash",
    "\\'; echo INJECTED #\u202e",
    "line\nbreak",
    "\u{1f469}\u200d\u{1f4bb}",
    "\u{e0041}'",
    "-n",
    "",
  ])("%j reaches the program as it is", (word) => {
    expect(passed(word)).toBe(word);
  });

  it("any text reaches the program as it is", () => {
    const text = fc.string({
      unit: fc.constantFrom("\\", "'", '"', "$", " ", "\u202e", "\n", "a", "\u{e0041}"),
    });
    fc.assert(
      fc.property(text, (word) => {
        expect(passed(word)).toBe(word);
      }),
      { numRuns: 60 },
    );
  });
});
