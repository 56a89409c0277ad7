/** The lines of a delta with many changes. */
import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { deltaLines } from "../../../src/cli/node/history-lines.js";
import { Labels } from "../../../src/cli/node/labels.js";
import { Terminal } from "../../../src/cli/output/terminal.js";
import { CalimeroNode, type Delta } from "../../../src/node/index.js";
import { openStore } from "../../../src/store/index.js";
import { fixturePath } from "../../support/fixtures.js";
import { turnsDuring } from "../../support/turns.js";

it("are made with pauses", async () => {
  await using store = await openStore(fixturePath("core-0.11/node-a", "db"));
  const node = new CalimeroNode(store);
  const out = new Writable();
  const labels = new Labels(new Terminal(out, out), node);
  const { id } = await node.resolve("lobby", ["context"]);
  let delta: Delta | undefined;
  for await (const one of node.deltas(id, { limit: 1 })) delta = one;
  const [action] = delta?.actions ?? [];
  if (delta === undefined || action === undefined) throw new Error("the newest delta changes nothing");
  const many = { ...delta, actions: Array.from({ length: 2_000 }, () => action) };
  const options = { labels, width: 80, utc: true, patch: true };
  let lines: readonly string[] = [];
  const turns = await turnsDuring(async () => {
    lines = await deltaLines(many, options);
  });
  expect(turns).toBeGreaterThan(1_000);
  expect(lines.length).toBeGreaterThan(2_000);
});
