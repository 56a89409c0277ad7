/** The order of Fugue texts, against a model that types and deletes one character at a time. */
import { describe, expect, it } from "vitest";
import { isSound, TextRun, textOfRuns } from "../../src/state/collections/fugue-order.js";
import { Random } from "../engines/files/history.js";

type Key = { readonly replica: bigint; readonly counter: number };

const run = (
  start: readonly [number, number],
  text: string,
  parent: readonly [number, number] | null,
  side: "Left" | "Right",
  deleted: readonly number[] = [],
): TextRun => ({
  start: { replica: BigInt(start[0]), counter: start[1] },
  text,
  parent: parent && { replica: BigInt(parent[0]), counter: parent[1] },
  side,
  deleted: Uint8Array.from(deleted),
});

describe("text of runs", () => {
  it("has left children before a character and right ones after it, each by their ids", () => {
    const runs = [
      run([1, 0], "ace", null, "Right"),
      run([2, 0], "b", [1, 1], "Left"),
      run([3, 0], "B", [1, 1], "Left"),
      run([2, 5], "d!", [1, 1], "Right"),
      run([9, 0], ">", null, "Left"),
    ];
    // "e" of replica 1 is a right child of "c" before "d" of replica 2.
    expect(textOfRuns(runs)).toBe(">abBced!");
    expect(textOfRuns(runs.toReversed())).toBe(">abBced!");
  });

  it("leaves out deleted characters and those whose parent is missing, but not what hangs below deleted ones", () => {
    const runs = [
      run([1, 0], "xyz", null, "Right", [0b010]),
      run([2, 0], "Y", [1, 1], "Left"),
      run([4, 0], "lost", [7, 7], "Right"),
      run([5, 0], "o", [5, 0], "Right"),
    ];
    expect(textOfRuns(runs)).toBe("xYz");
  });

  it("counts characters as Unicode scalar values, and deletes one that any of two runs deletes", () => {
    const runs = [run([1, 0], "a😀b", null, "Right", [0b010]), run([1, 1], "😀b", [1, 0], "Right")];
    expect(textOfRuns(runs)).toBe("ab");
  });

  it("equals a list of characters after random edits of several replicas", () => {
    const numbers = new Random(5);
    const random = (below: number): number => numbers.below(below);
    for (let round = 0; round < 20; round++) {
      const list: { key: Key; character: string; isDeleted: boolean }[] = [];
      const runs: TextRun[] = [];
      const counters = [0, 0, 0];
      for (let step = 0; step < 120; step++) {
        const shown = list.filter(({ isDeleted }) => !isDeleted);
        if (shown.length > 3 && random(4) === 0) {
          const gone = shown[random(shown.length)] as (typeof list)[number];
          gone.isDeleted = true;
          const own = runs.find(({ start }) => start === gone.key) as TextRun;
          runs[runs.indexOf(own)] = { ...own, deleted: Uint8Array.of(1) };
          continue;
        }
        // Fugue: the right child of the character to the left if it has none, else the left child of its successor.
        const place = random(shown.length + 1);
        const left = place === 0 ? undefined : shown[place - 1];
        const at = left === undefined ? 0 : list.indexOf(left) + 1;
        const replica = random(3);
        const key = { replica: BigInt(replica), counter: counters[replica] as number };
        counters[replica] = key.counter + 1;
        const hasRight = runs.some(
          ({ parent, side }) =>
            side === "Right" && (left === undefined ? parent === null : parent === left.key),
        );
        const next = list[at];
        const edge: Pick<TextRun, "parent" | "side"> =
          hasRight && next !== undefined
            ? { parent: next.key, side: "Left" }
            : { parent: left?.key ?? null, side: "Right" };
        const character = String.fromCodePoint(0x61 + random(26));
        runs.push({ start: key, text: character, ...edge, deleted: new Uint8Array(0) });
        list.splice(at, 0, { key, character, isDeleted: false });
      }
      const expected = list.filter(({ isDeleted }) => !isDeleted).map(({ character }) => character);
      expect(textOfRuns(runs)).toBe(expected.join(""));
    }
  });

  it("takes a long text that was typed at its end and one typed at its beginning", () => {
    const long = Array.from({ length: 400 }, (_, at) =>
      run([1, at * 256], "x".repeat(256), at === 0 ? null : [1, at * 256 - 1], "Right"),
    );
    expect(textOfRuns(long)).toHaveLength(400 * 256);
    const backward = Array.from({ length: 20_000 }, (_, at) =>
      run([1, at], "y", at === 0 ? null : [1, at - 1], at === 0 ? "Right" : "Left"),
    );
    expect(textOfRuns(backward)).toHaveLength(20_000);
  });
});

describe("runs", () => {
  it("decode and encode to the same bytes", () => {
    const bytes = TextRun.encode(run([1, 2], "añ", [3, 4], "Left", [1]));
    expect(bytes).toHaveLength(12 + 4 + 3 + 1 + 12 + 1 + 4 + 1);
    expect(TextRun.encode(TextRun.decode(bytes))).toEqual(bytes);
  });

  it("are sound as a node sees it", () => {
    const key = { replica: 1n, counter: 2 };
    const sound = run([1, 2], "abc", null, "Right", [0b100]);
    expect(isSound(sound, key)).toBe(true);
    expect(isSound(sound, { replica: 1n, counter: 3 })).toBe(false);
    for (const changed of [
      { text: "" },
      { text: "x".repeat(257) },
      { deleted: Uint8Array.of(0b1000) },
      { deleted: Uint8Array.of(1, 0) },
      { parent: { replica: 0n, counter: 0xffff_ffff } },
    ])
      expect(isSound({ ...sound, ...changed }, key)).toBe(false);
    const last = { replica: 1n, counter: 0xffff_fffe };
    expect(isSound({ ...sound, start: last, text: "a", deleted: new Uint8Array(0) }, last)).toBe(true);
    expect(isSound({ ...sound, start: last, text: "ab", deleted: new Uint8Array(0) }, last)).toBe(false);
  });
});
