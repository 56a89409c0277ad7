/** Commands take what other commands print: ids, names, numbers, times, rows, paths. */
import { describe, expect, it } from "vitest";
import { nodeA as a, printing, wordsOf } from "../printing.js";
import { type Outcome, played } from "../run.js";

/** A form of printed words → the commands that take them. */
const forms: readonly (readonly [RegExp, (word: string) => readonly (readonly string[])[]])[] = [
  [
    /\boperation (\d+)(?: \([0-9a-f]{8,}\))?/g,
    (word) => [
      ["show", a, word],
      ["members", a, "office", "--at", word],
      ["groups", a, "office", "--at", word],
      ["log", a, "office", "--at", word, "--limit", "1"],
    ],
  ],
  [
    /\bdelta \d+ of \d+ \([0-9a-f]{8,}\)/g,
    (word) => [
      ["show", a, word],
      ["contexts", a, "lobby", "--at", word],
      ["state", a, "lobby", "items", "--at", word],
      ["log", a, "lobby", "--at", word, "--limit", "1"],
    ],
  ],
  [
    /[<>]?\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?:UTC|[+-]\d\d:\d\d)/g,
    (word) => [
      ["log", a, "--since", word, "--limit", "1"],
      ["log", a, "lobby", "--until", word, "--limit", "1"],
      ["contexts", a, "--at", word],
    ],
  ],
  [/\b[A-Z][A-Za-z]+(?: [a-zA-Z]+=[^\s;]+)+/g, (word) => [["show", a, ...word.split(" ")]]],
  [
    /\b(?:items|owner)\["[^"]*"\]/g,
    (word) => [
      ["state", a, "lobby", word],
      ["log", a, "lobby", "--entry", word],
    ],
  ],
  [
    /(?<![\w"])[^\s"(]+ \([0-9a-f]{4,64}\)/g,
    (word) => [
      ["show", a, word],
      ["find", a, word, "--limit", "1"],
    ],
  ],
  [/(?<![\w="])(?=\d*[a-f])(?:[0-9a-f]{64}|[0-9a-f]{8,16}…?)(?![\w"…])/g, (word) => [["show", a, word]]],
];

/** The number of words of each form that are taken from each output. */
const TAKEN = 2;

/** The outcomes of commands by their words: many outputs have the same words. */
const told = new Map<string, Promise<Outcome>>();

function toldBy(taker: readonly string[]): Promise<Outcome> {
  const name = JSON.stringify(taker);
  const outcome = told.get(name) ?? played(0, ...taker);
  told.set(name, outcome);
  return outcome;
}

describe.each([
  ["a terminal", 100],
  ["a pipe", 0],
] as const)("on %s", (_, columns) => {
  it.each(printing.map((one) => [one.join(" "), wordsOf(one)] as const))("%s", async (_, words) => {
    const { stdout } = await played(columns, ...words);
    expect(stdout).not.toBe("");
    const refused: string[] = [];
    for (const [form, takers] of forms) {
      const found = [...new Set(Array.from(stdout.matchAll(form), ([word]) => word))].slice(0, TAKEN);
      for (const word of found)
        for (const taker of takers(word)) {
          const { status, stderr } = await toldBy(taker);
          // An empty period and a moment before everything are understood too.
          const isEmpty =
            (status === 1 && taker[0] === "log" && stderr.includes("has no such")) ||
            (status === 2 && taker[0] === "contexts" && stderr.includes("have no delta from then or before"));
          if (status !== 0 && !isEmpty) refused.push(`${taker.join(" ")}: ${status} ${stderr.trim()}`);
        }
    }
    expect(refused).toEqual([]);
  });
});

it.each([
  ["show", "28"],
  ["show", "#28"],
  ["show", "operation 28"],
  ["show", "contextmeta", "contextId=lobby"],
  ["show", "38ec7407@office"],
  ["log", "office", "--member", "38ec7407@office"],
  ["log", "office", "--author", "0x38EC7407"],
  ["log", "kv_store_with_sh…", "--limit", "1"],
  ["log", "lobby", "--at", "0xfb56c6d8", "--limit", "1"],
  ["state", "lobby", "items", "--at", '"fb56c6d8…"'],
  ["state", "lobby", "items", "--at", "Hv85X9Fw"],
  ["state", "lobby", "items", "--at", "delta 20 of 155"],
  ["contexts", "--at", "(2026-11-21 06:51:40 +01:00)"],
  ["members", "office", "--at", "#9"],
  ["scan", "GROUPMEMBER", "--group", "[office]"],
  ["schema", "groupmember"],
  ["blobs show", "(5286d9f4…)"],
] as const)("%s takes %s %s %s %s", async (command, ...words) => {
  const { status, stderr } = await played(
    0,
    ...(command === "schema" ? [command, ...words] : wordsOf([command, ...words])),
  );
  expect([status, stderr]).toEqual([0, expect.not.stringContaining("has the name")]);
});
