/** Tables for programs, sizes in bytes, and the colours of lines. */
import { describe, expect, it } from "vitest";
import { marksOf } from "../../src/cli/colors.js";
import { fixturePath } from "../support/fixtures.js";
import { nodeA } from "./printing.js";
import { linesOf, played } from "./run.js";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

const seen = async (...words: readonly string[]): Promise<readonly string[]> =>
  linesOf((await played(80, ...words)).stdout);

describe("-o name", () => {
  it.each([["contexts"], ["groups"], ["members", "office"], ["hash"], ["blobs list"]])(
    "%s %s prints one whole id per line",
    async (command, ...more) => {
      const lines = await seen(...command.split(" "), nodeA, ...more, "-o", "name");
      expect(lines.length).toBeGreaterThan(1);
      expect(lines.filter((line) => !/^[0-9a-f]{64}$/.test(line))).toEqual([]);
    },
  );

  it("of what has no id, the name", async () => {
    expect(await seen("du", nodeA, "-o", "name")).toContain("PrivateState");
    expect(await seen("du", nodeA, "-o", "name")).not.toContain("in all");
  });
});

it("-o wide cuts nothing and leaves nothing out", async () => {
  const [head = "", first = ""] = await seen("contexts", nodeA, "-o", "wide");
  expect(head).toMatch(/^context +deltas +entries +bytes +changed +group +application$/);
  expect(first).toMatch(/^lobby \(b875f1c0\) .* kv_store\.wasm$/);
});

it("-o csv has heads, whole ids, and plain numbers", async () => {
  const [head, first] = await seen("contexts", nodeA, "-o", "csv", "--utc");
  expect(head).toBe("context,deltas,entries,bytes,changed,group,application");
  expect(first).toBe(`lobby (${LOBBY}),155,305,71985,2026-11-21 05:51:50 UTC,office,kv_store.wasm`);
  const [, founder, other = ""] = await seen("members", nodeA, "office", "-o", "csv");
  expect(founder).toMatch(/^this node \(de2a2d20[0-9a-f]{56}\),"Admin, owner",1,/);
  expect(other.split(",")[0]).toMatch(/^38ec7407[0-9a-f]{56}$/);
});

it("-o csv names the context in each row where nodes differ", async () => {
  const [, ...rows] = await seen("hash", nodeA, fixturePath("core-0.11/node-c", "db"), "-o", "csv");
  expect(rows.filter((row) => row.includes(LOBBY))).toHaveLength(2);
});

it("-o and --json exclude each other", async () => {
  expect(await played(0, "contexts", nodeA, "-o", "csv", "--json")).toMatchObject({ status: 2, stdout: "" });
});

it("--bytes has the numbers of bytes", async () => {
  expect((await seen("contexts", nodeA, "lobby", "--bytes")).join("\n")).toContain(
    "305 entries, 71,985 bytes",
  );
  expect((await seen("du", nodeA, "--bytes")).join("\n")).not.toMatch(/\d [kMG]B\b/);
});

describe("colours", () => {
  const parts = (line: string, command = "log") =>
    marksOf(command, line).map(({ from, to, color }) => [line.slice(from, to), color]);

  it.each([
    [
      "members",
      "office (fa3977a2)  Admin !  operation 1",
      [
        ["office", "bold"],
        ["fa3977a2", "dim"],
        ["Admin !", "red"],
      ],
    ],
    [
      "groups",
      "├─ Money (57f9)  open · 2 members",
      [
        ["Money", "bold"],
        ["57f9", "dim"],
      ],
    ],
    [
      "diff",
      "context lobby (b875f1c0)  same",
      [
        ["lobby", "bold"],
        ["b875f1c0", "dim"],
        ["same", "green"],
      ],
    ],
    [
      "diff",
      "context lobby (b875f1c0)  node-a is behind (2 deltas)",
      [
        ["lobby", "bold"],
        ["b875f1c0", "dim"],
        ["node-a is behind (2 deltas)", "yellow"],
      ],
    ],
    [
      "diff",
      "< Meta ContextMeta contextId=321161a6…",
      [
        ["<", "red"],
        ["321161a6…", "dim"],
      ],
    ],
    ["log", '      - items["a"], 9 bytes', [["-", "red"]]],
    [
      "log",
      "2026-11-21 05:51:50 UTC  da09c544  38ec7407 set x (pending)",
      [
        ["da09c544", "dim"],
        ["38ec7407", "dim"],
        ["pending", "yellow"],
      ],
    ],
    [
      "status",
      "check     no errors, 3 warnings, 20 infos",
      [
        ["no errors", "green"],
        ["3 warnings", "yellow"],
      ],
    ],
    ["verify", "2 errors, 0 warnings, 0 infos; 1,011 rows", [["2 errors", "red"]]],
    ["scan", "GroupMember  groupId=57f93142…  {role: Member}", []],
  ] as const)("%s: %s", (command, line, expected) => {
    expect(parts(line, command)).toEqual(expected);
  });
});

describe("-o in commands without a table", () => {
  it.each([
    [
      "groups",
      "office",
      "-o is for the list of groups; the members of one: merostore members DB office -o csv",
    ],
    ["contexts", "lobby", "-o is for the list of contexts: --json has everything about one"],
  ])("%s of one thing says what has it", async (word, thing, says) => {
    expect(await played(0, word, nodeA, thing, "-o", "csv")).toEqual({
      status: 2,
      stdout: "",
      stderr: `merostore: ${says}\n`,
    });
  });

  it("what belongs to no group has no name in du", async () => {
    const { stdout } = await played(0, "du", nodeA, "--by", "group", "-o", "name");
    expect(linesOf(stdout).length).toBeGreaterThan(3);
    for (const line of linesOf(stdout)) expect(line).toMatch(/^[0-9a-f]{64}$/);
  });
});
