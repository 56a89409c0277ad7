/** The life of an entry, and old and new values of deltas. Expected values come from actions of rows.jsonl. */
import { describe, expect, it } from "vitest";
import { fromHex } from "../../../src/bytes/hex.js";
import {
  AuthorViews,
  changedEntries,
  type DeltaViews,
  pastValueAt,
  type StateChange,
} from "../../../src/state/index.js";
import { openStore } from "../../../src/store/index.js";
import { fixturePath } from "../../support/fixtures.js";
import { cli, linesOf, played } from "../run.js";

const nodeA = fixturePath("core-0.11/node-a/db");
const nodeB = fixturePath("core-0.11/node-b/db");

async function json(...words: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const { stdout } = await cli(...words, "--json");
  return linesOf(stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
}

const old = fixturePath("core-0.10/node-a/db");

describe("log --entry", () => {
  it("tells each delta that wrote the entry, with old and new value, newest first", async () => {
    const { status, stdout } = await played(120, "log", nodeA, "nested", "--entry", "counters.c", "--utc");
    expect(status).toBe(0);
    expect(linesOf(stdout)).toEqual([
      'counters.c is "3"',
      "2026-11-21 05:51:42 UTC  bca6008e  this node (de2a2d20)",
      '      "2" → "3"',
      "2026-11-21 05:51:42 UTC  b9ce6a8d  this node (de2a2d20)",
      '      "1" → "2"',
      "2026-11-21 05:51:42 UTC  9c6871a6  this node (de2a2d20)",
      '      nothing → "1"',
    ]);
  });

  it("follows a list, and an element that was deleted by its entity", async () => {
    const database = fixturePath("core-0.10/tables/db");
    const element = "log[#633502fa466b7790e0bb2a77c07ea466ffd15183dcec47bd7c8eb091e0fcf14e]";
    const lines = ["line 0", "line 1", "line 2"];
    for (const [path, values] of [
      [
        "log",
        [
          [[...lines, "line 3"], lines],
          [[], [...lines, "line 3"]],
          [null, []],
        ],
      ],
      [
        element,
        [
          ["line 3", null],
          [null, "line 3"],
        ],
      ],
    ] as const)
      expect(
        (await json("log", database, "dev", "--entry", path)).map(({ before, after }) => [before, after]),
      ).toEqual(values);
    const patch = await cli("log", database, "dev", "--patch", "--full");
    expect(patch.status).toBe(0);
    expect(patch.stdout).toContain(`      - ${element}: "line 3" → nothing\n`);
  });

  it("follows what one identity added to a counter", async () => {
    const slot = 'metrics[2]["7c23009770446b37123987b5ab817500a82c638b7a0788cf842c450b553ff13f"]';
    const { stdout } = await cli("log", nodeA, "nested", "--oneline", "--full");
    expect(stdout).toContain(`set ${slot} = "1"`);
    expect(await json("log", nodeA, "nested", "--entry", slot)).toMatchObject([{ before: null, after: "1" }]);
    expect((await cli("state", nodeA, "nested", slot, "--json")).stdout).toBe('"1"\n');
  });

  it("says where no delta that is there wrote the value", async () => {
    const [first] = (await json("log", nodeB, "b875f1c0", "--entry", "items.late1")).toReversed();
    expect(first).toMatchObject({ before: null, after: "1" });
    const { status, stdout, stderr } = await cli("log", nodeB, "b875f1c0", "--entry", "items.a10");
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'items.a10 is "first 10"\n' });
    expect(stderr).toContain("no delta that the database has wrote items.a10");
  });

  it("ends with status 1 for what never was, and refuses what has no entries", async () => {
    const never = await cli("log", nodeA, "lobby", "--entry", "items.nobody");
    expect([never.status, never.stdout]).toEqual([1, "items.nobody is nothing\n"]);
    for (const [words, text] of [
      [["lobby", "--entry", "items["], "is not a path"],
      [["lobby", "--entry", "$"], "--entry takes the path of a field or an entry"],
      [["office", "--entry", "items.a10"], "--entry is for contexts, and office is a namespace"],
      [["lobby", "--entry", "items.a10", "--graph"], "--entry"],
    ] as const) {
      const { status, stderr } = await cli("log", nodeA, ...words);
      expect(status).toBe(2);
      expect(stderr).toContain(text);
    }
  });

  it("keeps to a member and a time", async () => {
    const mine = await json("log", nodeA, "lobby", "--entry", "items.a10", "--member", "38ec7407");
    expect(mine).toEqual([]);
    const late = await json("log", nodeA, "lobby", "--entry", "items.a10", "--since", "2026-11-21T05:52Z");
    expect(late).toEqual([]);
    for (const [options, words] of [
      [["--since", "2026-11-22"], "--since leaves out 1 delta that wrote items.a10"],
      [["--since", "2026-11-22", "--member", "38ec7407"], "--member and --since leave out 1 delta"],
    ] as const) {
      const { status, stderr } = await cli("log", nodeA, "lobby", "--entry", "items.a10", ...options);
      expect(status).toBe(0);
      expect(stderr).toContain(words);
      expect(stderr).not.toContain("no delta");
    }
  });

  it("says how many more deltas a limit leaves out", async () => {
    const words = ["log", nodeA, "nested", "--entry", "counters.c", "--limit"] as const;
    expect(linesOf((await cli(...words, "2")).stdout).at(-1)).toBe("… 1 more delta");
    expect((await cli(...words, "3")).stdout).not.toContain("more");
  });
});

describe("log --patch", () => {
  it("shows what a value was before", async () => {
    const [last] = await json("log", old, "user", "--patch", "--limit", "3").then((all) => all.slice(2));
    expect(last).toMatchObject({
      proven: true,
      entries: [{ before: "u2", after: "u3" }],
    });
    const { stdout } = await played(120, "log", nodeA, "nested", "--patch");
    expect(stdout).toContain('~ counters["c"]: "2" → "3", 108 bytes');
    expect(stdout).toContain('~ registers["r1"] = "x", written again, 99 bytes');
    expect(stdout).toContain('+ sorted_scores["s1"] = "10", 102 bytes');
  });

  it("has no entry for a field that neither state names", async () => {
    await using store = await openStore(nodeA);
    const context = fromHex("b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443");
    const views = await AuthorViews.of(store, context);
    const around = await views.around("da09c54471ddac836a5569e6e87c33f6f3427ebac0b5d299eafb33bb13fd8e73");
    const change = { kind: "set", path: '["@288"]', isSecret: false } as StateChange;
    expect(await changedEntries(around as DeltaViews, [change])).toEqual(new Map());
    const all = await pastValueAt(await views.now(), "$");
    expect(all).toMatchObject({ kind: "value", json: { items: { a10: "first 10" } } });
  });

  it("is also that of show", async () => {
    const { stdout } = await played(120, "show", nodeA, "bca6008e");
    expect(stdout).toContain('~ counters["c"]: "2" → "3", 108 bytes');
  });
});
