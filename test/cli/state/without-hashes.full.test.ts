/** The questions about the past of a context of core-1.0, whose deltas carry no hash of their author's state. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { core10 } from "../../../src/schemas/index.js";
import { openStore } from "../../../src/store/index.js";
import { CONTEXT, deltaId, falsified, history, itemId, rowsAfter } from "../../state/replay/made-deltas.js";
import { fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { cli, linesOf } from "../run.js";

const folder = temporaryFolder();
const [db, wrong, late, begun] = ["db", "wrong", "late", "begun"].map((name) => join(folder.path, name)) as [
  string,
  string,
  string,
  string,
];
const context = toHex(CONTEXT);
const abi = ["--abi", fixturePath("core-1.0", "state", "abi.json"), "--utc"];
const idOf = (number: number): string => toHex(deltaId(number));
const unwrapped = (text: string): string => text.replace(/\s+/g, " ");

beforeAll(async () => {
  const { rows } = await rowsAfter(CONTEXT, history);
  const behind = await rowsAfter(CONTEXT, history.slice(0, 4));
  for (const [path, all] of [
    [db, rows],
    [wrong, [...rows, falsified(rows, itemId("b")).row]],
    [late, behind.rows],
    [begun, rows.filter(({ column, key }) => column !== "Delta" || !toHex(key).endsWith(idOf(1)))],
  ] as const) {
    await using store = await openStore(path, { create: true, schema: core10 });
    await store.raw.write(all);
  }
});
afterAll(() => folder[Symbol.dispose]());

describe("the past of a context whose deltas carry no hash", () => {
  it("state --at, --diff and --blame say what the states agree with", async () => {
    const { stdout } = await cli("state", db, context, "--at", "3", ...abi);
    expect(linesOf(stdout).slice(1, 4)).toEqual([
      expect.stringMatching(/^as of delta 3 of 6 \(00000003(?:d0){28}\), 2026-/),
      expect.stringMatching(/^root hash [0-9a-f]{64}$/),
      "agrees with the rows of now; no root hash proves just this state",
    ]);
    const json = JSON.parse((await cli("state", db, context, "--at", "3", "--json", ...abi)).stdout);
    expect(json).toMatchObject({
      verdict: "agrees",
      witnesses: [{ kind: "rows" }],
      state: { items: { a: "first", b: "second" } },
    });
    const diff = await cli("state", db, context, "--at", "3", "--diff", "4", ...abi);
    expect(linesOf(diff.stdout).at(-1)).toBe('~ items["a"]: "first" → "changed"');
    const blame = await cli("state", db, context, "--blame", "--json", ...abi);
    expect(linesOf(blame.stdout).map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        path: 'items["a"]',
        value: "changed",
        delta: idOf(4),
        author: "a0".repeat(32),
      }),
    );
  });

  it("log --patch and --entry show old and new values", async () => {
    const patch = await cli("log", db, context, "--patch", ...abi);
    const lines = linesOf(patch.stdout);
    expect(lines.filter((line) => line.includes("agrees with the rows of now"))).toHaveLength(history.length);
    expect(lines.join("\n")).toContain('items["a"]: "first" → "changed"');
    const json = await cli("log", db, context, "--patch", "--json", "--limit", "1", ...abi);
    expect(JSON.parse(linesOf(json.stdout)[0] as string)).toMatchObject({
      entries: [{ path: 'items["d"]', before: null, after: "fourth" }],
      proven: false,
      verdict: "agrees",
      witnesses: [{ kind: "rows" }],
    });
    const life = await cli("log", db, context, "--entry", "items.a", ...abi);
    expect(linesOf(life.stdout)).toEqual([
      'items.a is "changed"',
      expect.stringMatching(/00000004d0.*\(agrees with the rows of now\)$/),
      '      "first" → "changed"',
      expect.stringMatching(/00000002d0.*\(agrees with the rows of now\)$/),
      '      nothing → "first"',
    ]);
  });

  it("bisect finds the delta, and counts the states that agree", async () => {
    const { stdout } = await cli("bisect", db, context, 'items.a = "changed"', ...abi);
    expect(linesOf(stdout)).toEqual([
      expect.stringMatching(/^since delta 4 of 6 \(00000004(?:d0){28}\)/),
      'before  "first" (agrees with the rows of now)',
      'after   "changed" (agrees with the rows of now)',
      expect.stringMatching(/^compared \d states, of which /),
    ]);
  });

  it("a record that a watcher kept proves states, and contradicts others", async () => {
    const line = async (number: number, other?: string): Promise<string> => {
      const { rootHash } = await rowsAfter(CONTEXT, history.slice(0, number));
      const root = { context, rootHash: other ?? toHex(rootHash), heads: [idOf(number)] };
      return `${JSON.stringify({ time: "2026-11-26T12:00:00.000Z", ...root })}\n`;
    };
    const file = join(folder.path, "roots.ndjson");
    // The watcher was killed while it wrote the last line.
    writeFileSync(
      file,
      `${await line(2)}${await line(3, idOf(9))}${await line(4)}${(await line(6)).slice(0, 99)}`,
    );
    const at = async (number: number): Promise<string | undefined> => {
      const words = ["--at", `${number}`, "--recorded", file, ...abi];
      return linesOf((await cli("state", db, context, ...words)).stdout)[3];
    };
    expect(await at(4)).toBe("proven: it has the root hash that was recorded of the node");
    expect(await at(3)).toBe("not proven: the root hash that was recorded of the node is another one");
    expect(await at(1)).toContain(
      `agrees with the root hash that was recorded after 00000002${"d0".repeat(28)} and the rows of now`,
    );
    const { stdout } = await cli("bisect", db, context, 'items.a = "changed"', "--recorded", file, ...abi);
    expect(linesOf(stdout)[2]).toBe('after   "changed" (proven)');
    const log = await cli("log", db, context, "--patch", "--json", "--recorded", file, ...abi);
    const proven = linesOf(log.stdout).map((one) => (JSON.parse(one) as { proven: boolean }).proven);
    expect(proven).toEqual([false, false, true, false, true, false]);
    expect((await cli("state", db, context, "--recorded", file)).stderr).toContain(
      "--recorded goes with --at",
    );
    expect((await cli("log", db, context, "--recorded", file)).stderr).toContain(
      "--recorded goes with --patch",
    );
    writeFileSync(file, "notes\n");
    const refused = await cli("state", db, context, "--at", "3", "--recorded", file, ...abi);
    expect(refused.stderr).toContain("line 1 of the record");
    expect(refused.status).toBe(2);
  });

  it("a record proves states of contexts --at and diff --at, and is checked by verify and why", async () => {
    const file = join(folder.path, "more-roots.ndjson");
    const write = (...roots: readonly (readonly [number, string])[]): void =>
      writeFileSync(
        file,
        roots
          .map(([number, rootHash]) => `${JSON.stringify({ context, rootHash, heads: [idOf(number)] })}\n`)
          .join(""),
      );
    const { rootHash } = await rowsAfter(CONTEXT, history.slice(0, 4));
    write([4, toHex(rootHash)]);
    const recorded = ["--recorded", file];
    const one = await cli("contexts", db, context, "--at", "4", ...recorded);
    expect(unwrapped(one.stdout)).toContain("proven: it has the root hash that was recorded of the node");
    const all = await cli("contexts", db, "--at", "2026-09-21T14:13:24Z", ...recorded);
    expect(linesOf(all.stdout).at(-1)).toMatch(/ proven *$/);
    const diff = await cli("diff", db, late, "--at", idOf(4), ...recorded, ...abi);
    expect(diff.status).toBe(0);
    expect(diff.stdout.match(/; proven: it has the root hash that was recorded/g)).toHaveLength(2);
    for (const words of [
      ["contexts", db, context],
      ["diff", db, late],
    ])
      expect((await cli(...words, ...recorded)).stderr).toContain("--recorded goes with --at");
    // The delta that last wrote the falsified entity is proven.
    const third = (await rowsAfter(CONTEXT, history.slice(0, 3))).rootHash;
    write([3, toHex(third)]);
    const why = await cli("why", wrong, db, context, ...recorded);
    expect(unwrapped(why.stdout)).toMatch(/; \S+ is right\. verdict diverged/);
    const checked = async (): Promise<readonly object[]> => {
      const words = ["--context", context, "--rule", "state-from-deltas", ...recorded];
      const { stdout } = await cli("verify", db, ...words, "--json");
      return linesOf(stdout).flatMap((line) => {
        const found = JSON.parse(line) as { readonly message?: string };
        return found.message === undefined ? [] : [found];
      });
    };
    expect(await checked()).toEqual([]);
    write([4, idOf(9)]);
    expect(await checked()).toEqual([
      expect.objectContaining({
        severity: "warning",
        key: context + idOf(4),
        message: "the replay up to this delta does not give the root hash that was recorded after it",
        found: toHex(rootHash),
        expected: idOf(9),
      }),
    ]);
  });

  it("a history whose first delta is lost has its data, and says from where on it is not proven", async () => {
    const remark =
      "merostore: before delta 00000002 the history is not here: what it wrote is taken from the rows of now\n";
    const reason = "not proven: before its first delta the history is not here";
    const past = await cli("state", begun, context, "--at", "2", ...abi);
    expect(past).toMatchObject({ status: 0, stderr: remark });
    expect(linesOf(past.stdout)[3]).toContain(reason);
    expect(past.stdout).toContain('title: "a context with every kind of collection"');
    expect(past.stdout).toContain('  "b": "second"');
    expect(past.stdout).not.toContain("!");
    const blame = await cli("state", begun, context, "--blame", ...abi);
    expect(blame).toMatchObject({ status: 0, stderr: remark });
    expect(linesOf(blame.stdout)).toHaveLength(5);
    const page = await cli("contexts", begun, context, "--at", "2");
    expect(unwrapped(page.stdout)).toContain(reason);
    const life = await cli("log", begun, context, "--entry", "items.a", ...abi);
    expect(linesOf(life.stdout).filter((line) => line.endsWith("(not proven)"))).toHaveLength(2);
    expect(life.stdout).toContain('"first" → "changed"');
  });

  it("past states do not agree with rows that are wrong, and verify and why name the entity", async () => {
    const { stderr } = await cli("state", wrong, context, "items.b", "--at", "3", ...abi);
    expect(stderr).toContain("the rows of 1 entity have other data now");
    const found = await cli("verify", wrong, "--context", context, "--json");
    const finding = linesOf(found.stdout)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(({ rule }) => rule === "state-from-deltas");
    expect(finding).toMatchObject({ severity: "error", entity: toHex(itemId("b")), delta: idOf(3) });
    const why = await cli("why", db, wrong, context);
    expect([found.status, why.status]).toEqual([1, 1]);
    expect(unwrapped(why.stdout)).toContain("has other data than delta 00000003 gave it");
    const lag = await cli("why", db, late, context);
    expect(unwrapped(lag.stdout)).toMatch(/lacks the last 2 deltas .* unexplained no row/);
  });
});
