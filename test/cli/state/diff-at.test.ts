/** The application's data of two nodes as of one moment. */
import { expect, it } from "vitest";
import { fixturePath } from "../../support/fixtures.js";
import { linesOf, played } from "../run.js";

const [a, c] = ["node-a", "node-c"].map((name) => fixturePath(`core-0.11/${name}`, "db")) as [string, string];
const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

it("two nodes had the same data before one of them left, and other data after it", async () => {
  const before = await played(0, "diff", a, c, "--context", LOBBY, "--at", "2026-11-21T05:51:40Z", "--utc");
  expect([before.status, linesOf(before.stdout)]).toEqual([
    0,
    [
      `context lobby / Lobby 6 (${LOBBY})`,
      "  node-a: as of delta 52 of 155 (9295d9fe0e02d6ba22201be33d183fec0393dd8294a4a88d6f18f36a85ba1cba), 2026-11-21 05:51:29 UTC; proven: it has the root hash of the delta's author",
      "  node-c: as of delta 22 of 22 (9295d9fe0e02d6ba22201be33d183fec0393dd8294a4a88d6f18f36a85ba1cba), 2026-11-21 05:51:29 UTC; proven: it has the root hash of the delta's author",
      "    the application's data is equal",
    ],
  ]);
  const after = await played(0, "diff", a, c, "--context", "lobby", "--at", "2026-11-21T05:51:47Z", "--json");
  expect(after.status).toBe(1);
  const [found, last] = linesOf(after.stdout).map((line) => JSON.parse(line));
  expect(found).toMatchObject({
    context: LOBBY,
    nodes: [
      { node: "node-a", at: { of: 155 }, verdict: "proven" },
      { node: "node-c", at: { position: 22 }, verdict: "proven" },
    ],
    uncomparedCount: 0,
  });
  expect(found.data[0]).toEqual({ path: 'items["late1"]', a: '"1"' });
  expect(found.dataCount).toBe(found.data.length);
  expect(last).toEqual({ agree: false, sides: ["node-a", "node-c"] });
});

it("calls data that one node does not know equal only where the root hashes are", async () => {
  const at = async (time: string) =>
    JSON.parse(
      linesOf(
        (await played(0, "diff", a, c, "--context", LOBBY, "--at", time, "--json")).stdout,
      )[0] as string,
    );
  const equal = await at("2026-11-21T05:51:25Z");
  expect(equal.nodes[0].rootHash).toBe(equal.nodes[1].rootHash);
  expect(equal).toMatchObject({ dataCount: 0, uncomparedCount: 0 });
});

it("takes the id of a delta, and all contexts that both have", async () => {
  const { status, stdout } = await played(0, "diff", a, c, "--at", "9295d9fe", "--json");
  expect(status).toBe(0);
  const lines = linesOf(stdout).map((line) => JSON.parse(line));
  expect(lines.map(({ context }) => context)).toEqual([LOBBY, undefined]);
});

it("takes digits for the id of a delta", async () => {
  const b = fixturePath("core-0.11/node-b", "db");
  const { status, stdout } = await played(0, "diff", a, b, "--context", LOBBY, "--at", "05878820", "--json");
  expect(status).toBe(0);
  const [{ nodes }] = linesOf(stdout).map((line) => JSON.parse(line));
  for (const { at } of nodes) expect(at.delta).toMatch(/^0587882015d6ef5f/);
});

it("says that one node has no delta from then, and refuses what is not a moment of both", async () => {
  const early = await played(0, "diff", a, c, "--context", LOBBY, "--at", "2026-11-21T05:51:15Z", "--utc");
  expect(early.status).toBe(1);
  expect(linesOf(early.stdout).slice(2)).toEqual([
    "  node-c: the database has no delta of the context from then or before; its oldest is of 2026-11-21T05:51:21.160Z",
  ]);
  for (const [at, words] of [
    ["20", "each node has its own numbers of deltas"],
    ["0020", "begins with 0020; --at takes a time or the id of a delta here"],
    ["2020-01-01", "no delta of the context from then or before"],
    ["tomorrow", "tomorrow is not a moment"],
  ] as const) {
    const { status, stderr } = await played(0, "diff", a, c, "--context", LOBBY, "--at", at);
    expect([status, stderr]).toEqual([2, expect.stringContaining(words)]);
  }
});
