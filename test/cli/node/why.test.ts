/** Why nodes differ, as the command prints it. */
import { expect, it } from "vitest";
import { fromHex } from "../../../src/bytes/hex.js";
import { successor } from "../../../src/bytes/order.js";
import { openStore } from "../../../src/index.js";
import { ContextMeta } from "../../../src/keys/index.js";
import { copyOfDatabase, fixturePath } from "../../support/fixtures.js";
import { cli, linesOf, played } from "../run.js";

const database = (name: string): string => fixturePath(`core-0.11/${name}`, "db");
const [a, b, c] = ["node-a", "node-b", "node-c"].map(database) as [string, string, string];

it("says in a sentence why two nodes differ, with all causes and the entries of both", async () => {
  const { status, stdout } = await played(140, "why", a, c, "lobby", "--limit", "2", "--utc");
  expect(status).toBe(0);
  expect(linesOf(stdout)).toEqual([
    "context lobby / Lobby 6 (b875f1c0): node-c is the node of Zoë, who left office with operation 28: node-c lacks the last 103 deltas of",
    "  node-a.",
    "  verdict      left",
    "  no row       operation 28 (5b7cf7f6): Zoë left office",
    "  no row       operation 29 (c30b7f57): node-a changed the key of office after Zoë left, and sent a new group key to 2 devices; node-c does",
    "               not hold the new key",
    "  313 rows     node-c lacks 103 deltas of node-a, since 2026-11-21 05:51:47 UTC, by 38ec7407",
    "  30 rows      node-c took over the older deltas with a snapshot",
    "  3 rows       expected between correct nodes: each has its own keys, names, clocks and counters",
    "  unexplained  no row",
    "  entry           node-a  node-c",
    '  items["late1"]  "1"     not there',
    '  items["late2"]  "2"     not there',
    "  … 101 more entries",
  ]);
});

it("says the same in JSON, and counts everything that it leaves out", async () => {
  const { status, stdout } = await cli("why", c, a, "lobby", "--json", "--limit", "2");
  expect(status).toBe(0);
  const answer = JSON.parse(stdout) as {
    readonly causes: readonly { readonly rule: string; readonly sentence: string }[];
  };
  // Programs look ids up.
  const sentences = answer.causes.map(({ sentence }) => sentence).join("\n");
  expect(sentences).toContain(
    "operation 28 (5b7cf7f643cc7e95628078b77a6cc6b260cd5aee6844186c6bfcc316ae30586d): Zoë left office",
  );
  expect(sentences).not.toMatch(/\b[0-9a-f]{8}\b/);
  expect(answer).toMatchObject({
    nodes: ["node-c", "node-a"],
    context: "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443",
    verdict: "left",
    about: ["node-c"],
    entries: [{ path: 'items["late1"]', values: [null, "1"] }, { path: 'items["late2"]' }],
    entryCount: 103,
    unexplained: 0,
  });
  const deltas = answer.causes.find(({ rule }) => rule === "deltas");
  expect(deltas).toMatchObject({ rows: { length: 2 }, rowCount: 313, deltas: { length: 103 } });
});

it("says of one context or group what it says of all, row for row", async () => {
  const pairsIn = async (...words: readonly string[]) =>
    linesOf((await cli("why", a, c, ...words, "--json")).stdout).map((line) => JSON.parse(line));
  const all = await pairsIn();
  for (const [word, of] of [
    ["lobby", "context"],
    ["office", "group"],
  ] as const) {
    const [alone] = await pairsIn(word);
    expect(all.find((one) => one[of] === alone[of])).toEqual(alone);
  }
});

it("shows ids in sentences as the options ask", async () => {
  const id = "5b7cf7f6";
  const [whole, base58] = await Promise.all(
    ["--full", "--base58"].map(async (look) => (await cli("why", a, c, "lobby", look)).stdout),
  );
  expect(whole).toMatch(new RegExp(`operation 28 \\(${id}[0-9a-f]{56}\\)`));
  expect(base58).not.toContain(id);
  expect((await cli("why", a, c, "lobby")).stdout).toContain(`operation 28 (${id})`);
});

it("takes one context or group", async () => {
  const { status, stderr } = await cli("why", a, c, "lobby", "office");
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining("one context or group may be named: no database is at lobby, nor at office"),
  ]);
});

it("takes a group, and says what only some nodes have", async () => {
  const money = await played(140, "why", b, c, "Money");
  expect(linesOf(money.stdout)[0]).toBe(
    "group Money (57f93142): node-c is the node of Zoë, who was removed from Money with operation 24: node-c does not hold the key 95ff865e of",
  );
  const alone = await played(140, "why", a, b, "private");
  expect([alone.status, linesOf(alone.stdout)[0]]).toEqual([
    0,
    "context private (321161a6): only node-a has this context.",
  ]);
  const all = await played(140, "why", a, b);
  expect(all.status).toBe(0);
  expect(all.stdout.replaceAll(/\s+/g, " ")).toContain("only node-a has contexts private (321161a6), nested");
  expect(linesOf(all.stdout).at(-1)).toBe("unexplained in total: no row");
  expect((await played(140, "why", a, b, "no such thing")).status).toBe(1);
});

it("lists the rows that have no cause, and ends with status 1", async () => {
  using copy = copyOfDatabase("core-0.11/node-a");
  const lobby = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
  const value = JSON.stringify({ applicationRevision: "7", membersRevision: "0" });
  const change = ["ContextConfig", `contextId=${lobby}`, "--value", value];
  expect((await cli("put", copy.path, ...change)).status).toBe(0);
  const { status, stdout } = await played(240, "why", a, copy.path, "lobby");
  expect(status).toBe(1);
  const lines = linesOf(stdout);
  expect(lines[0]).toContain(
    ": the root hashes are equal, but the row ContextConfig differs for no known cause.",
  );
  expect(lines.slice(-2)).toEqual([
    "  unexplained  1 row",
    `    Config ContextConfig ${lobby} differs in applicationRevision`,
  ]);
});

it("explains databases of the document's revision, which has no entities, by their rows", async () => {
  using copy = copyOfDatabase("documented/tables");
  const context = "54743dc5e24d2a413b159584c1226df6eccfc4caa8cd7b63c7cb56ff66cd60b5";
  {
    await using store = await openStore(copy.path, { writable: true });
    const contextId = fromHex(context);
    const meta = await store.get(new ContextMeta({ contextId }));
    const state: Uint8Array[] = [];
    for await (const { key } of store.raw.scan("State", { gte: contextId, lt: successor(contextId) }))
      state.push(key);
    const batch = store.batch().put(new ContextMeta({ contextId }), {
      ...(meta as NonNullable<typeof meta>),
      rootHash: new Uint8Array(32).fill(1),
    });
    await batch.write();
    await store.raw.write([{ type: "delete", column: "State", key: state[0] as Uint8Array }]);
  }
  const whole = fixturePath("documented/tables", "db");
  for (const format of [[], ["--json"]]) {
    const { status, stdout } = await cli("why", whole, copy.path, ...format);
    expect([status, stdout]).toEqual([1, expect.any(String)]);
    expect(stdout).toContain(
      "both have the same deltas, and different states; deltas of documented are not replayed",
    );
    expect(stdout).toContain("1 row of the state differs; deltas of documented are not replayed");
  }
});

it.each([60, 80])("fits a terminal of %i columns", async (width) => {
  const { stdout } = await played(width, "why", a, b, c, "office");
  for (const line of linesOf(stdout)) expect(line.length).toBeLessThanOrEqual(width);
});

it("takes a context that one node alone has as expected, though the rows of the nodes differ", async () => {
  for (const [first, second] of [
    [a, c],
    [c, a],
  ] as const) {
    const { status, stdout } = await cli("why", first, second, "private", "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: "absent",
      about: ["node-c"],
      causes: [{ rule: "absent", rowCount: 26 }],
      unexplained: 0,
    });
    expect((await cli("diff", first, second, "--by", "context", "--context", "private")).status).toBe(1);
  }
});

it("calls a group by one name, and expects of it what diff expects", async () => {
  const [one, other] = ["healed-n2", "upgraded-n1"].map((name) =>
    fixturePath(`core-0.11-apps/${name}`, "db"),
  );
  const [first, second] = [one as string, other as string];
  const renamed = await cli("why", first, second, "pickers two", "--json");
  expect(renamed.stdout).toContain('named group pickers two \\"pickers three\\"');
  expect(renamed.stdout).not.toContain("named group pickers three");
  const { stdout } = await cli("why", first, second, "ladder team", "--json");
  const { causes } = JSON.parse(stdout) as {
    readonly causes: readonly { readonly rows: readonly { readonly key: string }[] }[];
  };
  const expected = causes.flatMap(({ rows }) => rows.map(({ key }) => key));
  const rows = await cli("diff", first, second, "--rows", "--group", "ladder team", "--json");
  const benign = linesOf(rows.stdout)
    .map((line) => JSON.parse(line))
    .flatMap(({ key, benign: why }) => (why === undefined ? [] : key));
  expect(expected.toSorted()).toEqual(benign.toSorted());
  expect(benign).toHaveLength(4);
  expect((await cli("diff", first, second, "--group", "ladder team")).status).toBe(0);
});
