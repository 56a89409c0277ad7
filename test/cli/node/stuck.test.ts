/** Work that nodes could not finish. Expected texts were written by hand from rows.jsonl. */
import { expect, it } from "vitest";
import { fixturePath } from "../../support/fixtures.js";
import { cli, linesOf, played } from "../run.js";

const database = (name: string): string => fixturePath(name, "db");

it("says what each delta lacks and which deltas wait for it", async () => {
  const { status, stdout } = await played(
    140,
    "stuck",
    database("core-0.11/log"),
    database("core-0.11/node-a"),
  );
  expect(status).toBe(1);
  expect(linesOf(stdout).slice(0, 4)).toEqual([
    "context dev (e7b3fadf) on log",
    "  delta 3c982761… lacks its parent aec9bcee… (none of the others has it); 1 delta waits for it: 8031ee2d…",
    "context main.context_2-x (52d9afd9) on log",
    "  delta 67c7d96e… waits for the application with the app key 31b1e2cb…",
  ]);
  expect(stdout).toContain("  the key must change because 4dd6f0ef");
});

it("has whole ids in JSON, a line for each delta", async () => {
  const { status, stdout } = await cli("stuck", database("core-0.11/log"), "--json");
  expect(status).toBe(1);
  const [first, ...others] = linesOf(stdout).map((line) => JSON.parse(line) as object);
  expect(first).toEqual({
    node: "log",
    context: "e7b3fadfcf44fbb50d45910e95818d4cba92a215672e8e4539c188511e0afb68",
    delta: "3c982761feca2ffb1bffc24e5e9e71467c347a7e8227b26ae160211ed2c99148",
    missing: [{ parent: "aec9bcee565a96ef0e9087a8d210d78c40fbd283f3d222125c7f79f152d9c51c", in: [] }],
    waiting: ["8031ee2d63fcea46917f070b2fdabc4eee4491d172bdd37067b442160e3c34e8"],
  });
  expect(others).toHaveLength(12);
});

it("does not tell of deltas whose changes the state has, although they are marked as pending", async () => {
  // The replay of node-b reaches its root hash only with the six deltas that it took over with a snapshot.
  const { status, stdout } = await played(140, "stuck", database("core-0.10/node-b"));
  expect([status, stdout]).toEqual([0, ""]);
  const hashes = await cli("hash", database("core-0.10/node-b"), "--json");
  expect(linesOf(hashes.stdout).map((line) => JSON.parse(line) as object)).toMatchObject([
    { nodes: [{ pending: 0 }] },
  ]);
});

it("ends with status 0 if nothing is stuck", async () => {
  const nodes = ["core-0.11/node-a", "core-0.11/node-b", "core-0.11/node-c", "core-0.10/node-a"].map(
    database,
  );
  const { status, stdout, stderr } = await played(140, "stuck", ...nodes);
  expect([status, stdout, stderr]).toEqual([0, "", "merostore: nothing is stuck\n"]);
});

it("fits a narrow terminal", async () => {
  const { stdout } = await played(50, "stuck", database("core-0.11/log"));
  expect(stdout).not.toBe("");
  for (const line of linesOf(stdout)) expect(line.length).toBeLessThanOrEqual(50);
});
