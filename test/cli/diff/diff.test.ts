/** `diff` as it is typed, and as it is read. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toBase58 } from "../../../src/bytes/base58.js";
import { fromHex } from "../../../src/bytes/hex.js";
import { sideNames } from "../../../src/cli/arguments/side-names.js";
import type { DiffSummary, RowDifference } from "../../../src/diff/index.js";
import { core010, core011 } from "../../../src/schemas/index.js";
import { appsDatabase } from "../../support/apps.js";
import { copyOfDatabase, type FixtureRow, fixturePath, fixtureRows } from "../../support/fixtures.js";
import { folderOfEachTest } from "../../support/folder-of-each-test.js";
import { changeDatabase, exportText, makeDatabase } from "../../support/transfer.js";
import { cli, expectRefusal, intoPipe, linesOf, type Outcome, onTerminal } from "../run.js";

const A = fixturePath("core-0.11/node-a", "db");
const B = fixturePath("core-0.11/node-b", "db");
const C = fixturePath("core-0.11/node-c", "db");
const shared = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

const folder = folderOfEachTest();

/** The rows and the summary of NDJSON output. */
function parsed({ stdout }: Outcome): {
  readonly rows: readonly RowDifference[];
  readonly summary: DiffSummary;
} {
  const lines = linesOf(stdout).map((line) => JSON.parse(line) as unknown);
  const { summary } = lines.at(-1) as { summary: DiffSummary };
  return { rows: lines.slice(0, -1) as RowDifference[], summary };
}

describe("a name that is in neither database", () => {
  it("is refused with the names in both", async () => {
    const { status, stderr } = await cli("diff", A, C, "--context", "nope");
    expect(status).toBe(1);
    expect(stderr).toMatch(/no context in the database has .*; names are "Lobby 6", "lobby"/);
    // The first database has a similar name.
    expect((await cli("diff", A, C, "--context", "nestd")).stderr).toContain('did you mean "nested"?');
  });
});

describe("the status", () => {
  it("is 0 when all rows are equal, 1 when not, 3 when a side cannot be read, 2 for wrong use", async () => {
    writeFileSync(join(folder.path, "cut"), (await exportText(A)).slice(0, -200));
    const [equal, other, missing, none, cut, wrong] = (await Promise.all([
      cli("diff", "--rows", "--json", A, fixturePath("core-0.11/node-a-live", "db")),
      cli("diff", "--rows", "--json", A, B),
      cli("diff", "--rows", "--json", A, join(folder.path, "none")),
      cli("diff", "--rows", "--json", folder.path, A),
      cli("diff", "--rows", "--json", join(folder.path, "cut"), A, "--column", "Meta"),
      cli("diff", "--rows", "--json", A, B, "--column", "Nope"),
    ])) as [Outcome, Outcome, Outcome, Outcome, Outcome, Outcome];
    expect([equal.status, equal.stderr]).toEqual([0, ""]);
    expect(parsed(equal).summary).toMatchObject({ a: 1011, b: 1011 });
    expect([other.status, other.stderr]).toEqual([1, ""]);
    expectRefusal(missing, 3, /none does not exist/);
    expectRefusal(none, 3, /no RocksDB database/);
    expect(cut.status).toBe(3);
    expect(cut.stderr).toMatch(/^merostore: \S*cut\S*: line \d+ has no end: the file was truncated/);
    expectRefusal(wrong, 2, /neither database has a column family "Nope"; they have Meta/);
    expectRefusal(await cli("diff", "--rows", "--json", A), 2, /missing required argument 'b'/);
    expectRefusal(await cli("diff", "--json", A, B, "--by", "kind"), 2, /--by.*context, group/);
    expectRefusal(
      await cli("diff", "--rows", "--json", A, B, "--context", "xyz"),
      1,
      /--context: no context in the database has the name or id "xyz"/,
    );
    // Some of the rows do not tell whether a context is the same.
    for (const words of [
      ["--column", "Meta"],
      ["--group", shared],
    ])
      expectRefusal(
        await cli("diff", "--json", A, B, "--by", "context", ...words),
        2,
        /--by.*cannot be used with/,
      );
  });
});

describe("databases and exports, packed and not", () => {
  it("are compared alike, on either side", async () => {
    const [plain, packed] = [join(folder.path, "c.ndjson"), join(folder.path, "c.gz")];
    await intoPipe("export", C, "--reveal-secrets", "-o", plain);
    await intoPipe("export", C, "--reveal-secrets", "--gzip", "-o", packed);
    const wanted = await intoPipe("diff", "--rows", "--json", A, C);
    expect(wanted.status).toBe(1);
    expect(parsed(wanted).summary).toMatchObject({ onlyInA: 749, onlyInB: 2, different: 42, benign: 145 });
    for (const file of [plain, packed])
      expect(await intoPipe("diff", "--rows", "--json", A, file)).toEqual(wanted);
    expect(await intoPipe("diff", "--rows", "--json", A, C, "--engine", "rocksdb")).toEqual(wanted);
    const back = parsed(await intoPipe("diff", "--rows", "--json", packed, A)).summary;
    expect(back).toMatchObject({ onlyInA: 2, onlyInB: 749, different: 42, benign: 145 });
    expect((await intoPipe("diff", "--rows", "--json", plain, packed)).status).toBe(0);
  });

  it("of several revisions too, and as one that is named", async () => {
    const older = fixtureRows("core-0.10/tables").filter(({ column }) =>
      ["Delta", "Identity"].includes(column),
    );
    const newer = fixtureRows("core-0.11/node-a").filter(
      ({ column }) => !["Delta", "Identity"].includes(column),
    );
    const [path, file] = [join(folder.path, "db"), join(folder.path, "export")];
    await makeDatabase(path, core011.columns, [...older, ...newer]);
    await intoPipe("export", path, "--reveal-secrets", "-o", file);
    for (const words of [["--rows"], ["--rows", "--revision", "core-0.11"], ["--by", "context"], []]) {
      const outcome = await intoPipe("diff", "--json", path, file, ...words);
      expect({ status: outcome.status, stderr: outcome.stderr }).toEqual({ status: 0, stderr: "" });
    }
  });

  it("of an export without secrets, only keys are compared, and this is reported", async () => {
    const file = join(folder.path, "redacted");
    await intoPipe("export", A, "-o", file);
    const { status, stdout } = await onTerminal("diff", "--rows", A, file);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^equal: 1,011 rows; an export lacks the values of \d\d rows\n$/);
  });
});

describe("selection", () => {
  it("by context, group and column family is all that is compared", async () => {
    const context = parsed(await intoPipe("diff", "--rows", "--json", A, C, "--context", shared));
    expect(context.rows.every(({ parts }) => Object.values(parts ?? {}).includes(shared))).toBe(true);
    expect(context.summary.different).toBeGreaterThan(2);
    const base58 = await intoPipe("diff", "--rows", "--json", A, C, "--context", toBase58(fromHex(shared)));
    expect(parsed(base58)).toEqual(context);
    const { rows } = parsed(
      await intoPipe("diff", "--rows", "--json", A, C, "--context", shared, "--column", "State", "Delta"),
    );
    expect(new Set(rows.map(({ column }) => column))).toEqual(new Set(["State", "Delta"]));
    const { parts } = fixtureRows("core-0.11/node-a").find(({ kind }) => kind === "GroupMeta") ?? {};
    const groupId = parts?.groupId as string;
    const group = parsed(await intoPipe("diff", "--rows", "--json", A, C, "--group", groupId));
    expect(group.rows.length).toBeGreaterThan(0);
    expect(group.rows.every(({ parts }) => Object.values(parts ?? {}).includes(groupId))).toBe(true);
  });
});

describe("on a terminal", () => {
  it("each row has its sign, its key, and its fields from where they differ", async () => {
    const { stdout, status } = await onTerminal("diff", "--rows", A, C, "--context", shared);
    expect(status).toBe(1);
    const lines = linesOf(stdout);
    for (const line of lines.slice(0, -1)) expect(line.length).toBeLessThanOrEqual(120);
    expect(lines).toContainEqual(
      expect.stringMatching(/^< State ContextState contextId=b875f1c0… stateKey=[0-9a-f]{8}…$/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^~ Meta ContextMeta contextId=b875f1c0…$/));
    expect(lines).toContainEqual(
      "    rootHash: 08e73069d9fdc685697bec1ec18785ecd816377… → c5c40fa5676672ebb1856b360a7fd37672d34e4…",
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/^~ Delta ContextDagDelta contextId=b875f1c0… deltaId=.* {2}\(each node records/),
    );
    expect(lines).toContain("    applied: true → false");
    expect(lines.slice(-2).join("")).toBe(
      "468 rows in node-a and 127 in node-c: 341 only in node-a, 0 only in node-c, 6 different; 5 of these are expected between  correct nodes",
    );
  });

  it("long values are shown from just before the difference, texts without control characters", async () => {
    const [delta] = fixtureRows("core-0.10/tables").filter(({ kind }) => kind === "GroupAlias") as [
      ReturnType<typeof fixtureRows>[number],
    ];
    const text = (value: string) => {
      const bytes = Buffer.from(value);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return Buffer.concat([length, bytes]).toString("hex");
    };
    const [a, b] = [join(folder.path, "a"), join(folder.path, "b")];
    await makeDatabase(a, core010.columns, [{ ...delta, value: text(`${"x".repeat(100)}one`) }]);
    await makeDatabase(b, core010.columns, [{ ...delta, value: text(`${"x".repeat(100)}\u001b[2J`) }]);
    const { stdout } = await onTerminal("diff", "--rows", a, b, "--revision", "core-0.10");
    expect(stdout).toContain("value: …xxxxxxxxone → …xxxxxxxx\\u001b[2J\n");
  });

  it("values of more than 4 MiB are compared by size and first difference, and secret ones stay redacted", async () => {
    const rows = fixtureRows("core-0.10/tables");
    const [entry, secret] = ["ContextState", "ContextPrivateState"].map((kind) =>
      rows.find((row) => row.kind === kind),
    ) as [FixtureRow, FixtureRow];
    const large = (size: number, end: string) => `${"07".repeat(size)}${end}`;
    const [a, b] = [join(folder.path, "a"), join(folder.path, "b")];
    for (const [path, size, end] of [
      [a, 5 << 20, "01"],
      [b, 5 << 20, "0203"],
    ] as const)
      await makeDatabase(
        path,
        core010.columns,
        [entry, secret].map((row) => ({ ...row, value: large(size, end) })),
      );
    const outcome = await intoPipe("diff", "--rows", "--json", a, b, "--revision", "core-0.10");
    const [shown, hidden] = [entry, secret].map(({ kind }) =>
      parsed(outcome).rows.find((row) => row.kind === kind),
    );
    const differsAt = 5 << 20;
    expect(shown?.fields).toEqual([
      {
        path: "",
        a: { size: differsAt + 1, differsAt },
        b: { size: differsAt + 2, differsAt },
      },
    ]);
    expect(hidden?.fields).toEqual([{ path: "", a: "redacted", b: "redacted" }]);
    expect(outcome.stdout.length).toBeLessThan(2000);
    const { stdout } = await onTerminal("diff", "--rows", a, b, "--revision", "core-0.10");
    expect(stdout).toContain(
      "    value: {size: 5242881, differsAt: 5242880} → {size: 5242882, differsAt: 5242880}\n",
    );
  });

  it("contexts have their differences in sentences", async () => {
    const { stdout, status } = await onTerminal("diff", A, C, "--by", "context");
    expect(status).toBe(1);
    expect(stdout).toContain(
      [
        `context lobby / Lobby 6 (${shared.slice(0, 8)})`,
        "  State differs at 208 entries (206 rows only in node-a, 2 rows differ), root hashes 08e73069… and c5c40fa5…",
        "  node-c lacks 103 deltas after 9295d9fe…",
        "  30 older deltas only in node-a: node-c applied others that follow, as after a snapshot",
        "  35 rows with benign differences (correct nodes may have them)",
        "",
      ].join("\n"),
    );
    expect(stdout).toContain("  only node-a has this context\n  ContextMeta: 1 row only in node-a\n");
    expect(stdout).toContain("in rows that name no context\n  ApplicationMeta: 5 rows only in node-a\n");
    expect(stdout).toContain(
      "\n  91 rows with benign differences (correct nodes may have them)\n1,011 rows in node-a and 264 in node-c: 749 only",
    );
    const back = await onTerminal("diff", C, A, "--by", "context", "--context", shared);
    expect(back.stdout).toContain("node-c lacks 103 deltas after 9295d9fe…");
    expect(linesOf(back.stdout).filter((line) => line.startsWith("context "))).toEqual([
      `context Lobby 6 / lobby (${shared.slice(0, 8)})`,
    ]);
    for (const [option, id, head] of [
      ["--full", shared, "9295d9fe0e02d6ba22201be33d183fec0393dd8294a4a88d6f18f36a85ba1cba"],
      ["--base58", "DR4KxtEL", "AsD46Q1r…"],
    ] as const) {
      const shown = await onTerminal("diff", A, C, "--by", "context", "--context", shared, option);
      expect(shown.stdout).toContain(`context lobby / Lobby 6 (${id})`);
      expect(shown.stdout).toContain(`  node-c lacks 103 deltas after ${head}\n`);
    }
    const older = await onTerminal("diff", A, B, "--by", "context");
    expect(older.stdout).toContain(
      "  30 older deltas only in node-a: node-b applied others that follow, as after a snapshot\n",
    );
  });

  it("groups have theirs, with their names", async () => {
    const { stdout, status } = await onTerminal("diff", A, C, "--by", "group", "--full");
    expect(status).toBe(1);
    const office = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";
    const lines = linesOf(stdout);
    const at = lines.indexOf(`group office (${office})`);
    // Only the node that made the group has its name.
    expect(lines[at + 1]).toBe("  17 rows with benign differences (correct nodes may have them)");
    expect(lines).toContain("in rows that name no group");
    expect(stdout).toMatch(/\n1,011 rows in node-a and 264 in node-c: 749 only in node-a/);
    const one = await onTerminal("diff", A, C, "--by", "group", "--group", "office", "--json");
    const { groupId, kinds, benign } = JSON.parse(linesOf(one.stdout)[0] ?? "");
    expect({ groupId, kinds, benign }).toEqual({ groupId: office, kinds: {}, benign: 17 });
  });

  it("equal contexts are reported as equal", async () => {
    const { stdout, status } = await onTerminal("diff", A, A, "--by", "context");
    expect(status).toBe(0);
    expect(linesOf(stdout).filter((line) => line === "  equal")).toHaveLength(7);
    expect(linesOf(stdout).at(-1)).toBe("equal: 1,011 rows");
  });
});

describe("the verdict", () => {
  it("of nodes that agree stands first, and the status is 0, by context; rows differ", async () => {
    using a = appsDatabase("healed-n1");
    using b = appsDatabase("healed-n2");
    const [text, json, rows] = (await Promise.all([
      onTerminal("diff", a.path, b.path, "--by", "context"),
      intoPipe("diff", a.path, b.path, "--by", "context", "--json"),
      intoPipe("diff", "--rows", a.path, b.path, "--json"),
    ])) as [Outcome, Outcome, Outcome];
    expect([text.status, json.status, rows.status]).toEqual([0, 0, 1]);
    expect(linesOf(text.stdout)[0]).toBe("the nodes agree on all contexts");
    expect(text.stdout).not.toMatch(/State differs|deltas? with the same id/);
    expect(JSON.parse(linesOf(json.stdout).at(-1) ?? "")).toMatchObject({ agree: true });
  });

  it("of others tells in how many contexts or groups they differ", async () => {
    const [contexts, groups] = (await Promise.all([
      onTerminal("diff", A, C, "--by", "context"),
      onTerminal("diff", A, C, "--by", "group"),
    ])) as [Outcome, Outcome];
    expect(linesOf(contexts.stdout)[0]).toBe("the nodes differ in 6 of 7 contexts");
    expect(linesOf(groups.stdout)[0]).toBe("the nodes differ in 5 of 8 groups");
    expect([contexts.status, groups.status]).toEqual([1, 1]);
  });
});

describe("the names of the databases", () => {
  it.each([
    ["/x/node-a/db", "/x/node-b/db", "node-a", "node-b"],
    ["/x/node-a/data", "/x/copy", "node-a", "copy"],
    ["/a/node/db", "/b/node/db", "a", "b"],
    ["/x/before", "/x/after.ndjson.gz", "before", "after.ndjson.gz"],
    ["/x/n", "/x/n/db", "x/n", "x/n/db"],
    ["/x/db", "/x/db/", "A", "B"],
    ["https://host/n1/db/?sig=secret", "/x/n2/db", "n1", "n2"],
    ["postgres://me:secret@host/one", "postgres://me:secret@host/two", "one", "two"],
    [
      "postgres://me:secret@host/nodes?node=n1",
      "postgres://host/nodes?sslmode=require&node=n%202",
      "n1",
      "n 2",
    ],
    ["postgres://host/nodes?node=n1", "/x/n2/db", "n1", "n2"],
  ])("%s and %s are %s and %s", (a, b, ...names) => {
    expect(sideNames(a, b)).toEqual(names);
  });

  it("tell any number apart", () => {
    expect(sideNames("/x/n1/db", "/x/n2/db", "/x/n3/data")).toEqual(["n1", "n2", "n3"]);
    expect(sideNames("/a/node/db", "/b/node/db", "/c/node/db")).toEqual(["a", "b", "c"]);
    expect(sideNames("/a/n/db", "/b/n/db", "/c")).toEqual(["a/n/db", "b/n/db", "c"]);
    expect(sideNames("/x/n1/db", "/x/n2/db", "/x/n1/db")).toEqual(["A", "B", "C"]);
    expect(sideNames("/x/n1/db")).toEqual(["n1"]);
  });
});

describe("--json by context", () => {
  it("has a line for each context, and one for the rest", async () => {
    const outcome = await intoPipe("diff", "--json", A, C, "--by", "context");
    const lines = linesOf(outcome.stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(8);
    expect(lines.find(({ contextId }) => contextId === shared)).toMatchObject({
      a: { rootHash: expect.stringMatching(/^08e73069/) },
      b: { rootHash: expect.stringMatching(/^c5c40fa5/) },
      kinds: { ContextState: { onlyInA: 206, onlyInB: 0, different: 2 } },
      benign: 35,
      older: { onlyInA: 30, onlyInB: 0 },
      agree: false,
      sentences: expect.arrayContaining(["node-c lacks 103 deltas after 9295d9fe…"]),
    });
    expect(lines.at(-1)).toMatchObject({
      elsewhere: { benign: 91 },
      agree: false,
      sides: ["node-a", "node-c"],
      summary: { onlyInA: 749 },
    });
    expect((await onTerminal("diff", A, C, "--by", "context", "--json")).stdout).toBe(outcome.stdout);
  });

  it("reports every field of ContextMeta that differs", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const meta = fixtureRows("core-0.11/node-a").find(({ kind }) => kind === "ContextMeta");
    if (meta === undefined) throw new Error("no ContextMeta");
    await changeDatabase(copy.path, [{ ...meta, value: `ff${meta.value.slice(2)}` }]);
    const { stdout, status } = await onTerminal("diff", A, copy.path, "--by", "context");
    expect(status).toBe(1);
    expect(stdout).toContain(
      `(${meta.parts?.contextId?.toString().slice(0, 8)})\n  ContextMeta differs in application\n`,
    );
  });
});
