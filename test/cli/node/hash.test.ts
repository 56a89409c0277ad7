/** The root hashes of nodes side by side. Expected texts were written by hand from rows.jsonl. */
import { expect, it } from "vitest";
import { appsDatabase } from "../../support/apps.js";
import { fixturePath } from "../../support/fixtures.js";
import { cli, linesOf, played } from "../run.js";

const nodes = ["node-a", "node-b", "node-c"].map((name) => fixturePath("core-0.11", name, "db"));
const [a, b, c] = nodes as [string, string, string];

it("groups nodes with the same hash, differing ones first", async () => {
  const { status, stdout } = await played(140, "hash", a, b, c);
  expect(status).toBe(1);
  expect(linesOf(stdout).slice(0, 7)).toEqual([
    "the nodes differ in the root hash of 1 of 2 common contexts; 5 contexts are on one node only",
    "context                     root hash  nodes                   heads      deltas  pending",
    "lobby / Lobby 6 (b875f1c0)  08e73069…  node-a                  da09c544…     155        0",
    "                            08e73069…  node-b                  da09c544…     125        0",
    "                            c5c40fa5…  node-c                  9295d9fe…      22        0",
    "private (321161a6)          79f820a6…  node-a                  0752c31e…       3        0",
    "old (8d587abf)              84d190b1…  node-a, node-b, node-c  184a0e65…       1        0",
  ]);
});

it("does not call nodes different that have the same hash, or if one did not join", async () => {
  const two = await played(140, "hash", a, b);
  expect(two.status).toBe(0);
  expect(linesOf(two.stdout)[0]).toBe(
    "the nodes have the same root hash in all 2 common contexts; 5 contexts are on one node only",
  );
  const one = await played(140, "hash", c);
  expect(one.status).toBe(0);
  expect(linesOf(one.stdout)[0]).toMatch(/^context /);
});

it("does not call nodes equal that have no context in common", async () => {
  const strangers = ["hash", c, fixturePath("core-0.10/node-a", "db")];
  const { status, stdout } = await played(140, ...strangers);
  expect(status).toBe(1);
  expect(linesOf(stdout)[0]).toBe("the nodes have no context in common; 5 contexts are on one node only");
  expect((await cli(...strangers, "--json")).status).toBe(1);
});

it("puts differing contexts first in JSON too", async () => {
  const lines = linesOf((await cli("hash", a, b, c, "--json")).stdout);
  const equal = lines.map((line) => (JSON.parse(line) as { readonly equal: boolean }).equal);
  expect(equal).toEqual([false, true, true, true, true, true, true]);
});

it("has whole ids in JSON, a line for each context", async () => {
  const { status, stdout } = await cli("hash", a, c, "--json");
  expect(status).toBe(1);
  const lines = linesOf(stdout).map((line) => JSON.parse(line) as { readonly context: string });
  expect(lines).toHaveLength(7);
  expect(lines.find(({ context }) => context.startsWith("b875f1c0"))).toEqual({
    context: "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443",
    nodes: [
      {
        node: "node-a",
        rootHash: "08e73069d9fdc685697bec1ec18785ecd816377a6c2f887b5b2f862eaaa9d90b",
        heads: ["da09c54471ddac836a5569e6e87c33f6f3427ebac0b5d299eafb33bb13fd8e73"],
        deltas: 155,
        pending: 0,
      },
      {
        node: "node-c",
        rootHash: "c5c40fa5676672ebb1856b360a7fd37672d34e43cc2144096b5f3643c6fda3dd",
        heads: ["9295d9fe0e02d6ba22201be33d183fec0393dd8294a4a88d6f18f36a85ba1cba"],
        deltas: 22,
        pending: 0,
      },
    ],
    equal: false,
  });
});

it("fits a narrow terminal", async () => {
  const { stdout } = await played(40, "hash", a, b, c);
  for (const line of linesOf(stdout)) expect(line.length).toBeLessThanOrEqual(40);
});

it("compares nodes of a partition", async () => {
  using one = appsDatabase("parted-n1");
  using three = appsDatabase("parted-n3");
  const { status, stdout } = await played(140, "hash", one.path, three.path);
  expect(status).toBe(1);
  const lines = linesOf(stdout);
  expect(lines[0]).toBe(
    "the nodes differ in the root hash of 3 of 7 common contexts; 3 contexts are on one node only",
  );
  expect(lines.slice(2, 8).map((line) => /[0-9a-f]{8}…/.exec(line)?.[0])).toEqual([
    "f9587d70…",
    "9447a25d…",
    "980cbf2b…",
    "64f54029…",
    "9d3ce507…",
    "b54c2839…",
  ]);
});
