/**
 * The questions that people ask about a node, one command each. The expected texts were written by hand from the rows
 * of the fixtures (rows.jsonl), not by the program.
 */
import { describe, expect, it } from "vitest";
import { fixturePath, fixtureRows } from "../../support/fixtures.js";
import { intoPipe, linesOf, played } from "../run.js";

const database = (name: string): string => fixturePath(name, "db");

/** The output on a terminal of 140 columns. */
async function seen(...words: readonly string[]): Promise<readonly string[]> {
  const { status, stdout } = await played(140, ...words);
  expect(status).toBe(0);
  return linesOf(stdout);
}

describe("groups", () => {
  it("prints the tree with admins, members, contexts and this node's role", async () => {
    expect(await seen("groups", database("core-0.11/node-b"))).toEqual([
      "fa3977a2  2 members · admin de2a2d20 · context Lobby 6 · f634f3c7 · this node: Member",
      "├─ Money (57f93142)  restricted · 2 members · admin de2a2d20 · f634f3c7 · this node: Member",
      "└─ d3c1ecd7  open · 1 member · admin de2a2d20 · context 8d587abf · f634f3c7 · this node: not a member",
    ]);
    expect((await seen("groups", database("core-0.11/node-a"))).slice(-5, -2)).toEqual([
      "office (fa3977a2)  2 members · admin this node (de2a2d20) · context lobby · kv_store.wasm · this node: Admin, owner",
      "├─ Money (57f93142)  restricted · 2 members · admin this node (de2a2d20) · kv_store.wasm · this node: Admin, owner",
      "└─ design6 (d3c1ecd7)  open · 1 member · admin this node (de2a2d20) · context old · kv_store.wasm · this node: Admin, owner",
    ]);
    expect(await seen("groups", database("core-0.11/node-c"))).toEqual([
      "fa3977a2  2 members · admin de2a2d20 · context Lobby 6 · f634f3c7 · this node: not a member",
      "├─ Money (57f93142)  restricted · 2 members · admin de2a2d20 · f634f3c7 · this node: not a member",
      "└─ d3c1ecd7  open · 1 member · admin de2a2d20 · context 8d587abf · f634f3c7 · this node: not a member",
    ]);
    expect(await seen("groups", database("core-0.10/node-b"))).toEqual([
      "04eadf57  1 member · admin 075208bd · context The lobby · b8b56c37 · this node: Member",
      "50180603  no row of a member · admin 075208bd · this node: not a member",
      "a9fca9bf  no row of a member · admin 075208bd · this node: not a member",
    ]);
    // The creator of a group has no row in it in core-0.10, and is its admin.
    expect((await seen("groups", database("core-0.10/node-a")))[0]).toBe(
      "design (50180603)  no row of a member · admin this node (075208bd) · this node: Admin",
    );
  });

  it("names members who are gone as the log does", async () => {
    const lines = await seen("groups", database("core-0.11/node-a"), "office");
    expect(lines).toContain("gone             Zoë (e8e04d8c) left");
  });

  it("prints everything about one group", async () => {
    const lines = await seen("groups", database("core-0.11/node-a"), "Money", "--utc");
    for (const line of [
      "group            Money",
      "id               57f93142761aef328270caa5cae4ea868d36d60b3a01458df75008c10cd9c03e",
      "namespace        office (fa3977a2)",
      "parent           office (fa3977a2)",
      "owner            this node (de2a2d20)",
      "visibility       restricted",
      "data             floor=3",
      "state hash       6a0595bbbc6da5c16e7674a13710e943ddb68450ca264c92b9ba7e2cab2dd14f",
      "own log          6 operations, 1 head",
      "38ec7407              Member        1        operation 19, by this node (de2a2d20)",
    ])
      expect(lines).toContain(line);
  });
});

describe("members", () => {
  it("prints names, roles, devices and capabilities", async () => {
    expect(await seen("members", database("core-0.11/node-a"), "office")).toEqual([
      "member                role          devices  since                                 capabilities",
      "this node (de2a2d20)  Admin, owner  1        operation 1",
      "38ec7407              Member        1        operation 9, by this node (de2a2d20)  CAN_CREATE_CONTEXT, CAN_INVITE_MEMBERS",
    ]);
    expect(await seen("members", database("core-0.10/node-a"), "office")).toEqual([
      "member                role    devices  since        capabilities",
      "this node (075208bd)  Admin            operation 1",
      "8a351a82              Member                        CAN_CREATE_CONTEXT, CAN_INVITE_MEMBERS",
    ]);
  });
});

describe("log", () => {
  it("prints the last operations of a namespace in words, decrypted", async () => {
    const lines = await seen("log", database("core-0.11/node-a"), "office", "--limit", "5", "--utc");
    expect(
      lines.map((line) => line.replace(/ \((?:between|before|after) .*| (?=2026).*/, "").trimEnd()),
    ).toEqual(
      expect.arrayContaining([
        "  28  5b7cf7f6  Zoë (e8e04d8c) left office (fa3977a2)",
        "  27  80c5add4  this node (de2a2d20) deleted group fb371b2c",
        "  25  cad8b379  Zoë (e8e04d8c) joined open group design6 (d3c1ecd7)",
      ]),
    );
    expect(lines[0]).toContain(
      "this node (de2a2d20) changed the key of office (fa3977a2) after Zoë (e8e04d8c) left",
    );
  });

  it("prints the operations of core-0.10, where members are keys", async () => {
    expect(await seen("log", database("core-0.10/node-b"), "04eadf57")).toEqual([
      "   6  d84e0241  this node (8a351a82) joined 04eadf57 as Member, invited by 075208bd",
      '   5  85207601  075208bd named context The lobby (1e75c022) "The lobby" in 04eadf57',
      "   4  ed7e8c9a  075208bd created context The lobby (1e75c022) in 04eadf57 with application b8b56c37 (code 473b9580), from",
      '      "file:///app10/kv_store.wasm"',
      "   3  b2ff4cf8  075208bd created group a9fca9bf",
      "   2  62218efc  075208bd created group 50180603",
      "   1  4891c4dd  075208bd founded namespace 04eadf57",
    ]);
  });

  it("prints a group's own log, which has what this node applied", async () => {
    const lines = await seen("log", database("core-0.11/node-a"), "design6", "--own");
    expect(lines[0]).toMatch(
      /^ {3}2 {2}[0-9a-f]{8} {2}this node \(de2a2d20\) created context old \(8d587abf\)/,
    );
    expect(lines.at(-1)).toMatch(
      /^ {3}1 {2}[0-9a-f]{8} {2}this node \(de2a2d20\) made design6 \(d3c1ecd7\) open$/,
    );
  });

  it("prints what a delta changed", async () => {
    const lines = await seen(
      "log",
      database("core-0.11/node-a"),
      "lobby",
      "--limit",
      "1",
      "--patch",
      "--utc",
    );
    expect(lines).toEqual([
      '2026-11-21 05:51:50 UTC  da09c544  38ec7407 set items["late103"] = "103", 767 bytes',
      '      + items["late103"] = "103", 106 bytes',
      "      ~ the fields of the state (76767676), 64 bytes",
      "      ~ the root of the tree (b875f1c0), 32 bytes",
    ]);
  });

  it("prints the same operations with a limit as without one", async () => {
    for (const name of ["core-0.11/node-a", "core-0.11/node-b", "core-0.10/node-a", "core-0.11/log"]) {
      const groups = linesOf((await intoPipe("groups", database(name), "--json")).stdout).map(
        (line) => (JSON.parse(line) as { readonly id: string }).id,
      );
      for (const group of groups.slice(0, 4)) {
        const all = await intoPipe("log", database(name), group, "--json");
        const limited = await intoPipe("log", database(name), group, "--json", "--limit", "1000");
        expect(limited.stdout).toBe(all.stdout);
      }
    }
  });
});

it("log --since leaves out what is older, and refuses what is no time", async () => {
  const db = database("core-0.11/node-a");
  const all = linesOf((await intoPipe("log", db, "lobby", "--json")).stdout);
  const since = Date.parse("2026-11-21T05:51:40Z");
  const newer = all.filter((line) => (JSON.parse(line) as { readonly time: number }).time >= since);
  expect(newer.length).toBeGreaterThan(0);
  expect(newer.length).toBeLessThan(all.length);
  const { stdout } = await intoPipe("log", db, "lobby", "--json", "--since", "2026-11-21T05:51:40Z");
  expect(linesOf(stdout)).toEqual(newer);
  expect(await played(0, "log", db, "office", "--since", "soon")).toMatchObject({ status: 2, stdout: "" });
});

describe("contexts", () => {
  it("prints the context with the most deltas first, with its application", async () => {
    const lines = await seen("contexts", database("core-0.11/node-a"), "--utc");
    expect(lines[1]).toBe(
      "lobby (b875f1)     155   305        72 kB  2026-11-21 05:51:50 UTC  office                                 kv_store.wasm",
    );
  });

  it("prints everything about one context", async () => {
    const lines = await seen("contexts", database("core-0.11/node-a"), "Lobby 6", "--utc");
    for (const line of [
      "context      lobby",
      "group        office (fa3977a2)",
      "application  kv_store.wasm (f634f3c7)",
      "state        305 rows, 72 kB",
      "deltas       155",
      "root hash    08e73069d9fdc685697bec1ec18785ecd816377a6c2f887b5b2f862eaaa9d90b",
    ])
      expect(lines).toContain(line);
  });
});

describe("show", () => {
  it("prints an operation, a delta, a member, an application and a device", async () => {
    const db = database("core-0.11/node-a");
    expect((await seen("show", db, "c30b7f57"))[0]).toContain("changed the key of office");
    expect((await seen("show", db, "da09c544"))[0]).toContain('38ec7407 set items["late103"] = "103"');
    expect(await seen("show", db, "38ec7407")).toContain(
      "groups     Money (57f93142) as Member, office (fa3977a2) as Member",
    );
    expect(await seen("show", db, "kv_store.wasm")).toContain(
      "contexts       old (8d587abf), lobby (b875f1c0)",
    );
    expect((await seen("show", db, "88fa7d42"))[0]).toBe(
      "device                 88fa7d429b3036b9eb12a2dc8cf1eb91fb186a10e6fd947278968d242d91b153",
    );
  });
});

describe("find", () => {
  it("finds every row with an id, by its first digits, and nothing else", async () => {
    const { status, stdout } = await intoPipe("find", database("core-0.11/node-a"), "fa3977a2", "--json");
    expect(status).toBe(0);
    const id = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";
    const found = linesOf(stdout).map(
      (line) => JSON.parse(line) as { readonly key: string; readonly value?: string },
    );
    // Every row of rows.jsonl that has the id, secrets included: none of them holds it inside a secret.
    const rows = fixtureRows("core-0.11/node-a").filter(({ key, value }) => has(key, id) || has(value, id));
    expect(found.map(({ key }) => key).toSorted()).toEqual(rows.map(({ key }) => key).toSorted());
  });

  it("finds the rows of all ids that begin with the digits, where there are several", async () => {
    const { status, stdout } = await intoPipe("find", database("documented/tables"), "1111", "--json");
    expect(status).toBe(0);
    const keys = linesOf(stdout).map((line) => (JSON.parse(line) as { readonly key: string }).key);
    expect(keys.some((key) => has(key, "11".repeat(32)))).toBe(true);
    expect(keys.some((key) => has(key, `${"11".repeat(31)}12`))).toBe(true);
  });

  it("ends with status 1 if no row has it", async () => {
    const { status, stderr } = await intoPipe("find", database("core-0.11/node-a"), "nobody has this");
    expect(status).toBe(1);
    expect(stderr).toBe("merostore: no row has it\n");
  });
});

/** Returns whether hex digits hold an id at a whole byte. */
function has(digits: string, id: string): boolean {
  for (let at = digits.indexOf(id); at >= 0; at = digits.indexOf(id, at + 1)) if (at % 2 === 0) return true;
  return false;
}

describe("du", () => {
  it("adds up to all bytes, however it counts", async () => {
    for (const by of ["family", "kind", "group", "context"]) {
      const { stdout } = await intoPipe("du", database("core-0.11/node-a"), "--by", by, "--json");
      const entries = linesOf(stdout).map((line) => JSON.parse(line) as { rows: number; bytes: number });
      expect(entries.reduce((sum, { rows }) => sum + rows, 0)).toBe(1011);
    }
  });
});

describe("names and ids", () => {
  const db = database("core-0.11/node-a");

  it("are accepted as names, whole ids in hex and base58, and first digits", async () => {
    const texts = [
      "office",
      "OFFICE",
      "fa39",
      "fa3977a2…",
      "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05",
      "HqmkS4UhBYn7Qnoe7SBrR3dMto1SZN5NwmELweCuXyAC",
    ];
    const outputs = await Promise.all(texts.map((text) => intoPipe("members", db, text)));
    for (const output of outputs) expect(output).toEqual(outputs[0]);
    expect(outputs[0]?.status).toBe(0);
  });

  it("end with status 1 if nothing has them, and with 2 and the candidates if several things do", async () => {
    for (const [command, ...words] of [
      ["show", "nobody"],
      ["groups", "nobody"],
      ["contexts", "nobody"],
      ["members", "nobody"],
      ["state", "nobody"],
      ["log", "nobody"],
      ["log", "--member", "nobody"],
      ["why-not", "nobody", "write", "office"],
      ["scan", "--group", "nobody"],
      ["scan", "GroupMember", "groupId=nobody"],
      ["show", "GroupMember", "groupId=nobody"],
      ["verify", "--context", "nobody"],
      ["blobs", "show", "nobody"],
    ] as const) {
      const subcommand = command === "blobs" ? words.slice(0, 1) : [];
      const outcome = await played(0, command, ...subcommand, db, ...words.slice(subcommand.length));
      expect(outcome, `${command} ${words.join(" ")}`).toMatchObject({ status: 1, stdout: "" });
      expect(outcome.stderr).toContain('has the name or id "nobody"');
    }
    const { status, stderr } = await played(0, "show", database("documented/tables"), "1111");
    expect(status).toBe(2);
    expect(stderr).toMatch(/can mean .*, /);
  });

  it("shown short are accepted back", async () => {
    for (const command of ["groups", "contexts"]) {
      const lines = await seen(command, db);
      const shorts = new Set(lines.flatMap((line) => line.match(/(?<=\()[0-9a-f]{4,16}(?=\))/g) ?? []));
      expect(shorts.size).toBeGreaterThan(6);
      for (const id of shorts) expect((await played(140, "show", db, id)).status).toBe(0);
    }
    for (const line of await seen("log", db, "office", "--limit", "10")) {
      const id = /^ *\d+ {2}([0-9a-f]{8,16}) {2}/.exec(line)?.[1];
      if (id !== undefined) expect((await played(140, "show", db, id)).status).toBe(0);
    }
  });
});

it.each([60, 80, 120, 200])("no line is longer than a terminal of %i columns", async (columns) => {
  const db = database("core-0.11/node-a");
  for (const words of [
    ["groups", db],
    ["groups", db, "office"],
    ["contexts", db],
    ["contexts", db, "lobby"],
    ["members", db, "office"],
    ["log", db, "office"],
    ["log", db, "lobby", "--limit", "3", "--patch"],
    ["show", db, "lobby"],
    ["du", db, "--by", "context"],
    ["find", db, "lobby", "--limit", "5"],
  ]) {
    const { stdout } = await played(columns, ...words);
    for (const line of linesOf(stdout))
      expect([words.join(" "), line.length]).toEqual([words.join(" "), Math.min(line.length, columns)]);
  }
});
