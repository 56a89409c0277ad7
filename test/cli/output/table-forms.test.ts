/** Tables for programs, sizes in bytes, and the colours of lines. */
import { describe, expect, it } from "vitest";
import { marksOf } from "../../../src/cli/output/colors.js";
import { printTable } from "../../../src/cli/output/table.js";
import { Terminal } from "../../../src/cli/output/terminal.js";
import { fixturePath } from "../../support/fixtures.js";
import { nodeA } from "../printing.js";
import { linesOf, played, Sink } from "../run.js";

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

  it.each([
    ["log", "--limit", "3"],
    ["log", "office"],
    ["log", "lobby", "--entry", "items.a10"],
    ["diff", fixturePath("core-0.11/node-b", "db")],
  ])("%s %s %s prints one whole id per line", async (command, ...more) => {
    const lines = await seen(command, nodeA, ...more, "-o", "name");
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !/^[0-9a-f]{64}$/.test(line))).toEqual([]);
  });

  it.each([
    ["scan", "--group", "office"],
    ["find", "office"],
    ["verify"],
    ["diff", fixturePath("core-0.11/node-c", "db"), "--rows"],
  ])("%s %s prints rows as show takes them", async (command, ...more) => {
    const lines = await seen(command, nodeA, ...more, "-o", "name");
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter((line) => !/^[A-Z]\w+( \w+=[^=]+)*$/.test(line))).toEqual([]);
    const { status, stdout } = await played(0, "show", nodeA, ...(lines[0] as string).split(" "));
    expect(status).toBe(0);
    expect(stdout).toContain((lines[0] as string).split(" ")[0]);
  });

  it("of what has no id, the name", async () => {
    expect(await seen("du", nodeA, "-o", "name")).toContain("PrivateState");
    expect(await seen("du", nodeA, "-o", "name")).not.toContain("in all");
  });
});

it("-o wide cuts nothing and leaves nothing out", async () => {
  const [head = "", first = ""] = await seen("contexts", nodeA, "-o", "wide");
  expect(head).toMatch(/^context +deltas +rows +bytes +changed +group +application$/);
  expect(first).toMatch(/^lobby \(b875f1c0\) .* kv_store\.wasm$/);
});

it("-o csv has heads, whole ids, and plain numbers", async () => {
  const [head, first] = await seen("contexts", nodeA, "-o", "csv", "--utc");
  expect(head).toBe("context,deltas,rows,bytes,changed,group,application");
  expect(first).toBe(`lobby (${LOBBY}),155,305,71985,2026-11-21 05:51:50 UTC,office,kv_store.wasm`);
  const [, founder, other = ""] = await seen("members", nodeA, "office", "-o", "csv");
  expect(founder).toMatch(/^this node \(de2a2d20[0-9a-f]{56}\),"Admin, owner",1,/);
  expect(other.split(",")[0]).toMatch(/^38ec7407[0-9a-f]{56}$/);
});

it("-o csv leaves a text as it is, also one that looks like a number in groups", async () => {
  const out = new Sink();
  const terminal = new Terminal(out, out);
  const rows = [
    ["text", "number"],
    ["12,345", 12345],
    ["1,234,567", 1234567n],
  ];
  terminal.show({ output: "csv" }, "contexts");
  await printTable(terminal, rows, {});
  terminal.show({}, "contexts");
  await printTable(terminal, rows, { right: [1] });
  await terminal.flush();
  expect(linesOf(out.text)).toEqual([
    ...["text,number", '"12,345",12345', '"1,234,567",1234567'],
    ...["text          number", "12,345        12,345", "1,234,567  1,234,567"],
  ]);
});

it("-o csv names the context in each row where nodes differ", async () => {
  const [, ...rows] = await seen("hash", nodeA, fixturePath("core-0.11/node-c", "db"), "-o", "csv");
  expect(rows.filter((row) => row.includes(LOBBY))).toHaveLength(2);
});

it.each([
  [["status", nodeA, "--rows"], "column family,rows,bytes,kinds of rows", /^Meta,7,931,ContextMeta 7$/],
  [["status", nodeA, "--files"], "column family,level,files,compression,", /^Meta,0,1,none,"",/],
  [["scan", nodeA, "Alias"], "row,column family,value", RegExp(`^Alias .* name=lobby,Alias,${LOBBY}$`)],
  [["scan", nodeA, "Alias", "--keys-only"], "row,column family", /^Alias .* name=lobby,Alias$/],
  [["find", nodeA, "lobby"], "row,column family,found in", /^ContextMeta .*,Meta,in the key: contextId$/],
  [
    ["log", nodeA, "--limit", "1", "--utc"],
    "id,number,time,by,in,what,bytes,remarks",
    RegExp(`^da09c544.*,"",2026-11-21 05:51:50 UTC,38ec7407[0-9a-f]+,lobby \\(${LOBBY}\\),`),
  ],
  [["log", nodeA, "office", "--limit", "1"], "id,number,time,", /^c30b7f57\w+,29,between /],
  [["log", nodeA, "lobby", "--entry", "items.a10"], "id,number,time,", /,"nothing → ""first 10""",/],
  [["diff", nodeA, fixturePath("core-0.11/node-b", "db")], "id,kind,verdict", /,context,only in node-a$/],
  [
    ["diff", nodeA, fixturePath("core-0.11/node-c", "db"), "--rows"],
    "row,column family,difference,fields,expected",
    /^ContextMeta contextId=\w+,Meta,only in node-a,"",""$/,
  ],
  [
    ["verify", nodeA],
    "row,rule,severity,message,found,expected",
    /^ContextState contextId=\w+ stateKey=\w+,[a-z-]+,(info|warning),/,
  ],
  [["verify", "--list"], "rule,severity,no.,revisions,what should hold", /^column-readable,error,1,/],
] as const)("%j -o csv", async (words, heads, row) => {
  const [head, first] = await seen(...words, "-o", "csv");
  expect(head?.startsWith(heads)).toBe(true);
  expect(first).toMatch(row);
});

it("stuck -o csv names each delta, where it waits and for what", async () => {
  const [head, first] = await seen("stuck", fixturePath("core-0.11/log", "db"), "-o", "csv");
  expect(head).toBe("id,of,node,what");
  expect(first).toMatch(/^3c982761[0-9a-f]+,context dev .*,log,delta 3c98/);
});

it.each([
  ["log", "--graph"],
  ["log", "--patch"],
  ["diff", nodeA, "--by=context"],
  ["verify", "--quiet"],
])("%s refuses -o where it prints no table", async (command, ...more) => {
  const { status, stderr } = await played(0, command, nodeA, ...more, "-o", "csv");
  expect({ status, lines: linesOf(stderr).length }).toEqual({ status: 2, lines: 1 });
});

it("-o and --json exclude each other", async () => {
  expect(await played(0, "contexts", nodeA, "-o", "csv", "--json")).toMatchObject({ status: 2, stdout: "" });
});

it("--bytes has the numbers of bytes", async () => {
  expect((await seen("contexts", nodeA, "lobby", "--bytes")).join("\n")).toContain("305 rows, 71,985 bytes");
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
